"""`togyz account`: who may log in at the arbiter's console."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from firmware_bridge.commands.common import (
    EXIT_FAILED,
    ConfigFile,
    code_said,
    config_of,
    errors_told,
    fail,
    later,
    plainly,
    say,
)
from firmware_bridge.commands.hall import ledger_path
from firmware_bridge.hall.ledger.accounts import (
    Account,
    AccountError,
    accounts,
    remove_account,
    save_account,
)
from firmware_bridge.hall.ledger.roles import Role
from firmware_bridge.hall.ledger.store import Ledger, LedgerError


def account(
    config: ConfigFile,
    name: Annotated[
        str | None, typer.Argument(help=later("cli.account.name"), metavar="NAME", show_default=False)
    ] = None,
    *,
    role: Annotated[Role, typer.Option(help=later("cli.account.role"))] = Role.LINE,
    remove: Annotated[bool, typer.Option("--remove", help=later("cli.account.remove"))] = False,
) -> None:
    """Make an account, change or remove it; without a name, list them all."""
    loaded = config_of(config)
    with errors_told(LedgerError), Ledger(ledger_path(loaded), loaded.board.event) as ledger:
        if name is None:
            _list(ledger)
        elif remove:
            if not ledger.apply(lambda db: remove_account(db, name)):
                raise fail(say("account.unknown", name=name), EXIT_FAILED)
            plainly(say("account.removed", name=name))
        else:
            _save(ledger, Account(name, role))


def _save(ledger: Ledger, made: Account) -> None:
    password = _password(made.name)
    try:
        ledger.apply(lambda db: save_account(db, made, password, time.time_ns() // 1_000_000))
    except AccountError as error:
        raise fail(code_said("account", f"no_{error.code}"), EXIT_FAILED) from error
    plainly(say("account.saved", name=made.name, role=code_said("role", made.role.value)))


def _password(name: str) -> str:
    """Ask for a password twice; a program gives it as one line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    asked: str = typer.prompt(
        say("account.password", name=name), hide_input=True, confirmation_prompt=say("account.again")
    )
    return asked


def _list(ledger: Ledger) -> None:
    found = ledger.apply(accounts)
    if not found:
        plainly(say("account.none"))
    for each in found:
        plainly(f"{each.name}  {code_said('role', each.role.value)}")

"""Accounts: passwords are kept as hashes only, sessions end, and offices give what the regulations give."""

import sqlite3
from pathlib import Path

import pytest

from firmware_bridge.hall.ledger import accounts
from firmware_bridge.hall.ledger.accounts import SESSION_MS, Account, AccountError
from firmware_bridge.hall.ledger.roles import RIGHTS, Right, Role
from firmware_bridge.hall.ledger.store import Ledger
from tests.firmware_bridge.hall.ledger.test_games import new

WHO = Account("Сәуле", Role.CHIEF)
WORD = "тоғыз құмалақ"


def test_a_password_opens_its_account_alone() -> None:
    """And one for nobody is tried as long, and opens nothing."""
    db = new()
    accounts.save_account(db, WHO, WORD, 1)
    found, salt, kept = accounts.secret_of(db, "Сәуле")
    assert found == WHO
    assert accounts.matches(WORD, salt, kept)
    assert not accounts.matches(WORD + "!", salt, kept)
    nobody, salt, kept = accounts.secret_of(db, "Марат")
    assert nobody is None
    assert not accounts.matches("", salt, kept)


def test_neither_password_nor_token_stands_in_the_file(tmp_path: Path) -> None:
    """Who copies the card learns neither."""
    path = tmp_path / "l"
    with Ledger(path, "open") as ledger:
        ledger.apply(lambda db: accounts.save_account(db, WHO, WORD, 1))
        token, session = ledger.apply(lambda db: accounts.begin_session(db, WHO, 1))
        data = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert WORD.encode() not in data
    assert token.encode() not in data
    assert session.check_word not in (token, WORD)


def test_a_session_ends_with_its_time_its_logout_or_its_account() -> None:
    """Also with a new password: who has found the old one is thrown out."""
    db = new()
    accounts.save_account(db, WHO, WORD, 1)
    tokens = [accounts.begin_session(db, WHO, 1)[0] for _ in range(3)]
    assert accounts.session_of(db, tokens[0], SESSION_MS) is not None
    assert accounts.session_of(db, tokens[0], SESSION_MS + 1) is None
    accounts.end_session(db, tokens[0])
    assert accounts.session_of(db, tokens[0], 1) is None
    accounts.save_account(db, WHO, WORD + "2", 1)
    assert accounts.session_of(db, tokens[1], 1) is None
    assert accounts.session_of(db, "made up", 1) is None


@pytest.mark.parametrize(
    ("name", "word", "code"), [("", WORD, "name"), (" x", WORD, "name"), ("x", "short", "password")]
)
def test_what_will_not_do_is_refused(name: str, word: str, code: str) -> None:
    """With a code for programs."""
    db: sqlite3.Connection = new()
    with pytest.raises(AccountError) as caught:
        accounts.save_account(db, Account(name, Role.LINE), word, 1)
    assert caught.value.code == code
    assert accounts.accounts(db) == ()


def test_offices_give_what_the_regulations_give() -> None:
    """2.4.11 to 2.4.15: a line arbiter rules and submits, and neither pairs nor makes official."""
    assert RIGHTS[Role.CHIEF] == RIGHTS[Role.DEPUTY] | {Right.ARBITERS} == frozenset(Right)
    assert {Right.RULE, Right.SUBMIT} <= RIGHTS[Role.LINE]
    assert not RIGHTS[Role.LINE] & {Right.PAIR, Right.ACCEPT, Right.PANEL, Right.START}
    for role in (Role.SECRETARY, Role.DEPUTY_SECRETARY):
        assert Right.ACCEPT in RIGHTS[role]
        assert not RIGHTS[role] & {Right.RULE, Right.PAIR, Right.PANEL}
    assert set(RIGHTS) == set(Role)

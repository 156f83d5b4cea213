"""A seal that is opened, held to what was committed to (2.8.3, 2.8.4), and a move held to the seal (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.board.incident_inputs import Unseal
from firmware_bridge.board.session.player_buttons import named
from rules.conduct.adjournment import resumed
from rules.conduct.codes import Code
from rules.conduct.offences import Offence
from rules.conduct.options import Conduct
from rules.errors import ConductError, RulesError
from rules.events import JSON
from rules.game import Game, GameEvent, InfractionSeen, SealOpened
from rules.notation.moves import format_short, parse_move
from rules.position import Sowing, board_of, play
from rules.position_json import position_to_json


def opened(game: Game, command: Unseal, conduct: Conduct) -> tuple[GameEvent, ...] | None:
    """Return what follows from opening the seal; None: it is another move, and nobody said why it is to hold.

    A move that is none, illegal or not to be read, waits as an infraction for what the event chose.

    Raises:
        RulesError: No move is sealed, or the salt can never have been used.
    """
    if game.seal is None:
        raise ConductError("no move is sealed")
    if command.salt or not command.reason:
        salt = bytes.fromhex(command.salt)
        found = resumed(conduct, game.position, game.seal, command.text, salt)
        fits, number = found.code is not Code.SEAL_BROKEN, found.number
    else:
        fits, number = False, None  # sealed elsewhere: nothing holds it to the commitment but his word
    if not fits and not command.reason:
        return None
    told = SealOpened(
        at_us=command.at_us,
        number=number if fits else _read(game, command.text),
        text=command.text,
        by=command.by,
        salt=command.salt,
        reason="" if fits else command.reason,
    )
    if told.number is not None:
        return (told,)
    bad = named(game, Offence.SEALED_MOVE_BAD, game.position.to_move, command.at_us)
    return (told, bad)


def _read(game: Game, text: str) -> int | None:
    try:
        return parse_move(text, game.position).sowing.number
    except RulesError:
        return None


def other_than_sealed(game: Game, plies: Sequence[Sowing], at_us: int) -> InfractionSeen | None:
    """Return that another move becomes final than the sealed one (2.8.4); None: it is that one, or none was.

    Args:
        game: The game before these plies.
        plies: They, oldest first.
        at_us: Table time.
    """
    if game.sealed_number is None or plies[0].number == game.sealed_number:
        return None
    due = play(game.position, game.sealed_number)
    evidence: dict[str, JSON] = {
        "before": position_to_json(game.position),
        "seen": list(board_of(plies[0].after)),
        "due": format_short(due),
    }
    return named(game, Offence.SEALED_MOVE_NOT_PLAYED, plies[0].side, at_us, evidence)

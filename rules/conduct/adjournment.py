"""Postponing a game and taking it up again (2.8).

Only the chief panel postpones. The sealed move is compulsory when the game goes on; what an illegal or
unreadable one gives the regulations do not say.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.conduct.codes import Code
from rules.conduct.options import Conduct
from rules.conduct.proposal import ClockAction, Decider, Proposal, lost_by
from rules.conduct.sealing import opens
from rules.errors import AmbiguousMoveError, IllegalMoveError, NotationError
from rules.notation.moves import parse_move
from rules.notation.parts import readings, taken_apart
from rules.position import Position, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption(Proposal):
    """How a postponed game goes on; position and dials are restored from the record (2.8.4).

    Attributes:
        number: The pit 1..9 that has to be played; None: there is no such move.
        compulsory: Whether it has to be.
    """

    number: int | None = None
    compulsory: bool = False


def postponed(decider: Decider, *, begun: bool) -> Proposal:
    """Return what follows when somebody wants to postpone a game: only the chief panel may (2.8.1).

    Args:
        decider: Who has decided it.
        begun: Whether it has begun, so that the player to move seals his move (2.8.2).
    """
    if decider is not Decider.PANEL:
        return Proposal(code=Code.POSTPONED_BY_PANEL_ONLY, articles=("2.8.1",), decider=Decider.PANEL)
    if not begun:
        return Proposal(code=Code.POSTPONED, articles=("2.8.1",), decider=Decider.PANEL)
    return Proposal(
        code=Code.POSTPONED_WITH_SEALED_MOVE,
        articles=("2.8.1", "2.8.2", "2.8.3"),
        decider=Decider.PANEL,
        clock=ClockAction.STOP,
    )


def resumed(
    conduct: Conduct,
    position: Position,
    commitment: str,
    move_text: str,
    salt: bytes,
    *,
    intact: bool = True,
) -> Resumption:
    """Return how the game goes on with the move that was in the envelope.

    Args:
        conduct: The options.
        position: The position before the sealed move: who is to move in it sealed.
        commitment: The commitment to the move (`sealing.seal`), as it was written down then.
        move_text: The move as it stands on the sheet.
        salt: The salt of the commitment.
        intact: Whether both players were shown the envelope, and found it whole (2.8.3).

    Raises:
        ConductError: The salt or the text can never have been sealed.
    """
    sealer = position.to_move
    if not intact or not opens(commitment, move_text, salt):
        return Resumption(
            code=Code.SEAL_BROKEN, articles=("2.8.3", "2.4.5"), decider=Decider.PANEL, side=sealer
        )
    try:
        if _in_part(move_text):
            return _bad(conduct, sealer, Code.SEALED_MOVE_UNREADABLE)
        sowing = parse_move(move_text, position).sowing
    except IllegalMoveError:
        return _bad(conduct, sealer, Code.SEALED_MOVE_ILLEGAL)
    except (NotationError, AmbiguousMoveError):
        return _bad(conduct, sealer, Code.SEALED_MOVE_UNREADABLE)
    return Resumption(
        code=Code.SEALED_MOVE_PLAYED,
        articles=("2.8.4",),
        side=sealer,
        clock=ClockAction.RUN,
        runs=sealer,
        number=sowing.number,
        compulsory=True,
    )


def move_binds(sealer: Side) -> Proposal:
    """Return that the sealer has to play what he sealed, now that it was read and the game goes on."""
    return Proposal(code=Code.SEALED_MOVE_BINDS, articles=("2.8.4",), side=sealer)


def other_move_played(sealer: Side) -> Proposal:
    """Return what follows when the sealer has played another move than he sealed.

    The sealed one binds him, so his is taken back; the regulations name no penalty.
    """
    return Proposal(
        code=Code.SEALED_MOVE_NOT_PLAYED, articles=("2.8.4",), side=sealer, clock=ClockAction.STOP
    )


def _in_part(move_text: str) -> bool:
    """Return whether some of a move is missing or cannot be read; no pit is guessed from what is legal.

    Raises:
        NotationError: It is no move at all.
    """
    return any("_" in body for _, body in readings(taken_apart(move_text, None), None))


def bad_move(conduct: Conduct, sealer: Side, code: Code = Code.SEALED_MOVE_BAD) -> Proposal:
    """Return what a sealed move gives that cannot be played, illegal or not to be read.

    The regulations are silent: the panel decides (2.4.5), unless the event chose that it loses the game.
    """
    if conduct.bad_sealed_move == "loses":
        return Proposal(code=code, articles=(), decider=Decider.PANEL, side=sealer, score=lost_by(sealer))
    return Proposal(code=code, articles=("2.8.4", "2.4.5"), decider=Decider.PANEL, side=sealer)


def _bad(conduct: Conduct, sealer: Side, code: Code) -> Resumption:
    found = bad_move(conduct, sealer, code)
    return Resumption(
        code=code, articles=found.articles, decider=found.decider, side=found.side, score=found.score
    )

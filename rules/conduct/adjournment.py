"""Postponing a game and taking it up again (2.8).

Only the chief panel postpones. The sealed move is compulsory when the game goes on; what an illegal or
unreadable one gives the regulations do not say.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.conduct.codes import Code
from rules.conduct.options import Conduct
from rules.conduct.proposal import ClockAction, Decider, Proposal, lost_by
from rules.conduct.sealing import SealedGame, opens
from rules.errors import AmbiguousMoveError, IllegalMoveError, NotationError
from rules.notation.moves import parse_move
from rules.notation.parts import readings, taken_apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption(Proposal):
    """How a postponed game goes on; position and dials are restored from the record (2.8.4).

    Attributes:
        sealed: The record.
        number: The pit 1..9 that has to be played; None: there is no such move.
        compulsory: Whether it has to be.
    """

    sealed: SealedGame
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
    conduct: Conduct, sealed: SealedGame, move_text: str, salt: bytes, *, intact: bool = True
) -> Resumption:
    """Return how the game goes on with the move that was in the envelope.

    Args:
        conduct: The options.
        sealed: The record that was written when it was sealed.
        move_text: The move as it stands on the sheet.
        salt: The salt of the commitment.
        intact: Whether both players were shown the envelope, and found it whole (2.8.3).

    Raises:
        ConductError: The salt or the text can never have been sealed.
    """
    if not intact or not opens(sealed.commitment, move_text, salt):
        return Resumption(
            code=Code.SEAL_BROKEN,
            articles=("2.8.3", "2.4.5"),
            decider=Decider.PANEL,
            side=sealed.sealer,
            sealed=sealed,
        )
    try:
        if _in_part(move_text):
            return _bad(conduct, sealed, Code.SEALED_MOVE_UNREADABLE)
        sowing = parse_move(move_text, sealed.position).sowing
    except IllegalMoveError:
        return _bad(conduct, sealed, Code.SEALED_MOVE_ILLEGAL)
    except (NotationError, AmbiguousMoveError):
        return _bad(conduct, sealed, Code.SEALED_MOVE_UNREADABLE)
    return Resumption(
        code=Code.SEALED_MOVE_PLAYED,
        articles=("2.8.4",),
        side=sealed.sealer,
        clock=ClockAction.RUN,
        runs=sealed.sealer,
        sealed=sealed,
        number=sowing.number,
        compulsory=True,
    )


def other_move_played(sealed: SealedGame) -> Proposal:
    """Return what follows when the sealer plays another move than he sealed: the sealed one binds him."""
    return Proposal(code=Code.SEALED_MOVE_BINDS, articles=("2.8.4",), side=sealed.sealer)


def _in_part(move_text: str) -> bool:
    """Return whether some of a move is missing or cannot be read; no pit is guessed from what is legal.

    Raises:
        NotationError: It is no move at all.
    """
    return any("_" in body for _, body in readings(taken_apart(move_text, None), None))


def _bad(conduct: Conduct, sealed: SealedGame, code: Code) -> Resumption:
    """Return what a sealed move gives that cannot be played: silent (requirement 36)."""
    if conduct.bad_sealed_move == "loses":
        return Resumption(
            code=code,
            articles=(),
            decider=Decider.PANEL,
            side=sealed.sealer,
            score=lost_by(sealed.sealer),
            sealed=sealed,
        )
    return Resumption(
        code=code, articles=("2.8.4", "2.4.5"), decider=Decider.PANEL, side=sealed.sealer, sealed=sealed
    )

"""What is forbidden, where that stands, and what follows by the same article.

Most articles forbid and name no penalty; what follows then is a warning (2.4.6). A loss is proposed only
where an article names it. Whether something was an offence at all, the arbiter has seen or has not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from rules.conduct.codes import Code
from rules.conduct.proposal import Proposal, lost_by
from rules.position import Side


class Offence(Enum):
    """What a player can have done; the value is the key of a text."""

    ILLEGAL_SOWING = "illegal_sowing"
    ILLEGAL_CAPTURE = "illegal_capture"
    ILLEGAL_TUZDYK = "illegal_tuzdyk"
    STONES_IN_TUZDYK = "stones_in_tuzdyk"
    TOUCH_MOVE = "touch_move"
    ADJUSTED_BY_HAND = "adjusted_by_hand"
    ADJUSTED_UNANNOUNCED = "adjusted_unannounced"
    ADJUSTED_OUT_OF_TURN = "adjusted_out_of_turn"
    STONES_IN_HAND = "stones_in_hand"
    PRESSED_WITHOUT_MOVE = "pressed_without_move"
    MOVED_BEFORE_PRESS = "moved_before_press"
    STRUCK_THE_CLOCK = "struck_the_clock"
    PRESSED_WITH_OTHER_HAND = "pressed_with_other_hand"
    STOPPED_CLOCK_GROUNDLESSLY = "stopped_clock_groundlessly"
    LATE = "late"
    DISOBEYED_ARBITER = "disobeyed_arbiter"
    BROUGHT_MORE_THAN_A_PEN = "brought_more_than_a_pen"
    SHEET_NOT_KEPT = "sheet_not_kept"
    DREW_ON_SHEET = "drew_on_sheet"
    SHEET_HIDDEN = "sheet_hidden"
    SHEET_NOT_SIGNED = "sheet_not_signed"
    WATCHED_TOO_EARLY = "watched_too_early"
    ROSE_OUT_OF_TURN = "rose_out_of_turn"
    BOTH_LEFT = "both_left"
    USED_NOTES = "used_notes"
    TOOK_ADVICE = "took_advice"
    ANALYSED = "analysed"
    DISTURBED = "disturbed"
    REPEATED_DRAW_OFFER = "repeated_draw_offer"
    PHONE = "phone"
    SEALED_MOVE_NOT_PLAYED = "sealed_move_not_played"
    SEALED_MOVE_BAD = "sealed_move_bad"
    """Illegal, or nobody can read it: the regulations do not say what follows."""


_ARTICLES: Mapping[Offence, tuple[str, ...]] = MappingProxyType(
    {
        Offence.ILLEGAL_SOWING: ("1.3.1",),
        Offence.ILLEGAL_CAPTURE: ("1.3.2",),
        Offence.ILLEGAL_TUZDYK: ("1.4.1", "1.4.3"),
        Offence.STONES_IN_TUZDYK: ("1.4.2", "1.4.4"),
        Offence.TOUCH_MOVE: ("1.3.4",),
        Offence.ADJUSTED_BY_HAND: ("1.3.4",),
        Offence.ADJUSTED_UNANNOUNCED: ("1.3.4",),
        Offence.ADJUSTED_OUT_OF_TURN: ("1.3.4",),
        Offence.STONES_IN_HAND: ("2.7.7",),
        Offence.PRESSED_WITHOUT_MOVE: ("2.7.9",),
        Offence.MOVED_BEFORE_PRESS: ("2.7.17",),
        Offence.STRUCK_THE_CLOCK: ("2.7.7",),
        Offence.PRESSED_WITH_OTHER_HAND: ("2.7.8",),
        Offence.STOPPED_CLOCK_GROUNDLESSLY: ("2.7.15",),
        Offence.LATE: ("2.3.3",),
        Offence.DISOBEYED_ARBITER: ("2.3.2",),
        Offence.BROUGHT_MORE_THAN_A_PEN: ("2.3.4",),
        Offence.SHEET_NOT_KEPT: ("1.6.1", "2.3.5"),
        Offence.DREW_ON_SHEET: ("2.3.6",),
        Offence.SHEET_HIDDEN: ("1.6.4",),
        Offence.SHEET_NOT_SIGNED: ("2.10.9",),
        Offence.WATCHED_TOO_EARLY: ("2.3.7",),
        Offence.ROSE_OUT_OF_TURN: ("2.3.7",),
        Offence.BOTH_LEFT: ("2.3.7",),
        Offence.USED_NOTES: ("2.3.8",),
        Offence.TOOK_ADVICE: ("2.3.8",),
        Offence.ANALYSED: ("2.3.8",),
        Offence.DISTURBED: ("2.3.9",),
        Offence.REPEATED_DRAW_OFFER: ("2.6.9", "2.3.9"),
        Offence.PHONE: ("2.3.10", "2.4.9"),
        Offence.SEALED_MOVE_NOT_PLAYED: ("2.8.4",),
        Offence.SEALED_MOVE_BAD: ("2.8.4",),
    }
)

_LOSES = frozenset({Offence.PHONE})
"""Where an article names the loss of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach(Proposal):
    """What follows from an offence.

    Attributes:
        offence: Which.
    """

    offence: Offence


def articles_of(offence: Offence) -> tuple[str, ...]:
    """Return where an offence is forbidden."""
    return _ARTICLES[offence]


def breach(offence: Offence, side: Side) -> Breach:
    """Return what follows from the offence of `side`: the loss its article names, or a warning (2.4.6).

    The panel may find otherwise (2.4.7), and time may be taken (2.4.8): see `rules.conduct.penalties`.
    """
    if offence in _LOSES:
        return Breach(
            code=Code.BREACH_LOSES,
            articles=_ARTICLES[offence],
            offence=offence,
            side=side,
            score=lost_by(side),
        )
    return Breach(
        code=Code.BREACH_WARNS,
        articles=(*_ARTICLES[offence], "2.4.6"),
        offence=offence,
        side=side,
        warns=(side,),
    )


def no_breach(offence: Offence, side: Side, articles: tuple[str, ...]) -> Breach:
    """Return that what looks like an offence of `side` is none here, resting on `articles`."""
    return Breach(code=Code.NO_BREACH, articles=articles, offence=offence, side=side)

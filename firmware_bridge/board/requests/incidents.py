"""Requests about infractions, positions, warnings, offers, calls, complaints and seals as commands (pure).

Every request may say `by`, who gives it. Those that set a position may say `dials`, a list of two texts as
`parse_time` reads them, or null for a dial that stays as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from firmware_bridge.board.incident_inputs import (
    Adjourn,
    AnswerCall,
    AnswerDraw,
    Call,
    CallFlag,
    Close,
    Complain,
    IncidentCommand,
    OfferDraw,
    Rule,
    Unseal,
    Warn,
)
from firmware_bridge.board.requests.words import (
    CommandError,
    one_of,
    side_of,
    whole,
    whole_or_none,
    words,
    yes_or_no,
)
from rules.conduct.ladder import LAST_LEVEL
from rules.conduct.proposal import Speaker
from rules.control_text import parse_time
from rules.errors import PositionFormatError, TimeControlError
from rules.events_json import MAX_INFRACTIONS, SALT, SEAL
from rules.game import Closing, Decision
from rules.position import Position
from rules.position_json import position_from_json
from rules.record.model import MAX_PLIES


def parse_incident(request: dict[str, Any], at_us: int) -> IncidentCommand | None:
    """Return the command a request means, given at table time `at_us`; None: it is none of these.

    Raises:
        CommandError: One of its words is missing, too long or of the wrong kind.
    """
    do = request.get("do")
    parse = _PARSERS.get(do) if isinstance(do, str) else None
    return None if parse is None else parse(request, at_us)


def _rule(request: dict[str, Any], at_us: int) -> Rule:
    decision: Decision = one_of(request, "decision", get_args(Decision))
    return Rule(
        at_us=at_us,
        decision=decision,
        take_back=whole(request, "take_back", 0, MAX_PLIES, 0),
        number=whole_or_none(request, "number", 1, 9),
        position=_position(request),
        dials_us=_dials_us(request),
        infraction=whole_or_none(request, "infraction", 1, MAX_INFRACTIONS),
        by=words(request, "by"),
        reason=words(request, "reason"),
    )


def _position(request: dict[str, Any]) -> Position | None:
    value = request.get("position")
    if value is None:
        return None
    try:
        return position_from_json(value)
    except PositionFormatError as error:
        raise CommandError(f"`position` is none to play on: {error}") from error


def _dials_us(request: dict[str, Any]) -> tuple[int | None, int | None]:
    value = request.get("dials", [None, None])
    if not isinstance(value, list) or len(value) != 2:
        raise CommandError(f"`dials` {value!a:.40} are not two: [bastaushy's, qostaushy's]")
    try:
        first_us, second_us = (None if text is None else parse_time(str(text)) * 1000 for text in value)
    except TimeControlError as error:
        raise CommandError(str(error)) from error
    return first_us, second_us


def _close(request: dict[str, Any], at_us: int) -> Close:
    closing: Closing = one_of(request, "closing", get_args(Closing))
    return Close(
        at_us=at_us,
        infraction=whole(request, "infraction", 1, MAX_INFRACTIONS),
        closing=closing,
        by=words(request, "by"),
        reason=words(request, "reason"),
    )


def _warn(request: dict[str, Any], at_us: int) -> Warn:
    return Warn(
        at_us=at_us,
        side=side_of(request),
        level=whole(request, "level", 1, LAST_LEVEL),
        article=words(request, "article"),
        by=words(request, "by"),
        reason=words(request, "reason"),
    )


def _adjourn(request: dict[str, Any], at_us: int) -> Adjourn:
    seal = words(request, "seal")
    if not SEAL.fullmatch(seal):
        raise CommandError(f"`seal` {seal!a:.40} is no seal: 64 hexadecimal digits that commit to the move")
    return Adjourn(at_us=at_us, seal=seal, by=words(request, "by"), reason=words(request, "reason"))


def _unseal(request: dict[str, Any], at_us: int) -> Unseal:
    text = words(request, "text").strip()
    if not text:
        raise CommandError("`text` is empty: the move as it stands in the envelope")
    salt = words(request, "salt").lower()
    if not SALT.fullmatch(salt):
        raise CommandError(f"`salt` {salt!a:.40} is no salt: pairs of hexadecimal digits")
    return Unseal(
        at_us=at_us, text=text, salt=salt, by=words(request, "by"), reason=words(request, "reason").strip()
    )


def _caller(request: dict[str, Any]) -> Speaker:
    """Return who calls a flag: whoever is said, or the arbiter who says it."""
    if request.get("caller") is None:
        return Speaker.ARBITER
    return Speaker(one_of(request, "caller", tuple(speaker.value for speaker in Speaker)))


def _call(request: dict[str, Any], at_us: int) -> Call:
    return Call(at_us=at_us, side=None if request.get("side") is None else side_of(request))


_PARSERS: Mapping[str, Callable[[dict[str, Any], int], IncidentCommand]] = {
    "rule": _rule,
    "close": _close,
    "warn": _warn,
    "offer_draw": lambda request, at_us: OfferDraw(
        at_us=at_us, side=side_of(request), heard=yes_or_no(request, "heard", default=False)
    ),
    "answer_draw": lambda request, at_us: AnswerDraw(
        at_us=at_us, side=side_of(request), accepted=yes_or_no(request, "accepted")
    ),
    "call": _call,
    "answer_call": lambda request, at_us: AnswerCall(
        at_us=at_us,
        by=words(request, "by"),
        groundless=yes_or_no(request, "groundless", default=False),
        resumes=yes_or_no(request, "resumes", default=True),
    ),
    "call_flag": lambda request, at_us: CallFlag(
        at_us=at_us, side=side_of(request), caller=_caller(request), by=words(request, "by")
    ),
    "complain": lambda request, at_us: Complain(at_us=at_us, side=side_of(request)),
    "adjourn": _adjourn,
    "unseal": _unseal,
}
"""How a request is read that says `do` so."""

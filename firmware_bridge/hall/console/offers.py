"""What an arbiter can decide about an infraction, as buttons: the proposal of the rulebook first. Pure.

An offer is complete: the commands that the board is told, what comes of the stones and which of them have to
be carried for it. The page shows it and sends it back; the board has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from firmware_bridge.hall.console.attention import Infraction
from rules.conduct.codes import Code
from rules.conduct.faults import OF_PEOPLE, offence_of
from rules.conduct.ladder import WarningStep
from rules.conduct.offences import Offence
from rules.conduct.options import Conduct
from rules.conduct.proposal import ClockAction, Speaker
from rules.conduct.sowing import Ends, SowingOffence, SowingRuling, rule_sowing
from rules.errors import RulesError
from rules.infractions.evidence import PLACES
from rules.infractions.kinds import ARTICLES, OF_PRESSES, Fault
from rules.notation.moves import format_short, parse_short
from rules.phases import Phase
from rules.position import STONES, Position, Side, Sowing, board_of, legal_moves, play
from rules.position_json import position_from_json, position_to_json

Command: TypeAlias = dict[str, Any]

_BY_ARTICLE: Final[Mapping[str, Offence]] = {
    "1.3.2": Offence.ILLEGAL_CAPTURE,
    "1.1.2": Offence.ILLEGAL_CAPTURE,
    "1.4.1": Offence.ILLEGAL_TUZDYK,
    "1.4.3": Offence.ILLEGAL_TUZDYK,
    "1.4.2": Offence.STONES_IN_TUZDYK,
}
"""What the law of conduct calls a fault, by its first article; everything else is an illegal sowing."""

_BY_HAND: Final = frozenset(
    {Fault.TOUCH_MOVE_BROKEN, Fault.ADJUSTED_BY_HAND, Fault.ADJUSTED_OUT_OF_TURN, Fault.MOVED_BEFORE_PRESS}
)
"""Faults of the hand: the stones may lie as they should, and then a warning is all there is to decide."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One button.

    Attributes:
        code: `corrected`, `restored`, `stands`, `warned` or `dismissed`: the key of its text.
        articles: What it rests on; () where the event chose.
        commands: What the board is told, in order, without the warning.
        warns: Whether the rulebook proposes a warning with it.
        carries: The stones to be carried, each [from, to, stones]; () where none have to be.
        position: What holds then, as JSON; None: what holds now.
        proposed: Whether it is the one that the event's options propose; the arbiter may choose any other.
    """

    code: str
    articles: tuple[str, ...]
    commands: tuple[Command, ...]
    warns: bool = False
    carries: Sequence[Any] = ()
    position: dict[str, Any] | None = None
    proposed: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "code": self.code,
            "articles": list(self.articles),
            "commands": list(self.commands),
            "warns": self.warns,
            "carries": list(self.carries),
            "position": self.position,
            "proposed": self.proposed,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A board at which an infraction waits.

    Attributes:
        position: What holds now, in the board's own words.
        ply: Plies played.
        phase: Phase of the table.
        nth: Which of the offender's in this event it is, from 1.
        step: Which warning would be his next.
        conduct: The options of the event.
    """

    position: Mapping[str, Any]
    ply: int
    phase: str
    nth: int
    step: WarningStep
    conduct: Conduct


@dataclass(frozen=True, slots=True)
class Drawn:
    """An infraction ready to be drawn.

    Attributes:
        before: The position before it, as JSON; None: the board told none.
        seen: The stones at the twenty places, None where unread.
        due: What was due: move, path and stones; None: a move is still to be made.
        offers: The buttons, the proposal first.
        late: Whether it is claimed too late by presses that the board, which counts final plies, leaves out.
    """

    before: dict[str, Any] | None
    seen: Sequence[int | None]
    due: dict[str, Any] | None
    offers: tuple[Offer, ...] = field(default=())
    late: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "before": self.before,
            "seen": list(self.seen),
            "due": self.due,
            "offers": [offer.as_json() for offer in self.offers],
            "late": self.late,
        }


def drawn(seen: Infraction, scene: Scene) -> Drawn:
    """Return an infraction with what can be decided about it; evidence that makes no sense is left out."""
    evidence = seen.evidence
    before = _position(evidence.get("before"))
    stones = evidence.get("seen")
    if not (isinstance(stones, list) and len(stones) == PLACES):
        stones = []
    due = _due(evidence.get("due"), before)
    base = before or _position(scene.position)
    since = _since(seen, scene)
    ruling = rule_sowing(scene.conduct, _offence(seen, scene, _replies(seen, since)), scene.step)
    offers = () if base is None else _offers(seen, scene, ruling, base, due, stones)
    return Drawn(
        None if before is None else position_to_json(before),
        stones,
        None if due is None else _told(due),
        tuple(replace(offer, proposed=place == 0) for place, offer in enumerate(offers)),
        late=not since and ruling.code is Code.SOWING_CLAIMED_LATE and not _by_people(seen),
    )


def _since(seen: Infraction, scene: Scene) -> int:
    return max(0, scene.ply - seen.ply)


def _position(value: object) -> Position | None:
    if not isinstance(value, Mapping):
        return None
    try:
        return position_from_json({key: value.get(key) for key in ("pits", "kazans", "tuzdyks", "to_move")})
    except RulesError:
        return None


def _due(text: object, before: Position | None) -> Sowing | None:
    if before is None or not isinstance(text, str):
        return None
    try:
        return parse_short(text, before)
    except RulesError:
        return None


def _told(due: Sowing) -> dict[str, Any]:
    return {
        "text": format_short(due),
        "side": due.side.value,
        "number": due.number,
        "path": list(due.path),
        "captured": due.captured,
        "tuzdyk": due.tuzdyk,
        "after": position_to_json(due.after),
    }


def _offers(
    seen: Infraction,
    scene: Scene,
    ruling: SowingRuling,
    base: Position,
    due: Sowing | None,
    stones: Sequence[int | None],
) -> tuple[Offer, ...]:
    lead = _lead(scene, base)
    since = _since(seen, scene)
    if lead is None and since == 0:
        return (_closing(seen, "dismissed"),) if not seen.reopened else ()
    faults = {fault for fault in Fault if fault.value in seen.faults}
    rulings = [ruling, *(each for each in ruling.alternatives if isinstance(each, SowingRuling))]
    made = [_ruled(seen, scene, each, lead or (), base, due, since) for each in rulings]
    by_code = {offer.code: offer for offer in reversed(made) if offer is not None}
    restored = by_code.get("restored") or _ruled(
        seen, scene, _plain(ruling, Ends.RESTORE), lead or (), base, due, since
    )
    if _by_people(seen):
        taken_back = (restored,) if since and restored is not None else ()
        said = () if seen.reopened else (_closing(seen, "warned", warns=True), _closing(seen, "dismissed"))
        return (*taken_back, *said)
    offers = [offer for offer in by_code.values() if offer.code != "stands"][::-1]
    if faults & OF_PRESSES and due is None and restored is not None:
        offers = [restored, *(offer for offer in offers if offer.code != "restored")]
    lies_right = due is not None and tuple(stones) == board_of(due.after)
    by_hand = bool(faults) and faults <= _BY_HAND and (due is None or lies_right)
    warned = [] if seen.reopened else [_closing(seen, "warned", warns=True)]
    offers = [*warned, *offers] if by_hand else [*offers, *warned]
    stands = [by_code["stands"]] if "stands" in by_code and _can_stand(base, stones) else []
    dismissed = [] if seen.reopened else [_closing(seen, "dismissed")]
    if ruling.in_time or (by_hand and not since):
        return (*offers, *stands, *dismissed)
    # The claim comes too late (94): what is proposed is to leave it as it is, on the board or else in words.
    if stands:
        return (*stands, *offers, *dismissed)
    return (*(replace(each, articles=ruling.articles) for each in dismissed), *offers)


def _replies(seen: Infraction, since: int) -> int:
    """Return how many plies were completed after an infraction, final or only pressed.

    Who presses back where nobody had moved replies to nothing.
    """
    pressed = any(fault.value in seen.faults for fault in OF_PRESSES)
    return since if pressed else max(since, seen.presses)


def _by_people(seen: Infraction) -> bool:
    """Return whether words or a seal tell it, and no stones: a ply against it is all that is put right."""
    return bool(seen.faults) and offence_of(seen.faults[0]) in OF_PEOPLE


def _plain(ruling: SowingRuling, ends: Ends) -> SowingRuling:
    return SowingRuling(code=ruling.code, articles=ruling.articles, side=ruling.side, ends=ends, in_time=True)


def _offence(seen: Infraction, scene: Scene, since: int) -> SowingOffence:
    known = next((fault for fault in Fault if fault.value == (seen.faults or ("",))[0]), None)
    article = ARTICLES[known][0] if known is not None else ""
    return SowingOffence(
        offender=Side(seen.side),
        speaker=Speaker.ARBITER,
        nth=scene.nth,
        plies_since=since,
        phase=Phase(scene.phase) if scene.phase in {phase.value for phase in Phase} else Phase.PLAYING,
        offence=_BY_ARTICLE.get(article, Offence.ILLEGAL_SOWING),
    )


def _lead(scene: Scene, base: Position) -> tuple[Command, ...] | None:
    """Return what brings the board's position to the one the infraction began in; None: nothing known does.

    A legal ply may lie on the board, pressed and not yet final, under the one that went wrong.
    """
    now = _position(scene.position)
    if now is None:
        return None
    if now == base:
        return ()
    for number in legal_moves(now):
        sowing = play(now, number)
        if sowing.after == base:
            return ({"do": "enter", "moves": format_short(sowing)},)
    return None


def _ruled(  # noqa: PLR0913, PLR0917 - a button with all that it depends on
    seen: Infraction,
    scene: Scene,
    ruling: SowingRuling,
    lead: tuple[Command, ...],
    base: Position,
    due: Sowing | None,
    since: int,
) -> Offer | None:
    """Return the button of a ruling; None where the board could not carry it out."""
    rule: Command = {"do": "rule"}
    position, carries = base, seen.evidence.get("to_before") or ()
    if ruling.ends is Ends.CORRECT:
        if due is None or since:
            return None
        rule |= {"decision": "corrected", "number": due.number}
        position, carries = due.after, seen.evidence.get("to_due") or ()
    elif ruling.ends is Ends.LET_STAND:
        if since:
            return None
        rule |= {"decision": "stands"} | ({} if due is None else {"number": due.number})
        rule |= _as_it_lay(seen, base)
        carries = ()
    else:
        rule |= {"decision": "restored", "take_back": since}
    if not seen.reopened:
        rule["infraction"] = seen.number
    rule["reason"] = " ".join((*ruling.articles[:1], *seen.faults[:1]))
    stop = ruling.clock is ClockAction.STOP and scene.phase == Phase.PLAYING.value
    first: tuple[Command, ...] = ({"do": "suspend", "reason": "arbiter"},) if stop else ()
    return Offer(
        code=str(rule["decision"]),
        articles=ruling.articles,
        commands=(*first, *lead, rule),
        warns=bool(ruling.warns),
        carries=carries if isinstance(carries, list) else (),
        position=None if ruling.ends is Ends.LET_STAND else position_to_json(position),
    )


def _as_it_lay(seen: Infraction, base: Position) -> Command:
    """Return the position of a sowing that stands as it was seen: more may have been played on it since.

    {} where not every place was read: then the board says what lies there now, or refuses.
    """
    stones = seen.evidence.get("seen")
    if not (isinstance(stones, list) and len(stones) == PLACES) or None in stones or sum(stones) != STONES:
        return {}
    lay = Position(tuple(stones[:-2]), (stones[-2], stones[-1]), base.tuzdyks, base.to_move.opponent)
    return {"position": position_to_json(lay)}


def _can_stand(base: Position, stones: Sequence[int | None]) -> bool:
    """Whether the board knows what lies there well enough to let it stand, and it is another position."""
    return bool(stones) and None not in stones and tuple(stones) != board_of(base)


def _closing(seen: Infraction, closing: str, *, warns: bool = False) -> Offer:
    return Offer(
        code=closing,
        articles=("2.4.6",) if warns else (),
        commands=(
            {
                "do": "close",
                "closing": closing,
                "infraction": seen.number,
                "reason": " ".join(seen.faults[:1]),
            },
        ),
        warns=warns,
    )

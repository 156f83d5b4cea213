"""What the console is told of a board, as plain values. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from firmware_bridge.hall.console.attention import Attention, Infraction
from firmware_bridge.hall.console.event import nth_offence, representative_of, step_of, step_told
from firmware_bridge.hall.console.offers import Scene, drawn
from firmware_bridge.hall.console.proposals import proposals, sheets, time_penalties
from firmware_bridge.hall.console.urgency import LOUD, RANKS, Need, need_of, waiting_since
from firmware_bridge.hall.ledger.event_values import NO_BOOK, Book
from firmware_bridge.hall.ledger.values import Fixture, Ruling
from firmware_bridge.wire.version import CONTRACT_VERSION, SOFTWARE, difference
from rules.conduct.faults import offence_of
from rules.conduct.flag_calls import FlagCall, flag_called
from rules.conduct.ladder import WarningStep
from rules.conduct.offences import articles_of
from rules.conduct.options import Conduct
from rules.conduct.proposal import Proposal, Speaker
from rules.position import Side
from rules.tournament.entries import named

SHOWN_RULINGS: Final = 8

_CARRIES: Final[Mapping[str, str]] = {"corrected": "to_due", "restored": "to_before"}
"""Where the evidence says which stones a decision wants carried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Everything the hall knows of one board.

    Attributes:
        board: Its id.
        snapshot: As viewers get it.
        attention: What its events say.
        fixture: Its game in the ledger; None: it is not there.
        planned: The next game planned for it; None: none.
        rulings: Orders to it, the newest first.
        conduct: The options of the event.
        book: What the ledger holds of games and people.
        now_ms: Wall time.
        advice: What the board itself proposes.
    """

    board: str
    snapshot: Mapping[str, Any]
    attention: Attention
    fixture: Fixture | None
    planned: Fixture | None
    rulings: Sequence[Ruling]
    conduct: Conduct
    book: Book = NO_BOOK
    now_ms: int = 0
    advice: Sequence[Mapping[str, Any]] = ()


def need(known: Known) -> Need:
    """Return what a board needs most."""
    status = None if known.fixture is None else known.fixture.status
    return need_of(known.attention, known.snapshot["state"], known.snapshot["presence"], status)


def board_view(known: Known) -> dict[str, Any]:
    """Return a board as the console shows it."""
    state, attention = known.snapshot["state"], known.attention
    wanted = need(known)
    names = _names(known)
    steps = [_step(known, name) for name in names]
    return {
        "board": known.board,
        "need": wanted,
        "rank": RANKS[wanted],
        "loud": wanted in LOUD,
        "since_ms": waiting_since(attention, wanted),
        "presence": known.snapshot["presence"],
        "state": state,
        "names": names,
        "infractions": [_infraction(each, known, attention, steps) for each in attention.infractions],
        "lay": _lay(known) if wanted in ("put_right", "suspended") else [],
        "called": None if attention.called is None else asdict(attention.called),
        "draw": {"open": attention.draw_open, "offers": list(attention.draws)},
        "confirmed": list(attention.confirmed),
        "sealed": None if attention.sealed is None else asdict(attention.sealed),
        "opened": None if attention.opened is None else asdict(attention.opened),
        "flag": _flag(known),
        "steps": [step.level for step in steps],
        "ladder": [
            step_told(step, representative_of(known.book, name))
            for step, name in zip(steps, names, strict=True)
        ],
        "proposals": proposed(known),
        "advice": [dict(each) for each in known.advice],
        "penalty": time_penalties(known.conduct, state),
        "sheets": sheets(known.conduct),
        "warned": [[each.as_json() for each in known.book.warnings if each.person == name] for name in names],
        "rulings": [each.as_json() for each in known.rulings[:SHOWN_RULINGS]],
        "fixture": None if known.fixture is None else known.fixture.as_json(),
        "planned": None if known.planned is None else known.planned.as_json(),
        "version": _version(known.snapshot["meta"]),
    }


def _version(meta: Mapping[str, Any] | None) -> dict[str, str] | None:
    """Return how a board's program differs from this hall's, and what each is; None: in nothing it tells."""
    if meta is None:
        return None
    contract, software = meta.get("contract", ""), meta["software"]
    kind = difference(contract, software)
    if kind is None:
        return None
    theirs, ours = (software, SOFTWARE) if kind == "software" else (contract, CONTRACT_VERSION)
    return {"kind": kind, "theirs": theirs, "ours": ours}


def proposed(known: Known) -> list[dict[str, Any]]:
    """Return what is proposed beside the infractions that wait (`proposals.proposals`)."""
    return proposals(known.conduct, known.attention, known.fixture, _names(known), known.book, known.now_ms)


def _names(known: Known) -> list[str]:
    state = known.snapshot["state"]
    return ["", ""] if state is None else [named(name) for name in state["names"]]


def _step(known: Known, name: str) -> WarningStep:
    round_number = known.fixture.round if known.fixture else 0
    game = known.attention.game
    return step_of(known.book.warnings, name, known.conduct, round_number=round_number, game=game)


def _infraction(
    seen: Infraction, known: Known, attention: Attention, steps: Sequence[WarningStep]
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "number": seen.number,
        "side": seen.side,
        "codes": list(seen.faults),
        "faults": faults_of(seen),
        "confidence": seen.evidence.get("confidence"),
        "second": seen.evidence.get("second"),
        "clock": seen.evidence.get("clock"),
        "ply": seen.ply,
        "at_ms": seen.at_ms,
        "settled": seen.settled,
        "by": seen.by,
        "reopened": seen.reopened,
        "drawn": None,
        "step": steps[Side(seen.side).index].level,
    }
    state = known.snapshot["state"]
    if seen.settled is None and state is not None:
        scene = Scene(
            position=state["position"],
            ply=state["ply"],
            phase=state["phase"],
            nth=nth_offence(known.book, _names(known)[Side(seen.side).index], attention.game, seen.number),
            step=steps[Side(seen.side).index],
            conduct=known.conduct,
        )
        told["drawn"] = drawn(seen, scene).as_json()
    return told


def _lay(known: Known) -> list[Any]:
    """Return the stones that the last ruling wants carried, until the board shows them so."""
    state = known.snapshot["state"]
    decided = [each for each in known.attention.infractions if each.settled in _CARRIES]
    if not decided or not known.attention.lays_anew or state["watch"]["sensed"] == "matches":
        return []
    found = decided[-1].evidence.get(_CARRIES[str(decided[-1].settled)])
    return list(found) if isinstance(found, list) else []


def faults_of(seen: Infraction) -> list[dict[str, Any]]:
    """Return the faults as the evidence has them, with places; else their codes and what forbids them."""
    found = seen.evidence.get("faults")
    if isinstance(found, list) and all(isinstance(each, dict) and "fault" in each for each in found):
        return [dict(each) for each in found]
    told = {"offender": seen.side, "pit": None, "stones": None}
    return [{"fault": code, **told, "articles": list(_articles(code))} for code in seen.faults]


def _articles(code: str) -> tuple[str, ...]:
    """Return what forbids something that people said; () of a code that nobody here knows."""
    offence = offence_of(code)
    return articles_of(offence) if offence.value == code else ()


def _flag(known: Known) -> dict[str, Any] | None:
    """Return what a fallen flag gives if the arbiter calls it; None: none is down."""
    state = known.snapshot["state"]
    clock = None if state is None else state["clock"]
    if clock is None or not any(clock["flagged"]) or state["phase"] not in ("playing", "suspended"):
        return None
    first = clock.get("first_flag")
    quota = clock.get("moves_to_quota") or (None, None)
    down = [side.index for side in Side if clock["flagged"][side.index]]
    call = FlagCall(
        speaker=Speaker.ARBITER,
        flags=(clock["flagged"][0], clock["flagged"][1]),
        kazans=(state["position"]["kazans"][0], state["position"]["kazans"][1]),
        first=None if first is None else Side(first),
        to_check=any(quota[index] for index in down),
    )
    return _proposal(flag_called(known.conduct, call)) | {
        "sides": [list(Side)[index].value for index in down]
    }


def _proposal(proposal: Proposal) -> dict[str, Any]:
    return {
        "code": proposal.code.value,
        "articles": list(proposal.articles),
        "side": None if proposal.side is None else proposal.side.value,
        "score": proposal.result,
        "reason": proposal.reason,
        "adds_s": [add // 1_000_000 for add in proposal.adds_us],
        "alternatives": [_proposal(each) for each in proposal.alternatives],
    }

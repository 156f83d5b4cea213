"""What the law of conduct proposes at a table now: to whom, with which articles, as values (pure).

Asked of the game as it is folded, and of what the event has chosen. Nothing is carried out here, and nothing
is remembered: what is open in the game is proposed about, and what is decided is proposed about no more.

| open in the game                      | asked of `rules.conduct`                | about        |
| ------------------------------------- | --------------------------------------- | ------------ |
| an infraction of stones               | `sowing.rule_sowing`                    | `infraction` |
| one of hands or clock                 | `offences.breach`                       | `infraction` |
| a groundless call of the arbiter      | `clock_stops.stop_judged`               | `infraction` |
| a sealed move that is none            | `adjournment.bad_move`                  | `infraction` |
| another move than the sealed one      | `adjournment.other_move_played`         | `infraction` |
| a sealed move that is to be played    | `adjournment.move_binds`                | `seal`       |
| a game that has not begun             | `opening.opened`                        | `start`      |
| a flag at a quota of moves            | `flag_calls.check_quota`                | `quota`      |
| a flag                                | `flag_calls.flag_called`, `at_zero`     | `flag`       |
| a player who waits for the arbiter    | `clock_stops.stopped_for_arbiter`       | `call`       |
| a complaint about the set-up          | `opening.setup_complaint`               | `setup`      |
| an offer at the wrong moment          | `draws.offer_draw`                      | `draw`       |
| less than five minutes                | `writing.who_writes`                    | `writing`    |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from rules.clock import ClockState, Pair, moves_to_quota, remaining_us
from rules.conduct.adjournment import bad_move, move_binds, other_move_played
from rules.conduct.clock_stops import stop_judged, stopped_for_arbiter
from rules.conduct.codes import Code
from rules.conduct.draws import OfferMoment, offer_draw
from rules.conduct.faults import SOWINGS, offence_of
from rules.conduct.flag_calls import FlagCall, at_zero, check_quota, flag_called
from rules.conduct.handling import pressed
from rules.conduct.ladder import LADDER
from rules.conduct.offences import Offence, breach
from rules.conduct.opening import opened, setup_complaint
from rules.conduct.options import Conduct
from rules.conduct.proposal import ClockAction, Proposal, Speaker
from rules.conduct.sowing import SowingOffence, rule_sowing
from rules.conduct.writing import who_writes
from rules.infractions.kinds import ARTICLES, Fault, fault_of
from rules.phases import Phase
from rules.position import Side
from rules.state import Game, Incident
from rules.time_control import ClockMode

SETUP_COMPLAINT = "setup_complaint"
"""Why a game rests whose players doubt how the stones lay at the start."""

CALLED = "call"
"""Why a game rests in which a player has called the arbiter (2.7.15)."""


@dataclass(frozen=True, slots=True)
class Open:
    """What lies before the arbiter of a table.

    Attributes:
        game: The game.
        conduct: What the event has chosen.
        at_us: Table time.
        held: In whose hands stones are.
        misplaced: Who has offered a draw at the wrong moment just now; None: nobody.
    """

    game: Game
    conduct: Conduct
    at_us: int
    held: frozenset[Side] = frozenset()
    misplaced: Side | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """One proposal.

    Attributes:
        about: What it is about.
        proposal: What is proposed; its alternatives follow as advice of their own.
        infraction: The number of the infraction it is about; None: none.
        instead: It is an alternative to the first before it about the same.
    """

    about: str
    proposal: Proposal
    infraction: int | None = None
    instead: bool = False


def advice(table: Open) -> tuple[Advice, ...]:
    """Return what is proposed now, the most urgent first; () while nothing is open."""
    parts = _PARTS.get(table.game.phase, ())
    return tuple(line for part in parts for each in part(table) for line in with_alternatives(each))


def with_alternatives(first: Advice) -> Iterator[Advice]:
    """Yield a proposal, and what else lies in the hand of who decides."""
    yield first
    for proposal in first.proposal.alternatives:
        yield replace(first, proposal=proposal, instead=True)


def _dials_us(table: Open) -> Pair:
    clock = table.game.clock
    assert clock is not None, "a game that is played has one"
    first, second = (remaining_us(clock, side, table.at_us) for side in Side)
    return first, second


# --- infractions ----------------------------------------------------------------------------------


def _infractions(table: Open) -> Iterator[Advice]:
    for incident in table.game.open_incidents:
        yield Advice("infraction", _of_incident(table, incident), incident.number)


def _of_incident(table: Open, incident: Incident) -> Proposal:
    """Return what is proposed about one infraction, by the gravest of its faults."""
    code, side = incident.faults[0], incident.side
    offence = offence_of(code)
    if offence in SOWINGS:
        return _of_sowing(table, incident, offence)
    if offence is Offence.STOPPED_CLOCK_GROUNDLESSLY:
        running = table.game.suspended_running or table.game.position.to_move
        judged = stop_judged(table.conduct, side, running, _dials_us(table), groundless=True)
        return judged if table.game.phase is Phase.SUSPENDED else _running_on(judged)
    if offence is Offence.SEALED_MOVE_BAD:
        return bad_move(table.conduct, side)
    if offence is Offence.SEALED_MOVE_NOT_PLAYED:
        return other_move_played(side)
    if code == Fault.PRESSED_WITHOUT_MOVE.value:
        return pressed(table.conduct, side, moved=False, stones_in_hand_ms=0)
    found = breach(offence, side)
    fault = fault_of(code)
    return found if fault is None else replace(found, articles=(*ARTICLES[fault], "2.4.6"))


def _running_on(judged: Proposal) -> Proposal:
    return replace(judged, clock=ClockAction.KEEP, runs=None)


def _of_sowing(table: Open, incident: Incident, offence: Offence) -> Proposal:
    game, side = table.game, incident.side
    earlier = [
        each
        for each in game.incidents[: incident.number]
        if each.side is side and each.settled != "dismissed" and offence_of(each.faults[0]) in SOWINGS
    ]
    told = SowingOffence(
        offender=side,
        speaker=Speaker.BOARD,
        nth=max(1, len(earlier)),
        plies_since=max(0, len(game.plies) - incident.ply, _pressed_since(game, incident)),
        phase=game.phase,
        reply_begun=side.opponent in table.held,
        offence=offence,
    )
    return rule_sowing(table.conduct, told, LADDER[min(game.warnings[side.index], len(LADDER) - 1)])


def _pressed_since(game: Game, incident: Incident) -> int:
    """Return how many presses came behind the offender's: no ply becomes final on a board that lies wrong."""
    pending, side = game.pending_presses, incident.side
    if incident.ply != len(game.plies) or side not in pending:
        return 0
    return len(pending) - pending.index(side) - 1


# --- the clock ------------------------------------------------------------------------------------


def _flags(table: Open) -> Iterator[Advice]:
    """Yield what fallen flags give: the moves are checked first at a quota (2.7.13), then it is called."""
    game = table.game
    clock = game.clock
    if clock is None or not any(game.flags):
        return
    to_check = [side for side in Side if _quota_open(game, clock, side)]
    rests = game.phase is Phase.SUSPENDED
    for side in to_check:
        if rests:
            made = sum(ply.side is side for ply in game.plies)
            checked = check_quota(clock, side, made)
            assert checked is not None, "a quota is open"
            yield Advice("quota", checked)
    found = flag_called(table.conduct, _call(game, to_check=bool(to_check) and not rests))
    if found.code is Code.FLAG_CHECK_MOVES:
        yield Advice("quota", replace(found, side=to_check[0] if len(to_check) == 1 else None))
    elif any(called for side, called in zip(Side, game.flags_called, strict=True) if game.flags[side.index]):
        yield Advice("flag", found)
    else:
        down = [side for side in Side if game.flags[side.index]]
        zero = at_zero(game.first_flag or down[0])
        yield Advice("flag", replace(zero, alternatives=(found, *found.alternatives)))


def _quota_open(game: Game, clock: ClockState, side: Side) -> bool:
    return game.flags[side.index] and moves_to_quota(clock, side) is not None


def _call(game: Game, *, to_check: bool) -> FlagCall:
    """Return the call of what is down, by somebody who is heard: who is not has been refused (2.9.9)."""
    return FlagCall(
        speaker=Speaker.ARBITER,
        flags=game.flags,
        kazans=game.position.kazans,
        kazans_before=_kazans_before(game),
        first=game.first_flag,
        to_check=to_check,
    )


def _kazans_before(game: Game) -> Pair | None:
    """Return the kazans before the move during which the flag fell; None: it is not completed yet (2.9.8)."""
    side = game.first_flag
    ply = None if side is None else game.flag_plies[side.index]
    if ply is None or ply >= len(game.plies):
        return None
    return game.plies[ply].before.kazans


def _calls(table: Open) -> Iterator[Advice]:
    game = table.game
    if game.phase is Phase.SUSPENDED and game.suspended_reason == SETUP_COMPLAINT and game.caller is not None:
        yield Advice("setup", setup_complaint(table.conduct, game.caller, started=True))
    elif game.called and game.caller is not None:
        running = game.suspended_running or game.position.to_move
        dials_us = _dials_us(table)
        heard = tuple(
            stop_judged(table.conduct, game.caller, running, dials_us, groundless=groundless)
            for groundless in (False, True)
        )
        yield Advice("call", replace(stopped_for_arbiter(game.caller), alternatives=heard))


# --- offers, seals, sheets ------------------------------------------------------------------------


def _seal(table: Open) -> Iterator[Advice]:
    if table.game.sealed_number is not None:
        yield Advice("seal", move_binds(table.game.position.to_move))


def _draw(table: Open) -> Iterator[Advice]:
    if table.misplaced is not None:
        found = offer_draw(table.conduct, table.game, table.misplaced, OfferMoment.AFTER_PRESS)
        if found.code is Code.DRAW_OFFER_MISPLACED:
            yield Advice("draw", found)


def _writing(table: Open) -> Iterator[Advice]:
    """Yield who need not write any more (2.3.5, 2.7.17); nothing while both have to, nor in rapid."""
    clock = table.game.clock
    if clock is None or clock.control.mode is ClockMode.NONE:
        return
    last = tuple(clock.period[side.index] + 1 >= len(clock.control.periods) for side in Side)
    duty = who_writes(table.conduct, _dials_us(table), (last[0], last[1]))
    if duty.code not in (Code.BOTH_WRITE, Code.NO_SHEETS):
        yield Advice("writing", duty)


# --- before the first move --------------------------------------------------------------------------


def _start(table: Open) -> Iterator[Advice]:
    """Yield what the start waits for; the announcement has not come while the game has not begun."""
    game = table.game
    found = opened(table.conduct, announced=False, ready=game.ready, setup_ok=game.setup_ok)
    if found.code is not Code.START_CLOCK:
        yield Advice("start", found)


def _waits(table: Open) -> Iterator[Advice]:
    """Yield that a player waits for the arbiter, as one does who doubts the set-up: no clock runs yet."""
    if table.game.called and table.game.caller is not None:
        yield Advice("call", replace(stopped_for_arbiter(table.game.caller), clock=ClockAction.KEEP))


_Part: TypeAlias = Callable[[Open], Iterator[Advice]]
_PLAYED: tuple[_Part, ...] = (_infractions, _flags, _calls, _seal, _draw, _writing)
_WAITING: tuple[_Part, ...] = (_waits, _start)
_PARTS: Mapping[Phase, tuple[_Part, ...]] = {
    Phase.SETTING_UP: _WAITING,
    Phase.READY: _WAITING,
    Phase.PLAYING: _PLAYED,
    Phase.SUSPENDED: _PLAYED,
}
"""What is asked of the law in each phase, the most urgent first; in any other nothing."""

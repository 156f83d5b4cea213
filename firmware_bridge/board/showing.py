"""What a board tells its table's page: the table as players may see it (pure).

What has no route to the page is left out here, and never leaves the board's process (house law 8).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from firmware_bridge.board.alerts import Alert, Alerts, Kind
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.wire.payloads import StatePayload
from firmware_bridge.wire.table_view import (
    MAX_ALERTS,
    MAX_CARRIES,
    MAX_FAULTS,
    AlertPart,
    CarryPart,
    TableView,
)
from rules.conduct.faults import by_people
from rules.conduct.options import Remedy
from rules.errors import RulesError
from rules.game import Game
from rules.infractions.corrections import Carry, carries
from rules.notation.moves import parse_short
from rules.position import START, Position, Side, play
from rules.position_json import position_from_json

Goal = Literal["due", "before", "ruled", "start"]


@dataclass(frozen=True, slots=True)
class Lying:
    """What is known of the stones, for whoever is told how to put them right.

    Attributes:
        infractions: What each infraction rests on, by its number.
        stones: Tells what lies at the twenty places; None where it cannot be told, () where nobody looked.
        remedy: Whether an illegal sowing is corrected, or the position before it restored.
    """

    infractions: Mapping[int, Mapping[str, Any]]
    stones: Callable[[], Sequence[int | None]]
    remedy: Remedy


def table_view(
    state: StatePayload, game: Game, told: Sequence[Alert], alerts: Alerts, lying: Lying
) -> TableView:
    """Return what the table's page may show.

    Args:
        state: The table as it is published.
        game: The game it is of.
        told: What there is to be told, the most urgent first.
        alerts: Who is told of what.
        lying: What is known of the stones.
    """
    on_page = alerts.on(told, "page")
    sensed = state.watch.sensed
    if sensed == "differs" and not any(alert.kind in _OF_STONES for alert in on_page):
        sensed = "moving"
    return TableView(
        board=state.board,
        phase=state.phase,
        names=state.names,
        starter_seat=state.starter_seat,
        to_move=state.position.to_move,
        ply=state.ply,
        last=game.plies[-1].text if game.plies else "",
        ready=state.ready,
        clock=state.clock,
        result=state.result,
        confirmed=game.confirmed,
        pause=state.pause,
        sensed=sensed,
        draw=_side_name(game.draw_open),
        alerts=tuple(_alert(alert, game, lying) for alert in on_page[:MAX_ALERTS]),
    )


_OF_STONES = frozenset({Kind.INFRACTION, Kind.RESTORE, Kind.DIFFERS, Kind.SETUP})


def _alert(alert: Alert, game: Game, lying: Lying) -> AlertPart:
    side = _side_name(alert.side)
    if alert.kind not in _OF_STONES:
        return AlertPart(kind=alert.kind.value, side=side)
    evidence = lying.infractions.get(alert.number or 0, {})
    incident = next((each for each in game.incidents if each.number == alert.number), None)
    faults = () if incident is None else incident.faults
    if incident is not None and by_people(incident.faults):
        return AlertPart(kind=alert.kind.value, side=side, faults=faults[:MAX_FAULTS])
    goal, move, position = _goal(alert.kind, evidence, game, lying.remedy)
    way = _way(lying.stones(), position)
    return AlertPart(
        kind=alert.kind.value,
        side=side,
        faults=faults[:MAX_FAULTS],
        goal=goal,
        move=move,
        way=() if way is None else tuple(_carry(carry) for carry in way[:MAX_CARRIES]),
        known=way is not None,
    )


def _side_name(side: Side | None) -> Any:
    return None if side is None else side.value


def _goal(kind: Kind, evidence: Mapping[str, Any], game: Game, remedy: Remedy) -> tuple[Goal, str, Position]:
    """Return what the stones are to be brought to, with the move that leads there, if one does."""
    if kind is Kind.SETUP:
        return "start", "", START
    if kind is not Kind.INFRACTION:
        return "ruled", "", game.position
    try:
        before = position_from_json(evidence["before"])
        due = evidence.get("due")
        if remedy == "correct" and isinstance(due, str):
            number = parse_short(due, before).number
            return "due", due, play(before, number).after
    except (KeyError, RulesError):
        return "before", "", game.position  # written by another version, or by hand
    return "before", "", before


def _way(stones: Sequence[int | None], goal: Position) -> tuple[Carry, ...] | None:
    """Return which stones to carry, () where none are; None where too little can be read to say."""
    seen = [count for count in stones if count is not None]
    if not seen or len(seen) != len(stones):
        return None
    return carries(seen, stones_due(goal))


def _carry(carry: Carry) -> CarryPart:
    return CarryPart(source=carry.source, target=carry.target, stones=carry.stones)

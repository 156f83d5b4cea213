"""What a board lets its table's page show: only what has a route there, and how to put stones right."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.board.alerts import Alerts, Kind, Said
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.incident_inputs import Call, Rule
from firmware_bridge.board.inputs import Step
from firmware_bridge.board.memory.telling import Identity, Moment, state_payload, watch_part
from firmware_bridge.board.showing import Lying, table_view
from firmware_bridge.wire.table_view import CarryPart, TableView
from rules.conduct.options import Remedy
from rules.game import InfractionSeen, MovePlayed, PositionRuled
from rules.position import START, play
from tests.firmware_bridge.board.paper import PaperBoard, assigned, playing

ON_PAGE = {kind: frozenset({"page"}) for kind in Kind}
SILENT: dict[Kind, frozenset[str]] = {}
WRONG = {14: 10, 18: -10}
"""The capture of 7:6 left lying."""


class Shown:
    """A board on paper with its page."""

    def __init__(
        self, board: PaperBoard, routes: dict[Kind, frozenset[str]], remedy: Remedy = "correct"
    ) -> None:
        """Show `board`."""
        self.board, self.remedy = board, remedy
        self.alerts = Alerts(routes)

    def view(self) -> TableView:
        """Return what the page may show now."""
        session = self.board.session
        ruled = [at for at, event in enumerate(self.board.events) if isinstance(event, PositionRuled)]
        moved = [at for at, event in enumerate(self.board.events) if isinstance(event, MovePlayed)]
        owed = ruled[-1] if ruled and ruled[-1:] > moved[-1:] else None
        when = Moment(1, self.board.now_us, 1, 1.0, 1)
        state = state_payload(Identity("e", "b", 1), when, session.game, watch_part(session.watch), None)
        seen = {e.infraction: e.evidence for e in self.board.events if isinstance(e, InfractionSeen)}
        lying = Lying(seen, session.stones_now, self.remedy)
        told = self.alerts.raised(session.game, session.watch, Said(ruled=owed))
        return table_view(state, session.game, told, self.alerts, lying)


def offended() -> PaperBoard:
    """Return a board on which bastaushy has pressed with his capture left lying."""
    board = playing()
    stones = list(stones_due(play(START, 7).after))
    for place, more in WRONG.items():
        stones[place] += more
    board.put(stones)
    board.wait(1)
    board.press(board.session.game.position.to_move)
    board.wait(5)
    return board


def test_without_a_route_the_page_hears_nothing_of_wrong_stones() -> None:
    """Not even that they differ: no code, no place, no number of stones leaves the board's process."""
    view = Shown(offended(), SILENT).view()
    assert view.alerts == ()
    assert view.sensed == "moving"
    assert "capture_not_taken" not in view.model_dump_json()


def test_that_they_differ_goes_the_way_of_what_is_wrong_with_them() -> None:
    """With an alert about stones, and not with one about anything else."""
    board = offended()
    assert Shown(board, ON_PAGE).view().sensed == "differs"
    board.take(Call(at_us=board.now_us))
    view = Shown(board, SILENT).view()
    assert ([alert.kind for alert in view.alerts], view.sensed) == (["call"], "moving")


def test_with_one_it_says_what_is_wrong_and_how_to_put_it_right() -> None:
    """The fault, the move that was due, and which stones go where."""
    (alert,) = Shown(offended(), ON_PAGE).view().alerts
    assert (alert.kind, alert.side, alert.faults) == ("infraction", "bastaushy", ("capture_not_taken",))
    assert (alert.goal, alert.move, alert.known) == ("due", "7:6", True)
    assert alert.way == (CarryPart(source=14, target=18, stones=10),)


def test_the_way_grows_shorter_as_stones_are_carried_and_ends_with_the_board() -> None:
    """It stands until the board shows what it should, and is gone then."""
    shown = Shown(offended(), ON_PAGE)
    board = shown.board
    stones = list(stones_due(play(START, 7).after))
    stones[14], stones[18] = 4, 6
    board.put(stones)
    board.wait(2)
    (alert,) = shown.view().alerts
    assert alert.way == (CarryPart(source=14, target=18, stones=4),)
    board.show(play(START, 7).after)
    board.wait(3)
    view = shown.view()
    assert view.alerts == ()
    assert (view.ply, view.last) == (1, "7:6")


def test_where_the_event_restores_the_way_leads_back() -> None:
    """Rapid play: the position before the sowing (regulations 94)."""
    (alert,) = Shown(offended(), ON_PAGE, "restore").view().alerts
    assert (alert.goal, alert.move) == ("before", "")
    stones = list(stones_due(play(START, 7).after))
    for place, more in WRONG.items():
        stones[place] += more
    for carry in alert.way:
        assert isinstance(carry.source, int)
        assert isinstance(carry.target, int)
        stones[carry.source] -= carry.stones
        stones[carry.target] += carry.stones
    assert tuple(stones) == stones_due(START)


def test_what_an_arbiter_decided_is_shown_until_it_lies_there() -> None:
    """A ruling is no secret: it goes to the page where nothing is configured."""
    shown = Shown(offended(), SILENT)
    board = shown.board
    step: Step = board.take(Rule(at_us=board.now_us, decision="restored", infraction=1))
    assert step.refusal == ""
    (alert,) = shown.view().alerts
    assert (alert.kind, alert.goal) == ("restore", "ruled")
    assert alert.way != ()
    board.show(START)
    board.wait(3)
    assert shown.view().alerts == ()


def test_a_place_that_cannot_be_read_is_not_guessed() -> None:
    """The page says to ask the arbiter instead of showing half a way."""
    board = offended()
    shown = Shown(board, ON_PAGE)
    board.session.stones_now = unknown(board)  # type: ignore[method-assign] # a cell nobody can count
    (alert,) = [each for each in shown.view().alerts if each.kind == "infraction"]
    assert (alert.way, alert.known) == ((), False)


def unknown(board: PaperBoard) -> Callable[[], tuple[int | None, ...]]:
    """Return what is seen of a board with one place unread."""
    stones = tuple(round(count) for count in board.stones)
    return lambda: (*stones[:3], None, *stones[4:])


def test_a_set_up_says_what_is_missing_where() -> None:
    """Before the game, from the beginning: it helps nobody more than the other."""
    board = assigned()
    stones = list(stones_due(START))
    stones[4], stones[5] = 8, 10
    board.put(stones)
    board.wait(2)
    (alert,) = Shown(board, SILENT).view().alerts
    assert (alert.kind, alert.goal) == ("setup", "start")
    assert alert.way == (CarryPart(source=5, target=4, stones=1),)
    board.show(START)
    board.wait(2)
    view = Shown(board, SILENT).view()
    assert (view.alerts, view.sensed) == ((), "matches")


def test_no_stones_of_a_pit_are_told() -> None:
    """A view has no position: only who is to move (house law 8)."""
    board = playing()
    board.play(7)
    fields = Shown(board, ON_PAGE).view().model_dump()
    assert "position" not in fields
    assert (fields["to_move"], fields["last"]) == ("qostaushy", "7:6")

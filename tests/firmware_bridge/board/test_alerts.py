"""Who is told of what, and by what: lamps, sounds, pages."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.alerts import (
    ROUTES,
    SOUNDS,
    USUAL_SOUND,
    Alert,
    Alerts,
    Kind,
    Route,
    Said,
    lamps,
    sound,
)
from firmware_bridge.board.inputs import Watch
from firmware_bridge.config import AlertsTable
from firmware_bridge.config_values import Routes
from firmware_bridge.layout import Seating, Wiring
from rules.game import Game, Incident, Phase
from rules.position import Side
from sensors import frames

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
SEATING = Seating(Wiring(), "a")
PLAYING = Game(phase=Phase.PLAYING)
WELL = Watch("matches")


def kinds(game: Game, watch: Watch = WELL, unsafe: str = "") -> list[Kind]:
    """Return what there is to be told."""
    return [alert.kind for alert in Alerts().raised(game, watch, Said(unsafe))]


def test_the_configuration_knows_the_same_kinds_routes_and_defaults() -> None:
    """What a file says nothing of goes as the board itself would have it."""
    written = {name: frozenset(routes) for name, routes in AlertsTable()}
    assert written == {kind.value: routes for kind, routes in ROUTES.items()}
    assert set(get_args(get_args(Routes)[0])) == set(get_args(Route))
    assert set(ROUTES) == set(Kind)


def test_all_is_silent_and_what_helps_a_player_goes_to_the_arbiter_alone() -> None:
    """House law 8, where nothing is configured."""
    assert not any("sound" in routes for routes in ROUTES.values())
    assert ROUTES[Kind.INFRACTION] == ROUTES[Kind.DIFFERS] == {"arbiter"}


@pytest.mark.parametrize(
    ("game", "watch", "unsafe", "told"),
    [
        (PLAYING, WELL, "", []),
        (PLAYING, WELL, "full", [Kind.UNSAFE]),
        (PLAYING, Watch("no_device"), "", [Kind.DEVICE]),
        (PLAYING, Watch("unreadable"), "", [Kind.UNREADABLE]),
        (replace(PLAYING, called=True), WELL, "", [Kind.CALL]),
        (replace(PLAYING, phase=Phase.SUSPENDED), WELL, "", [Kind.SUSPENDED]),
        (PLAYING, Watch("differs"), "", [Kind.DIFFERS]),
        (replace(PLAYING, phase=Phase.SETTING_UP), Watch("differs"), "", [Kind.SETUP]),
        (replace(PLAYING, phase=Phase.ENDED), Watch("differs"), "", []),
        (replace(PLAYING, flags=(False, True)), WELL, "", [Kind.FLAG]),
        (replace(PLAYING, draw_open=Q), WELL, "", [Kind.DRAW]),
        (
            replace(PLAYING, called=True, draw_open=B),
            Watch("no_device"),
            "x",
            [*list(Kind)[:2], Kind.CALL, Kind.DRAW],
        ),
    ],
)
def test_each_thing_is_told_the_most_urgent_first(
    game: Game, watch: Watch, unsafe: str, told: list[Kind]
) -> None:
    """And nothing else."""
    assert kinds(game, watch, unsafe) == told


def test_an_infraction_stands_until_it_is_decided_whatever_lies_there() -> None:
    """Then it is the rest that differs, if it does."""
    seen = Incident(1, B, ("stone_skipped",), 0)
    game = replace(PLAYING, incidents=(seen,))
    for watch in (Watch("differs"), WELL, Watch("moving")):
        assert Alerts().raised(game, watch, Said()) == (Alert(Kind.INFRACTION, B, 1),)
    decided = replace(game, incidents=(replace(seen, settled="dismissed"),))
    assert kinds(decided, Watch("differs")) == [Kind.DIFFERS]


def test_what_people_said_hides_nothing_of_the_stones() -> None:
    """An offer repeated waits for the arbiter, and the board that differs does too."""
    said = replace(PLAYING, incidents=(Incident(1, B, ("repeated_draw_offer",), 0),))
    assert kinds(said, Watch("differs")) == [Kind.INFRACTION, Kind.DIFFERS]


def test_a_ruled_position_is_asked_for_until_it_lies_there() -> None:
    """A hand over the board does not end it; once it matched, the next sowing does not bring it back."""
    alerts, ruled = Alerts(), Said(ruled=7)
    for sensed in ("differs", "moving", "unreadable"):
        told = [alert.kind for alert in alerts.raised(PLAYING, Watch(sensed), ruled)]
        assert Kind.RESTORE in told
    assert alerts.raised(PLAYING, WELL, ruled) == ()
    assert alerts.raised(PLAYING, Watch("moving"), ruled) == ()


def test_another_ruling_is_asked_for_again() -> None:
    """Whatever lay there for the one before."""
    alerts = Alerts()
    assert alerts.raised(PLAYING, WELL, Said(ruled=7)) == ()
    assert alerts.raised(PLAYING, Watch("moving"), Said(ruled=9)) == (Alert(Kind.RESTORE),)


def test_what_a_ruling_left_to_do_ends_when_the_journal_says_so() -> None:
    """A program started again begins with it as well."""
    alerts = Alerts()
    assert alerts.raised(PLAYING, Watch("moving"), Said(ruled=7)) == (Alert(Kind.RESTORE),)
    assert alerts.raised(PLAYING, Watch("moving"), Said()) == ()


def test_requirement_15_a_void_offer_is_shown_to_who_made_it() -> None:
    """By his own lamp, steadily, and on the page."""
    alerts = Alerts()
    told = alerts.raised(PLAYING, WELL, Said(misplaced=Q))
    assert told == (Alert(Kind.OFFER_VOID, Q),)
    assert lamps(alerts, told, SEATING) == (frames.LAMP_SIDE_B, 0)
    assert alerts.on(told, "page") == told


def test_lamps_say_who_is_meant() -> None:
    """A draw blinks before who is to answer, a call before the arbiter, a rest on the table."""
    alerts = Alerts()

    def lit(*told: Alert, seating: Seating = SEATING) -> tuple[int, int]:
        return lamps(alerts, told, seating)

    assert lit() == (0, 0)
    assert lit(Alert(Kind.DRAW, B)) == (0, frames.LAMP_SIDE_B)
    assert lit(Alert(Kind.DRAW, B), seating=Seating(Wiring(), "b")) == (0, frames.LAMP_SIDE_A)
    assert lit(Alert(Kind.CALL)) == (frames.LAMP_ATTENTION, frames.LAMP_ARBITER)
    assert lit(Alert(Kind.SUSPENDED)) == (0, frames.LAMP_ATTENTION)
    assert lit(Alert(Kind.INFRACTION, B, 1)) == (frames.LAMP_ARBITER, 0)
    assert lit(Alert(Kind.UNREADABLE)) == (frames.LAMP_ATTENTION | frames.LAMP_ARBITER, 0)
    assert lit(Alert(Kind.SETUP)) == (0, 0)


def test_an_alert_sounds_once_and_only_where_it_may() -> None:
    """When it comes up; the same one still there says nothing, and another infraction is another."""
    alerts = Alerts({Kind.INFRACTION: frozenset({"sound"}), Kind.CALL: frozenset({"sound"})})
    first, second, call = Alert(Kind.INFRACTION, B, 1), Alert(Kind.INFRACTION, B, 2), Alert(Kind.CALL)
    assert sound(alerts, (), (first,)) == USUAL_SOUND
    assert sound(alerts, (first,), (first,)) is None
    assert sound(alerts, (first,), (first, second)) == USUAL_SOUND
    assert sound(alerts, (first,), (call, first)) == SOUNDS[Kind.CALL]
    assert sound(alerts, (), (Alert(Kind.DRAW, B),)) is None
    assert sound(Alerts(), (), (first, call)) is None


ANY_ALERT = st.builds(Alert, st.sampled_from(Kind), st.sampled_from([None, *Side]), st.none())
ANY_ROUTES = st.dictionaries(st.sampled_from(Kind), st.frozensets(st.sampled_from(get_args(Route))))


@given(routes=ANY_ROUTES, told=st.lists(ANY_ALERT, max_size=6))
def test_nothing_is_told_where_it_has_no_route(routes: dict[Kind, frozenset[str]], told: list[Alert]) -> None:
    """Whatever is configured: every lamp that burns, every sound and every line of a page has its reason."""
    alerts = Alerts(routes)
    on, blink = lamps(alerts, told, SEATING)
    arbiter = bool((on | blink) & frames.LAMP_ARBITER)
    assert arbiter is any(alerts.goes(alert.kind, "arbiter") for alert in told)
    table = bool((on | blink) & ~frames.LAMP_ARBITER)
    assert table is any(alerts.goes(alert.kind, "lamp") for alert in told)
    assert (sound(alerts, (), told) is not None) is any(alerts.goes(alert.kind, "sound") for alert in told)
    longest = max(ms for _, ms in (*SOUNDS.values(), USUAL_SOUND))
    assert longest <= frames.MAX_SOUND_MS

"""The page of the small screen in a real browser, fed by a real program behind it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from firmware_bridge.language import LANGUAGES
from firmware_bridge.table.pages import load_pages
from firmware_bridge.table.settings import TableSettings
from firmware_bridge.wire.parts import ResultPart
from firmware_bridge.wire.table_view import AlertPart, CarryPart, TableView
from rules.infractions.kinds import Fault
from tests.firmware_bridge.display import looks
from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.table.fake_board import CLOCK, INFRACTION, PLAYING, FakeBoard, playing, serving

pytestmark = pytest.mark.browser

SIZES: Final = ((800, 480), (480, 320))
WORDS: Final = load_pages().catalogues["en"]
STOOD: Final = CLOCK.model_copy(update={"running": None})

LOOK: Final = """
const half = (side) => document.querySelector(`.half[data-side="${side}"]`);
const words = (root, name) => root.querySelector(`[data-part="${name}"]`).textContent;
const shown = (element) => Boolean(element) && element.getClientRects().length > 0;
const gone = document.querySelector("[data-part=gone]");
const ways = [...document.querySelectorAll(".way")].filter(shown);
return {
  names: ["bastaushy", "qostaushy"].map((side) => words(half(side), "name")),
  words: ["bastaushy", "qostaushy"].map((side) => words(half(side), "word")),
  dials: ["bastaushy", "qostaushy"].map((side) => half(side).querySelector(".dial").textContent),
  running: document.querySelector(".dial.running")?.dataset.clock ?? null,
  active: document.querySelector(".half.active")?.dataset.side ?? null,
  winner: document.querySelector(".half.winner")?.dataset.side ?? null,
  flagged: [...document.querySelectorAll(".dial.flagged")].map((dial) => dial.dataset.clock),
  notice: words(document, "notice"),
  gone: gone.hidden ? null : gone.dataset.gone,
  unsure: document.body.classList.contains("unsure"),
  waiting: document.body.classList.contains("waiting"),
  ways: ways.map((way) => ({
    fault: way.querySelector(".fault").textContent,
    goal: way.querySelector(".goal").textContent,
    steps: [...way.querySelectorAll("li")].map((step) => step.textContent),
    changes: Object.fromEntries([...way.querySelectorAll("[data-place]")]
      .filter((place) => place.querySelector("b").textContent)
      .map((place) => [place.dataset.place, place.querySelector("b").textContent])),
    places: [...way.querySelectorAll("[data-place]")].map((place) => Number(place.dataset.place)),
  })),
};
"""
"""What the page says."""

CLIPPED: Final = """
const told = ".half *, .middle *, .way *, .gone:not([hidden]) *";
return [...document.querySelectorAll(told)].filter((element) => {
  const box = element.getBoundingClientRect();
  const block = getComputedStyle(element).display !== "inline";
  const dial = element.classList.contains("dial") || element.dataset.part === "name";
  return box.width && (box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5
    || box.bottom > innerHeight + 0.5 || (block && !dial && element.scrollWidth > element.clientWidth + 1));
}).map((element) => `${element.className} ${element.dataset.part ?? ""} ${element.textContent.slice(0, 40)}`);
"""
"""The elements that reach out of the window, or whose words do out of them; names may be cut."""


@contextmanager
def page_of(browser: Browser, folder: Path, query: str = "?lang=en", **more: Any) -> Iterator[FakeBoard]:
    """Open the page of a board that says a game is under way."""
    with FakeBoard(folder / "s") as board:
        board.say(PLAYING)
        with serving(TableSettings(board_id="board-1", socket=board.path, **more)) as url:
            browser.open(f"{url}/{query}")
            see(browser, waiting=False, gone=None)
            yield board
            browser.open("about:blank")


def see(browser: Browser, **wanted: Any) -> dict[str, Any]:
    """Wait until the page says this."""

    def found() -> dict[str, Any] | None:
        ready = browser.js("return document.querySelector('.half[data-side]') !== null")
        look = browser.js(LOOK) if ready else None
        return look if look and all(look[key] == value for key, value in wanted.items()) else None

    look: dict[str, Any] = browser.until(found, f"{wanted}")
    return look


def test_names_dials_and_whose_turn_it_is(browser: Browser, tmp_path: Path) -> None:
    """The dial that runs is counted on between two messages; the other stands."""
    with page_of(browser, tmp_path) as board:
        look = see(browser, running="bastaushy", active="bastaushy")
        assert look["names"] == list(PLAYING.names)
        assert look["dials"][1] == "59:00"
        assert look["words"] == ["to move", ""]
        assert look["notice"] == "Game in progress"
        first = look["dials"][0]
        browser.until(lambda: browser.js(LOOK)["dials"][0] < first, "the dial has run")
        board.say(
            playing(ply=5, clock=CLOCK.model_copy(update={"running": "qostaushy"}), to_move="qostaushy")
        )
        assert see(browser, running="qostaushy", active="qostaushy")["words"] == ["", "to move"]


def test_a_view_that_is_old_already_is_counted_on_from_when_it_was_made(
    browser: Browser, tmp_path: Path
) -> None:
    """Whoever opens the page late sees the right time."""
    with page_of(browser, tmp_path) as board:
        board.say(
            playing(clock=CLOCK.model_copy(update={"remaining_ms": (1_800_000, 60_000)})), age_ms=600_000
        )
        browser.until(lambda: browser.js(LOOK)["dials"][0].startswith("19:5"), "ten minutes less")


def test_what_is_wrong_is_shown_pit_by_pit_and_leaves_with_the_board_only(
    browser: Browser, tmp_path: Path
) -> None:
    """The list grows shorter as stones are carried; the dials go on meanwhile."""
    with page_of(browser, tmp_path) as board:
        board.say(playing(alerts=(INFRACTION,), sensed="differs"))
        browser.until(lambda: browser.js(LOOK)["ways"], "the way")
        (way,) = browser.js(LOOK)["ways"]
        assert way["fault"] == WORDS["fault.capture_not_taken"]
        assert way["goal"] == "Put right, so that 7:6 is played:"
        assert way["changes"] == {
            "2": "−2", "3": "+2", "6": "−1", "7": "+1", "9": "+1", "14": "−10", "18": "+10"
        }  # fmt: skip
        assert [step.replace("\u00a0", " ") for step in way["steps"]] == [
            "Qostaushy pit 6 → Bastaushy kazan: 10",
            "Bastaushy pit 7 → Bastaushy pit 8: 1",
            "Bastaushy pit 3 → Bastaushy pit 4: 2",
            "and 1 more",
        ]
        assert browser.js(LOOK)["running"] == "bastaushy"
        shorter = INFRACTION.model_copy(update={"way": INFRACTION.way[2:3]})
        board.say(playing(alerts=(shorter,), sensed="moving"))
        browser.until(lambda: len(browser.js(LOOK)["ways"][0]["steps"]) == 1, "one step is left")
        right = INFRACTION.model_copy(update={"way": ()})
        board.say(playing(alerts=(right,)))
        browser.until(lambda: browser.js(LOOK)["ways"][0]["steps"] == [WORDS["table.done"]], "it is right")
        board.say(playing(ply=5))
        see(browser, ways=[])


def test_a_way_that_cannot_be_told_sends_to_the_arbiter(browser: Browser, tmp_path: Path) -> None:
    """No place is marked by a guess."""
    unknown = INFRACTION.model_copy(update={"way": (), "known": False})
    with page_of(browser, tmp_path) as board:
        board.say(playing(alerts=(unknown,)))
        browser.until(lambda: browser.js(LOOK)["ways"], "the way")
        (way,) = browser.js(LOOK)["ways"]
        assert (way["changes"], way["steps"]) == ({}, [WORDS["table.ask"]])


def test_each_player_sees_the_board_from_his_own_seat(browser: Browser, tmp_path: Path) -> None:
    """The half of who sits opposite is turned to him, and so is his board: his own pits lie below."""
    with page_of(browser, tmp_path, turned=True) as board:
        board.say(playing(alerts=(INFRACTION,)))
        browser.until(lambda: len(browser.js(LOOK)["ways"]) == 2, "both ways")
        far, near = (way["places"] for way in browser.js(LOOK)["ways"])
        assert near == [*range(17, 8, -1), 18, 19, *range(9)]
        assert far == [*range(8, -1, -1), 19, 18, *range(9, 18)]
        turns = browser.js(
            "return ['far', 'near'].map((half) => getComputedStyle("
            "document.querySelector(`[data-part=half-${half}]`)).transform)"
        )
        assert turns == ["matrix(-1, 0, 0, -1, 0, 0)", "none"]


@pytest.mark.parametrize(
    ("near", "starter", "side"), [("a", "a", "bastaushy"), ("a", "b", "qostaushy"), ("b", "b", "bastaushy")]
)
def test_the_near_half_is_of_who_sits_there(
    browser: Browser, tmp_path: Path, near: str, starter: str, side: str
) -> None:
    """Whoever begins."""
    with page_of(browser, tmp_path, near=near) as board:
        board.say(playing(starter_seat=starter))
        browser.until(
            f"document.querySelector('[data-part=half-near]').dataset.side === '{side}'", f"{side} is near"
        )


def test_calls_draws_rests_and_results_are_said(browser: Browser, tmp_path: Path) -> None:
    """To whom they concern."""
    ended = ResultPart(score="1-0", reason="eighty_two")
    flag = STOOD.model_copy(update={"flagged": (False, True), "remaining_ms": (60_000, 0)})
    with page_of(browser, tmp_path) as board:
        board.say(playing(alerts=(AlertPart(kind="call"),)))
        see(browser, notice=WORDS["alert.call"])
        board.say(playing(alerts=(AlertPart(kind="draw", side="bastaushy"),), draw="bastaushy"))
        see(browser, words=[WORDS["table.draw_waits"], WORDS["table.draw_answer"]])
        board.say(playing(draw="bastaushy"))
        see(browser, words=["to move", ""])
        resting = AlertPart(kind="suspended")
        board.say(playing(phase="suspended", pause="device_restarted", clock=STOOD, alerts=(resting,)))
        see(browser, notice=f"{WORDS['phase.suspended']}: {WORDS['pause.device_restarted']}", active=None)
        board.say(playing(phase="ended", result=ended, confirmed=(True, False), clock=flag))
        look = see(browser, winner="bastaushy", flagged=["qostaushy"])
        assert look["notice"] == "Bastaushy wins · 1 : 0 · 82 stones"
        assert look["words"] == [WORDS["table.confirmed"], WORDS["table.confirm"]]
        board.say(playing(phase="released", result=ended, confirmed=(True, False), clock=flag))
        see(browser, words=[WORDS["table.confirmed"], ""])
        board.say(playing(clock=None))
        see(browser, dials=["", ""], active="bastaushy")


def test_a_draw_offered_in_vain_is_answered_to_whoever_pressed(browser: Browser, tmp_path: Path) -> None:
    """With the reason, in his own half; the other is disturbed by nothing (2.6.8)."""
    with page_of(browser, tmp_path) as board:
        board.say(playing(alerts=(AlertPart(kind="offer_void", side="qostaushy"),)))
        see(browser, words=["to move", WORDS["alert.offer_void"]])
        board.say(playing())
        see(browser, words=["to move", ""])


def test_a_board_that_is_gone_is_said_and_forgotten_when_it_is_back(browser: Browser, tmp_path: Path) -> None:
    """The last picture stays, its clock marked as a guess; nobody reloads anything."""
    with page_of(browser, tmp_path) as board:
        board.stop()
        look = see(browser, gone="board", unsure=True)
        assert look["names"] == list(PLAYING.names)
        assert WORDS["table.gone_board"] == browser.text("[data-part=gone-head]")
        assert "no press is lost" in browser.text("[data-part=gone-more]")
        board.start()
        board.say(playing(ply=9))
        see(browser, gone=None, unsure=False)


def test_a_page_opened_before_the_board_waits_for_it(browser: Browser, tmp_path: Path) -> None:
    """And says what it waits for."""
    with serving(TableSettings(board_id="board-1", socket=tmp_path / "s")) as url:
        browser.open(f"{url}/?lang=en")
        browser.until("!document.querySelector('[data-part=gone]').hidden", "it says that nobody answers")
        assert browser.text("[data-part=gone-more]") == WORDS["table.gone_start"]
        with FakeBoard(tmp_path / "s") as board:
            board.say(PLAYING)
            see(browser, gone=None, waiting=False)
        browser.open("about:blank")


def test_a_program_that_is_gone_is_said_by_the_page_itself(browser: Browser, tmp_path: Path) -> None:
    """And the page goes on by itself with the next one on the same port."""
    with FakeBoard(tmp_path / "s") as board:
        board.say(PLAYING)
        told = TableSettings(board_id="board-1", socket=board.path)
        with serving(told) as url:
            browser.open(f"{url}/?lang=en")
            see(browser, gone=None, waiting=False)
        see(browser, gone="program", unsure=True)
        port = int(url.rsplit(":", 1)[1])
        with serving(TableSettings(board_id="board-1", socket=board.path, port=port)):
            see(browser, gone=None, unsure=False)
            browser.open("about:blank")


LONGEST: Final = ("Бейбітшілік Нұрмұхаммедұлы Әбдіқадыровтегі", "Wilhelmina-Alexandrovna von Hohenzollern")
SETUP: Final = AlertPart(
    kind="setup",
    goal="start",
    way=tuple(CarryPart(source="beside", target=pit, stones=9) for pit in range(18)),
)


def screens(fault: Fault) -> list[TableView]:
    """Return views that ask for much room."""
    worst = INFRACTION.model_copy(update={"faults": (fault.value,)})
    return [
        playing(names=LONGEST),
        playing(names=LONGEST, alerts=(worst, AlertPart(kind="call"))),
        playing(phase="setting_up", clock=STOOD, alerts=(SETUP,)),
        playing(alerts=(AlertPart(kind="draw", side="bastaushy"),), draw="bastaushy", names=LONGEST),
        playing(alerts=(AlertPart(kind="offer_void", side="qostaushy"),), names=LONGEST),
        playing(phase="ended", result=ResultPart(score="1/2-1/2", reason="agreement"), clock=STOOD),
    ]


@pytest.mark.parametrize("turned", [False, True])
def test_everything_fits_on_a_small_screen_in_every_language(
    browser: Browser, tmp_path: Path, *, turned: bool
) -> None:
    """At 800x480 and 480x320, with the longest fault and long names; nothing scrolls, no step is cut."""
    with FakeBoard(tmp_path / "s") as board:
        board.say(PLAYING)
        with serving(TableSettings(board_id="board-1", socket=board.path, turned=turned)) as url:
            for language in LANGUAGES:
                words = load_pages().catalogues[language]
                fault = max(Fault, key=lambda each: len(words[f"fault.{each.value}"]))
                for size in SIZES:
                    browser.size(*size)
                    browser.open(f"{url}/?lang={language}")
                    for number, view in enumerate(screens(fault), start=100):
                        board.say(view.model_copy(update={"ply": number, "last": "7:6"}))
                        wanted = len([alert for alert in view.alerts if alert.goal]) * (1 + turned)
                        see(browser, names=list(view.names), gone=None)
                        browser.until(lambda: len(browser.js(LOOK)["ways"]) == wanted, "the way")  # noqa: B023
                        assert browser.js(CLIPPED) == [], (language, size, number)
                        width, height, *window = browser.js(looks.SIZES)
                        assert [width, height] == window
            browser.open("about:blank")

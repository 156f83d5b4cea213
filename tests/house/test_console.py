"""The whole way of a ruling: stones left lying, the console, one tap, a signed command, the journal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.position import START, Side, play
from tests.firmware_bridge.display.browser import Browser, open_browser
from tests.firmware_bridge.hall.console.login import log_in
from tests.house.stage import PASSWORD, Stage

pytestmark = pytest.mark.mosquitto

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
DUE = play(START, 7)
MISSED = {14: 10, 18: -10}


@pytest.fixture
def stage(tmp_path: Path, mosquitto: Path) -> Iterator[Stage]:
    """A hall and a board in play, at which a capture was left lying and the clock was pressed."""
    with Stage(tmp_path, mosquitto) as made:
        made.boards[1].begin()
        miss(made)
        yield made


def miss(stage: Stage) -> None:
    """Play 7:6 and take nothing."""
    board = stage.boards[1]
    board.lay(DUE.after, MISSED)
    time.sleep(1.0)  # as long as hands rest before they press
    board.press(B)


def kinds(stage: Stage) -> list[str]:
    """Return what the journal of the board has of decisions."""
    wanted = (
        "infraction_seen",
        "position_ruled",
        "player_warned",
        "game_suspended",
        "game_resumed",
        "game_ended",
    )
    return [event["kind"] for event in stage.boards[1].lone.events() if event["kind"] in wanted]


def waiting(view: dict[str, Any]) -> bool:
    """Whether an infraction waits."""
    return bool(view["need"] == "infraction")


def test_a_missed_capture_is_ruled_undone_and_ruled_again_by_two_arbiters(stage: Stage) -> None:
    """Both see each other's rulings; the same order twice is one; the record has it all."""
    first, second = stage.arbiter("Марат", "line"), stage.arbiter("Сәуле", "chief")
    view = first.until("the infraction", waiting)
    (seen,) = view["infractions"]
    offer = seen["drawn"]["offers"][0]
    assert (offer["code"], offer["carries"]) == ("corrected", [[14, 18, 10]])
    warn = {"do": "warn", "side": "bastaushy", "article": "1.3.2", "reason": "capture_not_taken"}
    status, ruling = first.order(view, *offer["commands"], warn, key="order-0001")
    assert (status, ruling["outcome"]) == (200, "accepted")
    assert (
        first.order(view, *offer["commands"], warn, key="order-0001")[1] == ruling
    )  # heard again: done once
    assert kinds(stage) == ["infraction_seen", "game_suspended", "position_ruled", "player_warned"]

    late = second.order(view, *offer["commands"])
    assert (late[0], late[1]["error"]) == (409, "stale")
    told = second.until("the other's ruling", lambda view: view["rulings"] and view["need"] == "put_right")
    assert (told["rulings"][0]["given_by"], told["lay"]) == ("Марат", [[14, 18, 10]])
    assert [each["level"] for each in told["warned"][0]] == [1]

    undo = told["rulings"][0]["undo"]
    assert second.order(told, *undo, undoes="order-0001")[1]["outcome"] == "accepted"
    again = second.until("it waits again", waiting)
    assert again["infractions"][0]["reopened"]
    assert again["state"]["position"]["pits"] == list(START.pits)
    restored = next(each for each in again["infractions"][0]["drawn"]["offers"] if each["code"] == "restored")
    assert second.order(again, *restored["commands"])[1]["outcome"] == "accepted"

    stage.boards[1].lay(START)
    ready = second.until("the stones lie right", lambda view: view["state"]["watch"]["sensed"] == "matches")
    assert second.order(ready, {"do": "resume"})[1]["outcome"] == "accepted"
    ruled = [event for event in stage.boards[1].lone.events() if event["kind"] == "position_ruled"]
    assert [(event["decision"], event["by"]) for event in ruled] == [
        ("corrected", "Марат"), ("taken_back", "Сәуле"), ("restored", "Сәуле"),
    ]  # fmt: skip


def test_a_hall_that_was_killed_knows_what_it_knew_and_hears_what_it_missed(stage: Stage) -> None:
    """`kill -9`, then an infraction is put right and another one made while it is away."""
    arbiter = stage.arbiter("Марат", "line")
    arbiter.until("the infraction", waiting)
    stage.kill_hall()
    board = stage.boards[1]
    board.lay(DUE.after)
    board.lone.until("the move", lambda: board.lone.state()["ply"] == 1)
    reply = play(DUE.after, 9)
    board.lay(reply.after, {reply.last_index: 1, 8: -1} if reply.last_index != 8 else {7: 1, 8: -1})
    board.press(Q)
    board.lone.until("another infraction", lambda: kinds(stage).count("infraction_seen") == 2)
    stage.start_hall()
    view = arbiter.until(
        "the second infraction", lambda view: waiting(view) and len(view["infractions"]) == 2
    )
    assert [each["settled"] for each in view["infractions"]] == ["put_right", None]


def test_results_are_confirmed_and_made_official_and_the_next_game_is_given(stage: Stage) -> None:
    """Proposed by the board, confirmed by the line arbiter, official by the secretary, then round 2."""
    line, secretary = stage.arbiter("Марат", "line"), stage.arbiter("Хатшы", "secretary")
    deputy = stage.arbiter("Орынбасар", "deputy")
    view = line.until("the infraction", waiting)
    assert line.order(view, {"do": "end", "score": "0-1", "reason": "resignation"})[0] == 200
    view = line.until(
        "the proposal", lambda view: view["fixture"] and view["fixture"]["status"] == "proposed"
    )
    key = view["fixture"]["key"]
    assert line.post(f"/games/{key}/result", {"status": "official"})[0] == 403
    assert line.post(f"/games/{key}/result", {"status": "confirmed"})[1]["status"] == "confirmed"
    assert secretary.post(f"/games/{key}/result", {"status": "official"})[1]["score"] == "0-1"
    view = secretary.until("to be released", lambda view: view["need"] == "release")
    row = {
        "round": "2",
        "board": "board-1",
        "bastaushy": "Самат",
        "qostaushy": "Мөлдір",
        "control": "20m+10s",
    }
    assert deputy.post("/pairings", {"rows": [row]})[0] == 200
    told = deputy.post("/rounds/2/assign")[1]["boards"]
    assert [(each["outcome"], each["code"]) for each in told] == [("refused", "phase")]  # not released yet
    assert secretary.order(view, {"do": "release"})[1]["outcome"] == "accepted"
    assert deputy.post("/rounds/2/assign")[1]["boards"][0]["outcome"] == "accepted"
    stage.boards[1].lay(START)
    view = deputy.until("the next game", lambda view: view["state"]["game"] == "r2-board-1")
    assert view["state"]["names"] == ["Самат", "Мөлдір"]
    assert deputy.post("/games/r2-board-1/flip")[1]["bastaushy"] == "Мөлдір"
    view = deputy.until("flipped", lambda view: view["state"]["names"] == ["Мөлдір", "Самат"])
    assert (view["state"]["starter_seat"], view["fixture"]["status"]) == ("b", "assigned")


@pytest.mark.browser
def test_an_arbiter_rules_with_one_tap_and_a_confirmation(stage: Stage, chromium: object) -> None:
    """On a telephone: log in, the board is on top, the drawing shows the pit, tap, confirm, undo."""
    del chromium
    stage.account("Сәуле", "chief")
    with open_browser() as browser:
        browser.size(390, 844, phone=True)
        browser.open(f"{stage.url}/console?lang=en")
        log_in(browser, "Сәуле", "wrong password")
        browser.until("document.querySelector('.trouble').textContent.includes('wrong')", "the refusal")
        log_in(browser, "Сәуле", PASSWORD)
        browser.until("document.querySelector('.card.loud')", "the board that needs somebody")
        assert browser.driver.title == "(1) Arbiter's console"
        assert "did not take 10 stones from pit 6" in browser.text(".card .why")
        browser.js("document.querySelector('.card').click()")
        seen = "figure[data-picture=seen] [data-place='{}']"
        assert browser.text(seen.format(14) + " .change") == "\N{MINUS SIGN}10"
        assert browser.text(seen.format(18) + " .change") == "+10"
        assert fits(browser)
        browser.js("document.querySelector('[data-offer=corrected]').click()")
        assert kinds(stage) == ["infraction_seen"]  # a tap alone decides nothing
        assert "1st warning (oral)" in browser.text(".confirm .warn")
        browser.js("document.querySelector('.confirm .primary').click()")
        browser.until("document.querySelector('.toast .undo')", "the way back")
        assert kinds(stage) == ["infraction_seen", "game_suspended", "position_ruled", "player_warned"]
        stage.boards[1].lay(DUE.after)
        browser.until("document.querySelector('.focus .primary:not(:disabled)')", "the clocks may be resumed")
        browser.js("document.querySelector('.focus .primary').click()")
        browser.js("document.querySelector('.confirm .primary').click()")
        browser.until("document.querySelector('.dial.running')", "a dial that runs")
        assert [entry for entry in browser.complaints() if "401" not in entry] == []


def fits(browser: Browser) -> bool:
    """Whether nothing of the page lies beside the screen."""
    return bool(browser.js("return document.documentElement.scrollWidth <= window.innerWidth"))

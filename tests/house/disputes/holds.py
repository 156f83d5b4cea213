"""What must hold at the end of a dispute: journal, board, hall, page, ledger and record say the same."""

from __future__ import annotations

import time
from typing import Any

from rules.clock import remaining_us
from rules.game import Game, Phase
from rules.position import Side, board_of, pit_index
from rules.position_json import position_to_json
from rules.record.json_form import format_record_json
from rules.record.text import format_record
from tests.house.disputes.arbiter import Arbiter
from tests.house.disputes.event import Event
from tests.house.disputes.table import Table

PATIENCE_S = 20.0

_PAGE = """
const view = document.querySelector(".view");
const places = [...view.querySelectorAll("figure.now [data-place]")];
const numbered = places.sort((one, two) => one.dataset.place - two.dataset.place);
const of = (side, part) => view.querySelector(`.player[data-side=${side}] ${part}`)?.textContent;
const both = (part) => ["bastaushy", "qostaushy"].map((side) => of(side, part));
const won = places.filter((place) => place.classList.contains("tuzdyk"));
return {
  board: view.dataset.board,
  stones: numbered.map((place) => Number(place.querySelector(".stones").textContent)),
  tuzdyks: won.map((place) => Number(place.dataset.place)),
  names: both(".name"), kazans: both(".kazan").map(Number), dials: both(".dial"),
  running: view.querySelector(".dial.running")?.closest(".player").dataset.side ?? null,
  ply: view.querySelector("figure.now figcaption")?.textContent ?? "",
  need: view.querySelector(".board-head .need").dataset.need,
  card: document.querySelector(`.card[data-board="${view.dataset.board}"]`).dataset.need,
};
"""
"""What the arbiter's page shows of the board that he has opened."""


def spelt(ms: int) -> str:
    """Return a time as the page writes it."""
    seconds, tenths = ms // 1000, ms % 1000 // 100
    if ms < 20_000:
        return f"0:{seconds:02}.{tenths}"
    minutes = f"{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{seconds // 3600}:{minutes}" if seconds >= 3600 else minutes.removeprefix("0")


def all_agree(event: Event, table: Table, arbiter: Arbiter, need: str) -> Game:
    """Wait until journal, hall and page agree on a board that needs this; return the game it folds to."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        game = table.folded()
        state = (event.get(f"/api/boards/{table.board}") or {}).get("state") or {}
        page = arbiter.browser.js(_PAGE)
        wrong = {**_of_hall(game, state), **_of_page(game, page, table.board, need)}
        if not wrong:
            return game
        assert time.monotonic() < deadline, f"{table.board}: {wrong}; journal: {table.kinds()}"
        time.sleep(0.1)


def _differ(**pairs: tuple[Any, Any]) -> dict[str, tuple[Any, Any]]:
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _dials_ms(game: Game) -> tuple[int, int]:
    """Return what both dials showed at the last moment that the journal knows, in milliseconds."""
    assert game.clock is not None
    at_us = game.clock.since_us or 0
    first, second = (remaining_us(game.clock, side, at_us) // 1000 for side in Side)
    return first, second


def _of_hall(game: Game, state: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return in what the hall's state differs from the game that the journal folds to: (told, folded)."""
    if not state or not state["clock"]:
        return {"state": (state, game)}
    assert game.clock is not None
    running = game.clock.running
    told, dials = state["clock"]["remaining_ms"], _dials_ms(game)
    result = state["result"] and (state["result"]["score"], state["result"]["reason"])
    clocks = {
        f"dial_{side.value}": (told[side.index], dials[side.index])
        for side in Side
        if told[side.index] != dials[side.index]
        and not (running is side and told[side.index] < dials[side.index])
    }
    return clocks | _differ(
        phase=(state["phase"], game.phase.value),
        ply=(state["ply"], len(game.plies)),
        moves=(state["moves"].split(), [ply.text for ply in game.plies]),
        position=(
            {key: state["position"][key] for key in ("pits", "kazans", "tuzdyks", "to_move")},
            position_to_json(game.position),
        ),
        names=(tuple(state["names"]), game.names),
        running=(state["clock"]["running"], running and running.value),
        flags=(tuple(state["clock"]["flagged"]), game.flags),
        pause=(state["pause"], game.suspended_reason),
        result=(result, game.result and (game.result, game.result_reason)),
    )


def _of_page(game: Game, page: dict[str, Any], board: str, need: str) -> dict[str, tuple[Any, Any]]:
    """Return in what the page differs from the game: (shown, folded)."""
    running = None if game.clock is None else game.clock.running
    still = [side for side in Side if side is not running]
    won = zip(Side, game.position.tuzdyks, strict=True)
    tuzdyks = sorted(pit_index(side.opponent, number) for side, number in won if number is not None)
    dials = [spelt(ms) for ms in _dials_ms(game)]
    found = _differ(
        board=(page["board"], board),
        stones=(page["stones"], [*board_of(game.position)]),
        tuzdyks=(page["tuzdyks"], tuzdyks),
        names=(tuple(page["names"]), game.names),
        kazans=(tuple(page["kazans"]), game.position.kazans),
        running=(page["running"], running and running.value),
        need=((page["need"], page["card"]), (need, need)),
        dials=([page["dials"][side.index] for side in still], [dials[side.index] for side in still]),
        ply=(str(len(game.plies)) in page["ply"], True),
    )
    return {f"page_{name}": pair for name, pair in found.items()}


def warned(table: Table, arbiter: Arbiter, *expected: tuple[Side, int, str]) -> None:
    """The warnings of a game, each (side, step, article), stand at the board, in the ledger, on the page."""
    given = [each for each in table.events() if each["kind"] == "player_warned"]
    due = [(side.value, level, article) for side, level, article in expected]
    assert [(each["side"], each["level"], each["article"]) for each in given] == due
    assert table.folded().warnings == tuple(sum(side is each for each, _, _ in expected) for side in Side)
    names = table.seated.names
    told = [each for each in arbiter.asks("/games")["warnings"] if each["board"] == table.board]
    listed = [(names[side.index], level, article) for side, level, article in expected]
    assert [(each["person"], each["level"], each["article"]) for each in told] == listed
    rows = [row for row in arbiter.warnings() if any(name in row for name in names)]
    assert len(rows) == len(expected), rows
    for person, _, article in listed:
        assert any(person in row and article in row for row in rows), rows


def recorded(event: Event, table: Table) -> tuple[str, dict[str, Any]]:
    """Return the record of an ended game, as text and as JSON: the hall gives what the journal folds to."""
    assert table.folded().phase in (Phase.ENDED, Phase.RELEASED)
    record = table.record()
    due = format_record_json(record)
    path = f"/api/boards/{table.board}/record"
    table.until("the record has come to the hall", lambda: event.text(path) == due)
    text = event.text(f"{path}.txt")
    assert text == format_record(record)
    found = event.get(path)
    assert found is not None
    game = table.folded()
    assert [ply["move"] for ply in found["plies"]] == [ply.text for ply in game.plies]
    assert (found["result"], found["reason"]) == (game.result, game.result_reason)
    assert tuple(found["remaining_ms"]) == _dials_ms(game)
    return text, found


def rulings(record: dict[str, Any], *kinds: str) -> list[tuple[int, str, str | None, str]]:
    """Return the rulings of these kinds in a record: after which ply, kind, side, words."""
    found = [each for each in record["rulings"] if each["kind"] in kinds]
    return [(each["ply"], each["kind"], each["side"], each["text"]) for each in found]


def outline(record: dict[str, Any], *kinds: str) -> list[str]:
    """Return the rulings of these kinds in a record, each as ply, kind and side in one line."""
    found = rulings(record, *kinds)
    return [" ".join(filter(None, (str(ply), kind, side))) for ply, kind, side, _ in found]

"""Games and results: no step goes back, an official result stays official, warnings are never lost."""

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.hall.ledger import discipline, games, notes
from firmware_bridge.hall.ledger.games import GameError
from firmware_bridge.hall.ledger.schema import MIGRATIONS
from firmware_bridge.hall.ledger.values import SCORES, STATUSES, Heard, Status, Warned
from rules.conduct.proposal import Score
from tests.firmware_bridge.hall.ledger.test_store import fixture

KEY = "r1-board-1"


def new() -> sqlite3.Connection:
    """Return an empty ledger in memory."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute("PRAGMA foreign_keys = ON")
    for script in MIGRATIONS:
        db.executescript(script)
    return db


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    """A ledger in which one game is planned."""
    made = new()
    games.plan(made, [fixture()], 1)
    yield made
    made.close()


STEPS = st.lists(
    st.tuples(st.sampled_from(STATUSES[2:]), st.one_of(st.none(), st.sampled_from(SCORES))), max_size=12
)


@given(STEPS)
def test_a_result_never_goes_back_and_always_has_a_score(
    steps: list[tuple[Status, Score | None]],
) -> None:
    """Whatever order steps come in: the status only rises, and only with a score."""
    db = new()
    games.plan(db, [fixture()], 1)
    rank, official = 0, None
    for status, score in steps:
        before = games.game(db, KEY)
        try:
            after = games.settle(db, KEY, status, 2, score=score, by="x", reason="")
        except GameError:
            assert games.game(db, KEY) == before
            continue
        assert STATUSES.index(after.status) >= rank
        assert after.score is not None
        if official is not None and status != "official":
            assert after.score == (score or official)
        rank = STATUSES.index(after.status)
        official = after.score if rank >= STATUSES.index("official") else None
    db.close()


def test_the_way_of_a_result(db: sqlite3.Connection) -> None:
    """Proposed by the board, confirmed, official, released; then only another official one changes it."""
    for status, by in (("proposed", ""), ("confirmed", "Марат"), ("official", "Хатшы"), ("released", "")):
        found = games.settle(db, KEY, status, 2, score="1-0", by=by, reason="flag")  # type: ignore[arg-type] # literals
        assert (found.status, found.decided_by) == (status, by)
    with pytest.raises(GameError, match="is released already; it cannot become confirmed"):
        games.settle(db, KEY, "confirmed", 3, score="0-1", by="Марат", reason="")
    again = games.settle(db, KEY, "official", 4, score="0-1", by="Бас төреші", reason="2.4.7")
    assert (again.status, again.score, again.reason) == ("released", "0-1", "2.4.7")


def test_seats_are_flipped_until_there_is_a_result(db: sqlite3.Connection) -> None:
    """The same two stay on their chairs."""
    flipped = games.flip(db, KEY, 2)
    assert (flipped.bastaushy, flipped.seat) == (fixture().qostaushy, "b")
    assert games.flip(db, KEY, 3) == fixture()
    games.settle(db, KEY, "proposed", 4, score="1-0", by="", reason="")
    with pytest.raises(GameError, match="has a result"):
        games.flip(db, KEY, 5)


def test_a_round_may_be_paired_anew_until_it_is_played(db: sqlite3.Connection) -> None:
    """One board of it that has a result keeps the whole file out."""
    games.plan(db, [fixture(), fixture("board-2")], 2)
    assert len(games.games(db, 1)) == 2
    games.settle(db, "r1-board-2", "proposed", 3, score="1-0", by="", reason="")
    with pytest.raises(GameError, match="round 1 at board-2 has a result"):
        games.plan(db, [fixture("board-2")], 4)


def warned(key: str = "w1", **more: object) -> Warned:
    """Return a warning."""
    facts: dict[str, object] = {
        "key": key, "person": "Айдос", "level": 1, "board": "board-1", "game": KEY, "round": 1,
        "article": "1.3.2", "given_by": "Марат", "reason": "", "at_ms": 5,
    }  # fmt: skip
    return Warned(**{**facts, **more})  # type: ignore[arg-type] # a test's own


def test_a_warning_counts_once_and_only_its_arbiter_takes_it_back(db: sqlite3.Connection) -> None:
    """2.4.8; what was taken back stays in the list."""
    discipline.warn(db, warned())
    discipline.warn(db, warned(level=5))
    assert discipline.warnings(db) == (warned(),)
    assert discipline.take_back(db, "w1", "Сәуле", "", panel=False) == "another_arbiter"
    assert discipline.take_back(db, "w1", "Марат", "қателік", panel=False) == ""
    assert discipline.take_back(db, "w1", "Марат", "", panel=False) == "taken_back"
    assert discipline.take_back(db, "w9", "Марат", "", panel=False) == "unknown_warning"
    assert discipline.warnings(db) == (warned(taken_back="қателік", taken_back_by="Марат"),)


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 9)), max_size=30))
def test_events_heard_twice_are_kept_once_and_in_order(told: list[tuple[int, int]]) -> None:
    """A broker may repeat itself, and bring late what was queued."""
    db = new()
    for boot, seq in told:
        heard = Heard(
            board="b", boot=boot, seq=seq, game="g", ply=0, at_ms=0, data={"kind": "x", "n": [boot, seq]}
        )
        notes.keep(db, heard, new_game=False)
    kept = [(heard.boot, heard.seq) for heard in notes.kept(db)]
    assert kept == sorted(set(told))
    db.close()

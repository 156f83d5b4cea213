"""`togyz event`: what the ledger holds, printed; entries and reasons written down."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from firmware_bridge.cli import app
from firmware_bridge.commands.hall import ledger_path
from firmware_bridge.config import load_config
from firmware_bridge.hall.ledger import discipline, games
from firmware_bridge.hall.ledger.event_values import Penalty
from firmware_bridge.hall.ledger.store import Ledger
from firmware_bridge.hall.ledger.values import Fixture, Warned, key_of
from tests.house.lone_board import CONFIG

ENTRIES = "name,rating,team,representative\nӘсел,1900,Алматы,\nАйдос,2100,Астана,Марат Әлі\nБолат,,,\n"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A hall's configuration; rapid, so that no sheets are written."""
    path = tmp_path / "hall.toml"
    path.write_text(f'{CONFIG}\n[hall]\nconduct = "rapid"\n', encoding="utf-8")
    return path


def event(verb: str, config: Path, *words: object) -> Result:
    """Run a verb, wide enough that no line is broken."""
    return CliRunner().invoke(
        app,
        ["--language", "en", "event", verb, str(config), *map(str, words)],
        env={"COLUMNS": "500", "TERM": "dumb"},
    )


def ledger(config: Path) -> Ledger:
    """Open the ledger of a configuration."""
    loaded = load_config(config)
    return Ledger(ledger_path(loaded), loaded.board.event)


def fixture(number: int, score: str | None, *, postponed: str | None = None) -> Fixture:
    """Return a game between Айдос and Әсел."""
    return Fixture(
        key=key_of(number, "b1"),
        round=number,
        board="b1",
        bastaushy="Айдос",
        qostaushy="Әсел",
        seat="a",
        control="1h",
        status="planned" if score is None else "official",
        score=score,  # type: ignore[arg-type] # the test's own
        postponed=postponed,
    )


def test_requirement_46_the_warnings_after_a_round_are_printed(config: Path) -> None:
    """With step, article and whose it is; those of later rounds are not announced yet (2.4.10)."""
    assert event("warnings", config).output.splitlines() == ["Warnings", "Nobody was warned."]
    with ledger(config) as book:
        for number, level in ((1, 3), (2, 4)):
            warned = Warned(
                key=f"w{number}",
                person="Айдос",
                level=level,
                board="b1",
                game="",
                round=number,
                article="2.3.9",
                given_by="Сәуле",
                reason="шу",
                at_ms=number,
                against="Марат Әлі" if level == 4 else "",
            )
            book.apply(lambda db, warned=warned: discipline.warn(db, warned))  # type: ignore[misc] # bound now
    title, heads, *rows = event("warnings", config, "--round", 1).output.splitlines()
    assert title == "Warnings after round 1"
    assert heads.split() == ["Who", "Warning", "Round", "Article", "Reason", "Arbiter"]
    (row,) = rows
    assert "before the chief panel" in row
    assert row.split()[-4:] == ["1", "2.3.9", "шу", "Сәуле"]
    assert "Марат Әлі" in event("warnings", config).output.splitlines()[-1]


def test_requirement_47_the_panels_penalties_are_printed(config: Path) -> None:
    """With article, reason and who wrote them down; a lifted one says so."""
    assert event("penalties", config).output == "No penalty was imposed.\n"
    with ledger(config) as book:
        penalty = Penalty(
            key="p1", kind="team_loses", person="Алматы", round=2, articles="2.4.7 2.3",
            given_by="Бас төреші", reason="бөтен ойыншы", at_ms=1,
        )  # fmt: skip
        book.apply(lambda db: discipline.punish(db, penalty))
    told = "Алматы: team loses: a player who is not registered (2.4.7, 2.3); бөтен ойыншы; Бас төреші\n"
    assert event("penalties", config).output == told
    with ledger(config) as book:
        assert book.apply(lambda db: discipline.lift(db, "p1", "Бас төреші", "")) == ""
    assert event("penalties", config).output == f"{told.strip()} — taken back by Бас төреші\n"


def test_requirement_38_entries_are_read_listed_and_a_system_proposed(config: Path, tmp_path: Path) -> None:
    """By rating, the highest first; where the limit lies is an option of the file (2.9.1)."""
    assert event("entries", config).output == "Entries: 0; two at least are needed for a system.\n"
    file = tmp_path / "entries.csv"
    file.write_text(ENTRIES, encoding="utf-8")
    assert event("entries", config, file).output.splitlines() == [
        "1.  2100  Айдос  Астана",
        "2.  1900  Әсел  Алматы",
        "3.  —  Болат",
        "Entries: 3. Proposed: a round robin of 3 rounds (2.9.1, 2.1.4, 2.1.7).",
    ]
    written = config.read_text(encoding="utf-8")
    config.write_text(f"{written}\n[tournament]\nround_robin_most = 2\n", encoding="utf-8")
    assert event("entries", config).output.splitlines()[-1] == (
        "Entries: 3. Proposed: a regulated Swiss of 3 rounds (2.9.1, 2.1.4, 2.5.3)."
    )


def test_a_file_of_entries_that_is_wrong_changes_nothing(config: Path, tmp_path: Path) -> None:
    """Every mistake is told with its line."""
    file = tmp_path / "entries.csv"
    file.write_text("name,rating\nАйдос,много\nАйдос,1\nАйдос,2\n", encoding="utf-8")
    told = event("entries", config, file)
    assert told.exit_code == 1
    assert "“много” is no rating: 0 to 4000" in told.stderr
    assert "“Айдос” is there twice" in told.stderr
    assert event("entries", config).output.startswith("Entries: 0")
    assert event("entries", config, tmp_path / "none.csv").exit_code == 2
    file.write_bytes(b"name\n\xff\n")
    assert "is no text in UTF-8" in event("entries", config, file).stderr


@pytest.mark.parametrize("text", ["", "\n\n", "name,rating\n"])
def test_a_file_without_entries_is_told_what_belongs_into_it(config: Path, tmp_path: Path, text: str) -> None:
    """It is no file of pairings, and is not called one."""
    file = tmp_path / "entries.csv"
    file.write_text(text, encoding="utf-8")
    told = event("entries", config, file)
    assert told.exit_code == 1
    assert "no entries: below the heading each player has a line" in told.stderr


def test_requirement_37_the_points_for_the_next_pairing_are_printed(config: Path) -> None:
    """The list says that it is no table, what is provisional, and who has missed rounds."""
    with ledger(config) as book:
        book.apply(lambda db: games.plan(db, [fixture(1, "+/-"), fixture(2, None, postponed="жолда")], 1))
    assert event("points", config).output.splitlines() == [
        "Points for the pairing of round 3 only; no table of the event (2.5.6)",
        "1.5  Айдос  of it provisional: 0.5 (a postponed game)",
        "0.5  Әсел  of it provisional: 0.5 (a postponed game)  missed without a reason: 1 (2.3.13)",
    ]
    assert event("points", config, "--round", 2).output.splitlines()[1:] == [
        "1  Айдос", "0  Әсел  missed without a reason: 1 (2.3.13)",
    ]  # fmt: skip


def test_requirement_49_a_reason_for_a_missed_round_is_written_down(config: Path) -> None:
    """Then the round is no missed one (2.3.13)."""
    with ledger(config) as book:
        book.apply(lambda db: games.plan(db, [fixture(1, "+/-")], 1))
    assert event("excuse", config, " Әсел ", 1, "ауырды").output == (
        "Әсел: the reason for missing round 1 is written down\n"
    )
    assert event("points", config).output.splitlines()[-1] == "0  Әсел"
    assert event("excuse", config, "Әсел", 1, " ").exit_code == 1


def test_requirement_38_a_rounds_paper_says_that_no_sheets_are_written(config: Path) -> None:
    """In rapid (2.9.2); the boards stand above."""
    with ledger(config) as book:
        book.apply(lambda db: games.plan(db, [fixture(1, "1-0")], 1))
    lines = event("round", config, 1).output.splitlines()
    assert lines[0] == "Round 1"
    assert lines[2].split() == ["b1", "Айдос", "Әсел", "1-0"]
    assert lines[-1] == "No score sheets are written (2.9.2)"
    assert event("round", config, 7).output.splitlines()[-1] == "There are no games in this round."


def test_the_hall_goes_by_the_options_of_the_file(config: Path) -> None:
    """`[conduct]` on the preset of `[hall]`, so that amounts and scope of the event reach its console."""
    assert not load_config(config).hall_conduct().score_sheets
    written = config.read_text(encoding="utf-8")
    options = "[conduct]\npenalty_takes_ms = 60000\nscore_sheets = true\n"
    config.write_text(written.replace("[conduct]\n", options), encoding="utf-8")
    conduct = load_config(config).hall_conduct()
    assert (conduct.penalty_takes_ms, conduct.score_sheets, conduct.sowing.remedy) == (60000, True, "restore")

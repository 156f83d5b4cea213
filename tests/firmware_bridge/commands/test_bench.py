"""`togyz bench counting`, as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from firmware_bridge.bench import plan as plans
from firmware_bridge.bench.games import NoGameError, game, names, real_games, tournament_file
from firmware_bridge.bench.lanes import scene_of
from firmware_bridge.bench.plan import Wanted, plan
from firmware_bridge.bench.summary import Key, Row
from firmware_bridge.bench.sweep import Tally
from firmware_bridge.cli import app
from firmware_bridge.commands import bench_tables
from firmware_bridge.emulator.pace import MANNERS, PACES
from firmware_bridge.language import LANGUAGES, texts
from sensors.simulator.profile import PROFILES

RUN = ("--profile", "clean", "--pace", "blitz", "--jobs", "1")


def bench(*words: str) -> Result:
    """Run the command in this process."""
    env = {"COLUMNS": "120", "TERM": "dumb", "TOGYZ_LANGUAGE": "en", "TOGYZ_GAMES": ""}
    return CliRunner().invoke(app, ["bench", "counting", *words], env=env)


@pytest.fixture
def two_games(tmp_path: Path) -> Path:
    """Return a file with two games of four plies."""
    path = tmp_path / "games.jsonl"
    lines = [{"tokens": ["76", "98", "66", "87"]}, {"tokens": ["21", "98", "67", "22x"][:2]}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_games_are_played_once_and_summed_up(two_games: Path, tmp_path: Path) -> None:
    """A second run plays nothing that is there, and says the same."""
    out = tmp_path / "out"
    words = (*RUN, "--games", "1", "--games-file", str(two_games), "--out", str(out))
    first = bench(*words)
    assert first.exit_code == 0, first.output
    assert "How the board counted: games" in first.output
    lines = (out / "results.jsonl").read_text(encoding="utf-8")
    assert json.loads(lines)["key"] == "games real:0 clean blitz lively 1"
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert (summary["rows"][0]["plies"], summary["rows"][0]["wrong"], summary["look_at"]) == (4, 0, [])
    second = bench(*words)
    assert second.stdout == first.stdout
    assert "1 of 1 results were there already and are used again" in second.stderr
    assert "used again" not in first.stderr
    assert (out / "results.jsonl").read_text(encoding="utf-8") == lines


def test_offences_have_a_table_of_their_own(two_games: Path) -> None:
    """Watched and unwatched, one scene each."""
    result = bench(*RUN, "--games", "0", "--offences", "1", "--games-file", str(two_games))
    assert result.exit_code == 0, result.output
    assert "How the board counted: offences" in result.output
    assert "How the board counted: unwatched" in result.output


def test_plies_of_every_table_add_up_to_those_of_the_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of offences stand in their own tables."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", "en")
    found = {
        Key(lane, "clean", "blitz", "cells"): Row(scenes=1, plies=plies)
        for lane, plies in (("games", 471), ("offences", 13), ("unwatched", 29))
    }
    bench_tables.show(found, {})
    shown = capsys.readouterr().out
    assert [number in shown.split() for number in ("471", "13", "29")] == [True] * 3
    assert shown.splitlines()[-1] == "0 of 513 plies wrong."
    for word in ("asked: ", "silent: ", "claimed: "):
        assert word in shown


def test_the_summary_is_of_all_that_the_folder_holds(two_games: Path, tmp_path: Path) -> None:
    """A second run of something else does not forget the first."""
    out = tmp_path / "out"
    words = ("--games", "1", "--games-file", str(two_games), "--out", str(out), "--jobs", "1")
    for pace in ("blitz", "brisk"):
        told = bench("--profile", "clean", "--pace", pace, *words)
        assert told.exit_code == 0, told.output
        assert told.stdout.splitlines()[-1] == "0 of 4 plies wrong."
    found = json.loads((out / "summary.json").read_text(encoding="utf-8"))["rows"]
    assert [(row["pace"], row["plies"]) for row in found] == [("blitz", 4), ("brisk", 4)]


def test_nothing_to_be_played_is_said() -> None:
    """And which options say what is."""
    told = bench(*RUN, "--games", "0")
    assert told.exit_code == 2
    assert "nothing is to be played: --games, --offences, --degraded, --sweep or --all" in told.stderr


def test_the_bound_is_one_sided(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """0 of 60: with 95 % certainty at most 48.70 in a thousand; the interval of the JSON stays two-sided."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", "en")
    row = Row(scenes=1, plies=60)
    bench_tables.show({Key("games", "clean", "blitz", "cells"): row}, {})
    assert "48.70" in capsys.readouterr().out.split()
    assert row.to_json()["wrong_at_most"] == pytest.approx(1 - 0.05 ** (1 / 60))
    assert row.to_json()["wrong_bounds"][1] == pytest.approx(1 - 0.025 ** (1 / 60))


@pytest.mark.parametrize("sensors", ["both", "beams"])
def test_boards_with_count_sensors_are_measured_too(two_games: Path, tmp_path: Path, sensors: str) -> None:
    """The table and the summary say what the boards had; no game is taken for one of cells alone."""
    words = (*RUN, "--games", "1", "--offences", "1", "--games-file", str(two_games), "--out", str(tmp_path))
    result = bench(*words, "--sensors", sensors)
    assert result.exit_code == 0, result.output
    assert f"+{sensors} " in result.output
    rows = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["rows"]
    assert [(row["lane"], row["sensors"]) for row in rows] == [
        (lane, sensors) for lane in ("games", "offences", "unwatched")
    ]
    lines = (tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["key"] == f"games real:0 clean blitz lively 1 {sensors}"


def test_a_board_without_cells_is_spared_what_happens_to_cells() -> None:
    """Its tasks are of count sensors in every lane but the sweep, which is of cells."""
    wanted = Wanted(
        profiles=("clean",),
        paces=("blitz",),
        manners=("plain",),
        games=1,
        offences=1,
        degraded=3,
        sweep=True,
        sensors="beams",
    )
    tasks = plan(wanted)
    assert {task.lane for task in tasks} == {
        "games",
        "offences",
        "unwatched",
        "unplugged",
        "unseen",
        "ends",
        "sweep",
    }
    assert {task.lane for task in tasks if task.sensors == "cells"} == {"sweep"}
    assert all(scene_of(task).sensors == "beams" for task in tasks if task.lane != "sweep")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--sensors", "eyes"), "--sensors: eyes is not known; there are: cells, both, beams"),
        (("--profile", "perfect"), "--profile: perfect is not known; there are: clean, nominal"),
        (("--games-file", "nowhere.jsonl"), "nowhere.jsonl: no file of tournament games is there"),
    ],
)
def test_what_is_not_there_is_named(words: tuple[str, ...], told: str) -> None:
    """Before anything is played."""
    result = bench(*words)
    assert result.exit_code == 2
    assert told in result.output


def test_a_sweep_shows_where_methods_break(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Cut down to one axis and two factors; its numbers are kept as JSON."""
    monkeypatch.setattr(plans, "GRIDS", {"spread": [1.0, 16.0]})
    monkeypatch.setattr(plans, "SWEPT_PLIES", 40)
    words = ("--profile", "nominal", "--pace", "blitz", "--jobs", "1", "--games", "0")
    result = bench(*words, "--sweep", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "Where each method breaks" in result.output
    swept = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["sweep"]
    assert {(row["axis"], row["factor"]) for row in swept} == {("spread", 1.0), ("spread", 16.0)}
    assert all(len(row["silent_bounds"]) == 2 for row in swept)


def test_everything_is_all_games_and_every_lane(two_games: Path) -> None:
    """Each task has a name of its own."""
    wanted = Wanted(
        profiles=("clean",),
        paces=("blitz",),
        manners=("plain",),
        games=None,
        offences=3,
        degraded=2,
        sweep=True,
        path=two_games,
    )
    tasks = plan(wanted)
    lanes = {task.lane for task in tasks}
    assert lanes == {
        "games", "offences", "unwatched", "dead", "dying", "unplugged", "unseen", "ends", "sweep"
    }  # fmt: skip
    assert sum(task.lane == "games" for task in tasks) == 502
    assert len({task.key for task in tasks}) == len(tasks)


def test_a_sweep_stretches_the_nominal_profile_whatever_is_played() -> None:
    """Table and picture say "times nominal"; the laboratory has no drift to be stretched."""
    wanted = Wanted(profiles=("clean",), paces=("blitz",), manners=("plain",), games=0, sweep=True)
    assert {task.profile for task in plan(wanted)} == {"nominal"}


def test_games_are_found_by_their_names(two_games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real ones of the file, made ones by number, and those that come with the program."""
    assert real_games(two_games) == 2
    assert [sowing.number for sowing in game("real:0", two_games)] == [7, 9, 6, 8]
    assert names(3, two_games, 5) == ["real:0", "made:0", "real:1"]
    assert names(2, None, 5) == ["2009", "made:0"]
    assert game("2009")
    with pytest.raises(NoGameError, match="no game 'real:2' is known here"):
        game("real:2", two_games)
    monkeypatch.setenv("TOGYZ_GAMES", str(two_games))
    assert tournament_file() == two_games


def test_without_a_named_file_no_folder_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bench says which games it plays then, and how to give others."""
    monkeypatch.delenv("TOGYZ_GAMES", raising=False)
    assert tournament_file() is None
    result = bench(*RUN, "--games", "1")
    assert result.exit_code == 0, result.output
    told = "no file of tournament games is named (--games-file, TOGYZ_GAMES)"
    assert told in " ".join(result.output.split())


def a_long_run() -> dict[Key, Row]:
    """Return rows with numbers as long as a night's run makes them, on every lane."""
    row = Row(scenes=10_000, plies=999_999, wrong=99, asks=9_999, chains=999, together=99_999)
    row.entered, row.to_sure_ms, row.cpu_s = 9_999, [12_345] * 9 + [99_999], 99_999.0
    row.baselines, row.baseline_plies = {"tare": 999_999, "tracked": 99_999}, 999_999
    row.offended = {"asked": 9_999, "silent": 9_999, "claimed": 9_999, "claimed too": 9_999, "mended": 9_999}
    lanes = ("games", "offences", "a lane to come")
    return {Key(lane, profile, "classical", "cells"): row for lane in lanes for profile in ("nominal",)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_eighty_columns_hold_every_table(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No word of a head, no value and nothing of a footnote is cut off, in any language."""
    monkeypatch.setenv("TOGYZ_LANGUAGE", language)
    monkeypatch.setattr(bench_tables, "console", Console(width=80, highlight=False, emoji=False))
    tally = Tally()
    bench_tables.show(
        a_long_run(), {"temperature": {1.0: dict.fromkeys(("joint", "tare", "tracked"), tally)}}
    )
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 80
    words = shown.split()
    keys = ("caption", "bound", "wrong", "asks", "together", "entered", "p50", "cost")
    for key in keys:
        assert set(texts(language).text(f"bench.table.{key}").split()) <= set(words), key
    assert set(texts(language).text("bench.offended.caption").split()) <= set(words)
    assert "99.9/100.0" not in shown
    assert "12.3/100.0" in shown


def test_a_run_ends_with_one_sentence_and_says_what_was_played(two_games: Path) -> None:
    """How many plies were wrong is the question; what a lane is, nobody has to look up."""
    told = bench(*RUN, "--games", "1", "--games-file", str(two_games)).output
    assert told.splitlines()[-1] == "0 of 4 plies wrong."
    assert "Whole games, real and made ones." in told


def test_the_help_names_what_may_be_chosen() -> None:
    """Profiles, paces and manners, as they are typed; and its sentences end."""
    env = {"COLUMNS": "400", "TERM": "dumb"}
    told = CliRunner().invoke(app, ["--language", "en", "bench", "counting", "--help"], env=env).output
    for choices in (PROFILES, PACES, MANNERS):
        assert "|".join(choices) in told
    assert "or had to ask." in told
    above = CliRunner().invoke(app, ["--language", "en", "--help"], env=env).output
    assert "measured on simulated boards." in above


def test_a_referee_is_measured_and_a_second_run_plays_nothing_anew(tmp_path: Path) -> None:
    """One fault of two kinds: the table of kinds, what each was taken for, and a summary as JSON."""
    words = ["--kinds", "both_pressed", "--kinds", "kazan_one", "--positions", "1", "--pace", "blitz"]
    env = {"COLUMNS": "80", "TERM": "dumb", "TOGYZ_LANGUAGE": "en", "TOGYZ_GAMES": ""}
    line = ["bench", "referee", *words, "--jobs", "1", "--out", str(tmp_path)]
    first = CliRunner().invoke(app, line, env=env)
    assert first.exit_code == 0, first.output
    assert "Missed 0 of 2; named right 100.0 %" in first.output
    assert "kazan_shifted" in first.output
    assert max(map(len, first.output.splitlines())) <= 80
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert list(summary["kinds"]) == ["both_pressed", "kazan_one"]
    assert summary["all"]["false_alarms"] == 0
    results = (tmp_path / "results.jsonl").read_text(encoding="utf-8")
    assert json.loads(results.splitlines()[0])["key"] == "referee both_pressed nominal blitz plain 0"
    again = CliRunner().invoke(app, line, env=env)
    assert again.stdout == first.stdout
    assert "2 of 2 results were there already" in again.stderr
    assert (tmp_path / "results.jsonl").read_text(encoding="utf-8") == results


def test_a_kind_of_fault_that_is_not_known_is_named_with_those_that_are() -> None:
    """As every word that is mistyped."""
    result = CliRunner().invoke(
        app, ["bench", "referee", "--kinds", "nonsense"], env={"TOGYZ_LANGUAGE": "en", "COLUMNS": "200"}
    )
    assert result.exit_code == 2
    assert "nonsense" in result.output
    assert "both_pressed" in result.output

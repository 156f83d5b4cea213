"""The verbs: what they say and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.position_json import position_from_json
from rules.record.json_form import parse_record_json
from rules.record.text import format_record, parse_record
from tests.firmware_bridge.commands.record.games import (
    FULL_2009,
    GAME_2009,
    NOTED,
    PRINTED_2009,
    run,
)

BAD = "1. 3-2 9-8\n"
NINE = ",".join(["9S"] * 9)
WHY = "expected a move that Bastaushy can play: pit 3 holds 9 and makes 3:2, the kazan then holds 10"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a sound and a faulty file, and one that is empty."""
    (tmp_path / "a.txt").write_text(f"{NOTED}\n{GAME_2009}", encoding="utf-8")
    (tmp_path / "b.txt").write_text(BAD, encoding="utf-8")
    (tmp_path / "c.txt").write_text("", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("verb", ["show", "check", "convert", "restore", "diagram", "merge"])
@pytest.mark.parametrize("language", ["kk", "ru", "en"])
def test_every_verb_explains_itself(verb: str, language: str) -> None:
    """In every language, without a raw key."""
    told = run(verb, "--help", language=language)
    assert told.exit_code == 0
    assert "record." not in told.output
    assert len(told.output.split()) > 60


def test_the_codes_of_check_tell_programs_what_it_found(folder: Path) -> None:
    """0 sound, 1 faulty, 2 unusable."""
    assert run("check", str(folder / "a.txt")).exit_code == 0
    assert run("check", str(folder / "a.txt"), str(folder / "b.txt")).exit_code == 1
    assert run("check", str(folder)).exit_code == 2
    assert run("check", "--nonsense").exit_code == 2


def test_check_sums_up_each_file_and_all(folder: Path) -> None:
    """A line for each, and one for all; what cannot be used is told on the other stream."""
    told = run("check", str(folder))
    assert told.stdout.splitlines() == [
        f"{folder}/a.txt: 2 games, 66 plies: sound",
        f"{folder}/b.txt:1:4: game 1: “3-2”: {WHY}",
        f"{folder}/b.txt: 0 games, 0 plies: 1 faulty game",
        "In all: 2 games, 66 plies, 3 inputs, 1 faulty game, 1 unusable input",
    ]
    assert told.stderr == f"togyz: {folder}/c.txt: there is no game in it\n"
    assert len(run("check", "--quiet", str(folder)).stdout.splitlines()) == 2


def test_check_speaks_json_to_programs(folder: Path) -> None:
    """One object a line, of every game, file and all."""
    told = [json.loads(line) for line in run("check", "--json", str(folder)).stdout.splitlines()]
    kinds = [one["kind"] for one in told]
    assert kinds == ["game", "game", "file", "fault", "file", "unusable", "file", "total"]
    assert told[0] == {
        "kind": "game",
        "file": f"{folder}/a.txt",
        "game": 1,
        "bastaushy": "Қалам Бастаушыұлы",
        "qostaushy": "Қағаз Қостаушықызы",
        "plies": 6,
        "result": "1-0",
        "reason": "resignation",
        "kazans": [32, 15],
    }
    assert (told[3]["line"], told[3]["column"], told[3]["word"]) == (1, 4, "3-2")
    assert told[-1] == {
        "kind": "total", "files": 3, "games": 2, "plies": 66, "faults": 1, "unusable": 1, "code": 2,
    }  # fmt: skip


def test_show_picks_a_game_and_a_ply(folder: Path) -> None:
    """By the number of the game, and of the ply or the move."""
    path = str(folder / "a.txt")
    assert "Асан" not in run("show", "--game", "2", path).stdout
    by_ply, by_move = (run("show", "--game", "1", "--ply", ply, path).stdout for ply in ("4", "2..."))
    assert by_ply == by_move
    assert "2... 4:4=" in by_ply
    assert "○" not in run("show", "--game", "1", "--ply", "0", path).stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--ply", "7"), "there is no ply 7: the game has 6 plies"),
        (("--ply", "4."), "there is no ply 4.: the game has 6 plies"),
        (("--ply", "0."), "there is no ply 0.: the game has 6 plies"),
        (("--ply", "last"), "“last” is no ply: a number such as 23, or a move such as 12. or 12..."),
        (("--game", "3"), "there is no game number 3"),
    ],
)
def test_show_says_what_is_not_there(words: tuple[str, ...], why: str) -> None:
    """And ends as unusable."""
    told = run("show", *words, text=NOTED)
    assert told.exit_code == 2
    assert told.stderr == f"togyz: {why}\n"


def test_convert_is_a_filter() -> None:
    """From any form into any other, and back to the same."""
    there = run("convert", "--to", "json", text=NOTED)
    assert (there.exit_code, there.stderr) == (0, "")
    assert parse_record_json(there.stdout) == parse_record(NOTED)
    back = run("convert", text=there.stdout)
    assert back.stdout == format_record(parse_record(NOTED))


def test_convert_writes_every_notation_and_what_it_is_told_to() -> None:
    """Diagrams and kazans as wished."""
    assert "%diagram" in run("convert", text=GAME_2009).stdout
    assert "%diagram" not in run("convert", "--no-diagrams", text=GAME_2009).stdout
    assert "1. 3:2(10) 9-8(0)" in run("convert", "--kazans", text=GAME_2009).stdout
    assert "1. 39:210 99-811" in run("convert", "--notation", "full", text=GAME_2009).stdout


def test_convert_warns_of_what_is_lost() -> None:
    """What PlayStrategy has no place for, with the number of games."""
    told = run("convert", "--to", "playstrategy", text=NOTED)
    assert told.exit_code == 0
    assert told.stdout.splitlines()[0:2] == ['[Event "Қазақстан чемпионаты"]', '[Round "3"]']
    assert "1. c1h2 a2h1" in told.stdout
    assert told.stderr == (
        "togyz: playstrategy cannot carry, and left out (games): clocks (1), rulings (1), remarks (1), "
        "judgements (1), draw offers (1), reason of the result (1), recorder and signatures (1)\n"
    )


def test_convert_keeps_the_start_that_is_not_the_usual_one() -> None:
    """In every form that has moves."""
    text = '[Position "9S,8/1,9S,7 72 72 S 5"]\n5. 21\n'
    end = run("convert", "--to", "fen", text=text).stdout
    for form in ("text", "playstrategy", "playok", "json"):
        there = run("convert", "--to", form, text=text).stdout
        assert run("convert", "--to", "fen", text=there).stdout == end


def test_a_form_with_one_notation_takes_no_other() -> None:
    """It would be a silent wish."""
    told = run("convert", "--to", "playok", "--notation", "full", text=NOTED)
    assert told.exit_code == 2
    assert told.stderr == "togyz: playok has one notation, total; leave --notation out\n"


def test_convert_goes_on_behind_a_fault(folder: Path) -> None:
    """The sound games are there, the fault is told."""
    told = run("convert", "--to", "fen", str(folder))
    assert told.exit_code == 2
    assert len(told.stdout.splitlines()) == 2
    assert "b.txt:1:4: game 1:" in told.stderr


def test_convert_into_a_file_and_into_a_folder(folder: Path) -> None:
    """One with all games, or one each; nothing is overwritten unless it is said."""
    path, target = folder / "a.txt", folder / "out.txt"
    assert run("convert", str(path), "-o", str(target)).exit_code == 0
    again = run("convert", str(path), "-o", str(target))
    assert (again.exit_code, again.stdout) == (2, "")
    assert again.stderr == f"togyz: {target} is there already; --force replaces it\n"
    assert run("convert", str(path), "-o", str(target), "--force").exit_code == 0
    assert run("check", str(target)).exit_code == 0
    assert run("convert", str(path), "--to", "json", "-o", f"{folder}/each/").exit_code == 0
    assert sorted(file.name for file in (folder / "each").iterdir()) == ["a-2.json", "a.json"]


def test_a_file_that_is_there_keeps_no_other_from_being_written(folder: Path) -> None:
    """It is named, and the others are there."""
    (folder / "each").mkdir()
    (folder / "each" / "a.txt").write_text("mine", encoding="utf-8")
    told = run("convert", str(folder / "a.txt"), "-o", str(folder / "each"))
    assert told.exit_code == 2
    assert told.stderr == f"togyz: {folder}/each/a.txt is there already; --force replaces it\n"
    assert (folder / "each" / "a.txt").read_text(encoding="utf-8") == "mine"
    assert (folder / "each" / "a-2.txt").exists()


def test_a_file_can_be_converted_in_its_place(folder: Path) -> None:
    """It is read to its end before it is replaced."""
    path = folder / "a.txt"
    assert run("convert", str(path), "-o", str(path), "--force").exit_code == 0
    assert run("check", str(path)).stdout.startswith(f"{path}: 2 games, 66 plies: sound")


def test_standard_input_is_read_once() -> None:
    """Twice makes no sense."""
    told = run("check", "-", "-", text=NOTED)
    assert told.exit_code == 2
    assert told.stderr == "togyz: standard input (-) can be read only once\n"


def test_restore_completes_a_sheet(tmp_path: Path) -> None:
    """Into a record that is sound, with the head of the sheet."""
    target = tmp_path / "whole.txt"
    told = run("restore", "-o", str(target), text=PRINTED_2009)
    assert told.exit_code == 0
    assert parse_record(target.read_text(encoding="utf-8")).sowings == parse_record(GAME_2009).sowings
    assert '[Qostaushy "Райымбекова Роза"]' in target.read_text(encoding="utf-8")
    piped = run("restore", "-o", "-", text=PRINTED_2009)
    assert piped.stdout == target.read_text(encoding="utf-8")
    assert "There is exactly one such game" in piped.stderr


def test_restore_writes_nothing_where_several_games_are_possible(tmp_path: Path) -> None:
    """It names them instead: 21 pairs of 2009."""
    target = tmp_path / "whole.txt"
    told = run("restore", "-o", str(target), text=FULL_2009)
    assert told.exit_code == 1
    assert "The sheet leaves a choice: 21 games." in told.stdout
    assert told.stdout.count(") 31. ") == 21
    assert told.stderr == f"togyz: {target} was not written: there is no single game\n"
    assert not target.exists()
    few = run("restore", "--limit", "3", text=FULL_2009).stdout
    assert few.count(") 31. ") == 3
    assert "There are more" in few


def test_restore_says_which_of_two_sheets_was_right(tmp_path: Path) -> None:
    """Where they differ (2.3.5)."""
    first, second = tmp_path / "1.txt", tmp_path / "2.txt"
    first.write_text(PRINTED_2009.replace("15. 45 56", "15. 45 67"), encoding="utf-8")
    second.write_text(PRINTED_2009.replace("28. 45 89 ", ""), encoding="utf-8")
    told = run("restore", str(first), str(second), "--width", "1000")
    assert told.exit_code == 0, told.output
    assert "The sheets differ:" in told.stdout
    assert f"→ 56 is right ({second})" in told.stdout


def test_restore_refuses_what_is_no_sheet(tmp_path: Path) -> None:
    """With the place."""
    (tmp_path / "long.txt").write_text("{x}\n" * 300_000, encoding="utf-8")
    for words, text, why in (
        ((), "1. what", "standard input:1:4: “what”: expected a move"),
        ((), "1. 76 7/", "standard input:1:7: “7/”: expected a move"),
        ((), " \n", "standard input: there is no game in it"),
        ((str(tmp_path / "no.txt"),), "", f"{tmp_path}/no.txt: there is no such file"),
        ((str(tmp_path / "long.txt"),), "", f"{tmp_path}/long.txt: a sheet has at most 1000000 characters"),
    ):
        told = run("restore", *words, text=text)
        assert told.exit_code == 2
        assert told.stderr.startswith(f"togyz: {why}")


def test_restore_says_when_too_much_is_open() -> None:
    """And where."""
    told = run("restore", text="1. 76 30. 12")
    assert told.exit_code == 1
    assert told.stdout.startswith("The sheet leaves too much open.\n  The gap from 1... to 29... has more")


def test_diagram_writes_a_position_in_four_forms() -> None:
    """Drawn, printed, as FEN and as JSON."""
    fen = run("diagram", "--moves", "76 98", "--form", "fen").stdout
    assert fen == "1S,9S,9S,1,10S,10S,10S,10S,10S/10S,10S,10S,10S,10S,10S,2S,11S,10S 10 0 S 2\n"
    assert run("diagram", "--fen", fen.strip(), "--form", "fen").stdout == fen
    assert run("diagram", text=fen).stdout == run("diagram", "--fen", fen.strip()).stdout
    printed = run("diagram", text=fen).stdout
    assert "│  10  │" in printed
    lines = run("diagram", "--form", "printed", text=fen).stdout.splitlines()
    assert [line.strip() for line in lines][::3] == ["0", "10"]
    data = json.loads(run("diagram", "--form", "json", text=fen).stdout)
    assert position_from_json(data).kazans == (10, 0)


def test_diagram_takes_a_game_a_ply_and_moves_on_from_there(folder: Path) -> None:
    """As if they had been played."""
    path = str(folder / "a.txt")
    after = run("diagram", path, "--ply", "1...", "--moves", "78 44", "--form", "fen").stdout
    assert after == run("diagram", path, "--ply", "4", "--form", "fen").stdout
    end = run("diagram", path, "--game", "2", "--form", "fen").stdout
    assert end == run("convert", "--to", "fen", text=GAME_2009).stdout


@pytest.mark.parametrize(
    ("words", "text", "code", "why"),
    [
        (("a", "--fen", "b"), "", 2, "name an input or --fen, not both"),
        (("--fen", "bad"), "", 2, "“bad”: expected a position as PlayStrategy writes it"),
        (
            ("--moves", "76 77"),
            "",
            2,
            "--moves, 4: “77”: expected a move that Qostaushy can play: pit 7 holds 9",
        ),
        (("--ply", "3"), "1,9S,7/1,9S,7 72 72 S 1\n", 2, "this is one position, so --ply has no place here"),
        (("--game", "2"), NOTED, 2, "there is no game number 2"),
        ((), BAD, 1, "standard input:1:4: game 1: “3-2”: expected a move"),
        ((), "", 2, "standard input: there is no game in it"),
        (("missing.txt",), "", 2, "missing.txt: there is no such file"),
    ],
)
def test_diagram_says_what_is_wrong(words: tuple[str, ...], text: str, code: int, why: str) -> None:
    """In one line."""
    told = run("diagram", *words, text=text)
    assert told.exit_code == code
    assert told.stderr.startswith(f"togyz: {why}")
    assert told.stderr.count("\n") == 1


def test_merge_takes_from_each_what_it_has(tmp_path: Path) -> None:
    """Names from one, clocks from the other."""
    one, other = tmp_path / "1.txt", tmp_path / "2.txt"
    one.write_text('[City "Алматы"]\n1. 3:2! 9-8 2. 7:8\n', encoding="utf-8")
    other.write_text(NOTED, encoding="utf-8")
    told = run("merge", str(one), str(other))
    assert (told.exit_code, told.stderr) == (0, "")
    assert '[City "Алматы"]' in told.stdout
    assert "1. 3:2! {%clock 0:59:50 1:00:00}" in told.stdout
    assert told.stdout.endswith("1-0\n")


def test_merge_refuses_contradictions_and_decides_them_when_told(tmp_path: Path) -> None:
    """Each decision stands in the record as a remark."""
    one, other = tmp_path / "1.txt", tmp_path / "2.txt"
    one.write_text('[Round "3"]\n1. 3:2 9-8 2. 7:8\n', encoding="utf-8")
    other.write_text('[Round "4"]\n1. 3:2 9-8 2. 5:6\n', encoding="utf-8")
    refused = run("merge", str(one), str(other))
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.splitlines() == [
        f"togyz: 2. Move: 7:8 ({one}) or 5:6 ({other})",
        f"togyz: Round: 3 ({one}) or 4 ({other})",
        "togyz: the records contradict each other; --prefer first or second decides",
    ]
    told = run("merge", str(one), str(other), "--prefer", "second")
    assert told.exit_code == 0
    assert '[Round "4"]' in told.stdout
    assert f"{{2. Move: 5:6 ({other}), not 7:8 ({one})}}" in told.stdout
    assert run("check", text=told.stdout).exit_code == 0


def test_merge_wants_two_records_of_sound_games(tmp_path: Path) -> None:
    """And writes what holds everything only."""
    path = tmp_path / "1.txt"
    path.write_text(NOTED, encoding="utf-8")
    for words, why in (
        ((str(path),), "two records of the same game are needed"),
        ((str(path), str(tmp_path / "2.txt")), f"{tmp_path}/2.txt: there is no such file"),
        ((str(path), str(path), "--to", "fen"), "merge writes text or json"),
    ):
        told = run("merge", *words)
        assert told.exit_code == 2
        assert told.stderr == f"togyz: {why}\n"


def test_the_name_of_a_sheet_steers_no_terminal(tmp_path: Path) -> None:
    """Whoever hands in a file chooses what it is called."""
    path = tmp_path / "a\x1b[31m.txt"
    path.write_text(BAD, encoding="utf-8")
    told = run("restore", str(path))
    assert told.exit_code == 1
    assert "\x1b" not in told.output


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        (f"{NINE}/8S{NINE[2:]} 0 0 S 1", "there are 161 stones instead of 162"),
        (f"9,{NINE}/{NINE} 0 0 S 1", "a row has nine pits, here it has 18"),
        (f"t{NINE[2:]}/{NINE} 9 0 S 1", "a row has one tuzdyk at most, and never in pit 9"),
        (
            "9S,9S,9S,t,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,t,9S,9S,9S 9 9 S 1",
            "both tuzdyks have the number 6",
        ),
    ],
)
def test_an_impossible_position_says_what_is_wrong_with_it(fen: str, why: str) -> None:
    """Not only that it is one."""
    told = run("diagram", "--fen", fen)
    assert told.exit_code == 2
    assert told.stderr.endswith(f"expected a position as PlayStrategy writes it: {why}\n")


def test_a_name_too_long_for_any_file_is_refused(tmp_path: Path) -> None:
    """In one line, as everything that cannot be written."""
    told = run("convert", "-o", str(tmp_path / ("x" * 300)), text=GAME_2009)
    assert told.exit_code == 2
    assert told.stderr.endswith("x cannot be written: File name too long\n")


def test_a_folder_written_twice_is_told_in_few_lines(tmp_path: Path) -> None:
    """Five files by name, and how many more."""
    text = "\n\n".join([GAME_2009] * 8)
    assert run("convert", "-o", f"{tmp_path}/", text=text).exit_code == 0
    told = run("convert", "-o", f"{tmp_path}/", text=text)
    assert told.exit_code == 2
    assert told.stderr.splitlines()[4:] == [
        f"togyz: {tmp_path}/game-5.txt is there already; --force replaces it",
        "togyz: and 3 more files",
    ]

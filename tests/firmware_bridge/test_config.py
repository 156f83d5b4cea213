"""The configuration file: what is wrong in it is named, with the nearest right word."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.config import ConfigError, load_config
from rules.conduct.options import PRESETS, Conducts
from rules.control_text import parse_control

GOOD = """
[board]
id = "board-1"
state_dir = "state"
[device]
port = "board.tty"
[calibration]
file = "calibration.json"
"""


def _load(folder: Path, text: str) -> str:
    path = folder / "board.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    message = str(caught.value)
    assert str(path) in message
    return message


def test_a_small_file_is_enough_and_paths_start_at_its_folder(tmp_path: Path) -> None:
    """Three tables describe a board."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD, encoding="utf-8")
    config = load_config(path)
    assert config.board.state_dir == tmp_path / "state"
    assert config.device.port == tmp_path / "board.tty"
    assert config.calibration.file == tmp_path / "calibration.json"
    assert config.layout.wiring().channels == tuple(range(20))
    assert config.board.keys is None


def test_the_keys_of_a_board_lie_beside_its_file(tmp_path: Path) -> None:
    """Or where a whole path says."""
    path = tmp_path / "board.toml"
    for written, found in (("b.keys", tmp_path / "b.keys"), ("/etc/b.keys", Path("/etc/b.keys"))):
        path.write_text(GOOD.replace("[board]", f'[board]\nkeys = "{written}"'), encoding="utf-8")
        assert load_config(path).board.keys == found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD.replace("port", "prt"), "`device.prt` is not a setting; did you mean `port`?"),
        (GOOD + "[gmae]\nminutes = 5\n", "`gmae` is not a setting; did you mean `game`?"),
        (
            GOOD + "[hall]\nxyz = 5\n",
            "`hall.xyz` is not a setting; known here: announce, conduct, host, keys, port, show_counts",
        ),
        (GOOD.replace("[calibration]\nfile", "[calibration]\n#"), "`calibration.file` is missing; add it"),
        (GOOD.replace("board-1", "Board 1"), "`board.id` = 'Board 1'"),
        (GOOD + '[game]\nminutes = "long"\n', "`game.minutes` = 'long'"),
        (
            GOOD + '[game]\ncontrol = "60"\n',
            "`game.control` = '60': '60' is no time control: at character 1 expected `none`, a time",
        ),
        (
            GOOD + '[game]\nminutes = 5\ncontrol = "blitz"\nincrement_seconds = 1\n',
            "`control` says how long they have; take `minutes`, `increment_seconds` out",
        ),
        (GOOD + "[layout]\nkazan_a = 3\n", "channel 3 serves two places"),
        (GOOD + "[layout]\ncells = false\n", "side_a has neither cells nor count sensors"),
        (
            GOOD + "[layout]\ncells = false\nkazan_a = 3\n",
            "`cells = false` says that there are no cells; take `kazan_a` out",
        ),
        (GOOD + '[broker]\nusername = "b"\n', "needs the `host` of the broker"),
        (GOOD + '[broker]\nhost = "h"\npassword = "b"\n', "a password needs a `username`"),
        ("[board", "not valid TOML"),
        ("x = " + "[" * 5000 + "]" * 5000, "not valid TOML: nested too deep"),
        ("x = " + "9" * 5000, "not valid TOML: "),
        (GOOD + "[game]\nminutes = 0.000001\n", "`game.minutes` = 1e-06"),
        (GOOD + "[game]\nminutes = true\n", "`game.minutes` = True: Input should be a valid number"),
        (GOOD + '[game]\nminutes = "60"\n', "`game.minutes` = '60': Input should be a valid number"),
        (GOOD + "[hall]\nport = 80.0\n", "`hall.port` = 80.0: Input should be a valid integer"),
        (GOOD + "[hall]\nshow_counts = 1\n", "`hall.show_counts` = 1: Input should be a valid boolean"),
        (GOOD + "[layout]\nkazan_a = 1000\n", "`layout.kazan_a` = 1000"),
        (GOOD + "[emulator]\nseed = 1.5\n", "`emulator.seed` = 1.5"),
        (GOOD + '[game]\nbastaushy = "  "\n', "`game.bastaushy` = '  ': shows nothing"),
        (
            GOOD.replace('"state"', '"~nouser99/x"'),
            "`board.state_dir` = '~nouser99/x': there is no such user",
        ),
        (GOOD.replace('"state"', '"a\\u0000b"'), "`board.state_dir` = 'a\\x00b': holds a character"),
        (GOOD.replace('"state"', '"a\\nb"'), "`board.state_dir` = 'a\\nb': holds a character"),
        (GOOD.replace('"state"', "7"), "`board.state_dir` = 7: a path is needed"),
        (GOOD.replace('"board.tty"', '""'), "`device.port` = '': a path is needed"),
        (GOOD.replace('"calibration.json"', '"c\\u0000"'), "`calibration.file` = 'c\\x00': holds"),
        (GOOD + '[broker]\nhost = ""\n', "`broker.host` = ''"),
        (GOOD + '[broker]\nhost = "a..b"\n', "`broker.host` = 'a..b': this is no host name"),
        (GOOD + '[hall]\nhost = "a b"\n', "`hall.host` = 'a b': a host name holds no blanks"),
        (GOOD + f'[broker]\nhost = "h"\nusername = "{"u" * 70_000}"\n', "`broker.username` = 'uuu"),
    ],
)
def test_each_mistake_names_file_key_and_value(tmp_path: Path, text: str, told: str) -> None:
    """A typo is met with the word that was meant."""
    assert told in _load(tmp_path, text)


def test_a_file_may_begin_with_a_byte_order_mark_and_have_other_ends_of_line(tmp_path: Path) -> None:
    """As editors on another system write it."""
    path = tmp_path / "board.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load_config(path).board.id == "board-1"


def test_whole_minutes_and_a_host_by_address_are_taken(tmp_path: Path) -> None:
    """Strict is not pedantic: 60 is a number of minutes, and `::1` a host."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD + '[game]\nminutes = 60\n[broker]\nhost = "::1"\n', encoding="utf-8")
    assert load_config(path).game.minutes == 60


def test_the_home_folder_stands_for_its_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is said, too."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    path = tmp_path / "board.toml"
    path.write_text(GOOD.replace('state_dir = "state"', ""), encoding="utf-8")
    assert load_config(path).board.state_dir == tmp_path / "home" / ".local" / "state" / "togyz"


def test_what_is_no_file_is_told_and_not_waited_for(tmp_path: Path) -> None:
    """A pipe nobody writes to would never end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, Path("/dev/zero")):
        with pytest.raises(ConfigError, match="it is no file"):
            load_config(path)


def test_several_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """One run tells everything there is to mend."""
    message = _load(tmp_path, GOOD + "[hall]\nport = 99999\nhots = 'x'\n")
    assert "hall.port" in message
    assert "did you mean `host`?" in message


def test_a_missing_or_binary_file_is_told(tmp_path: Path) -> None:
    """The file itself may be the mistake."""
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "none.toml")
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(path)


def test_traces_are_written_where_and_as_large_as_it_says(tmp_path: Path) -> None:
    """Left out: none, and their folder beside the journal; a relative one starts at the file's folder."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD, encoding="utf-8")
    trace = load_config(path).trace
    assert (trace.always, trace.folder, trace.file_mb) == (False, None, 64)
    path.write_text(GOOD + '[trace]\nalways = true\nfolder = "t"\n', encoding="utf-8")
    trace = load_config(path).trace
    assert (trace.always, trace.folder) == (True, tmp_path / "t")
    told = _load(tmp_path, GOOD + "[trace]\ntotal_mb = 10\n")
    assert "`total_mb` is less than `file_mb`: not even one trace may be kept" in told


BARE = """
[board]
id = "b1"
[device]
port = "/dev/x"
[calibration]
file = "c.json"
"""


def test_what_the_event_has_chosen_is_read_and_held_to_what_can_be_chosen(tmp_path: Path) -> None:
    """A preset by the control, unless one is named; a misspelt option is no option."""
    path = tmp_path / "b.toml"
    path.write_text(BARE + '\n[game]\ncontrol = "7m"\n[conduct]\nflag_callers = "arbiter"\n')
    config = load_config(path)
    conduct = config.conducts().under(config.game.time_control())
    assert (conduct.touch_move, conduct.flag_callers) == (False, "arbiter")
    hours = config.conducts().under(parse_control("120m"))
    assert (hours.touch_move, hours.flag_callers) == (True, "arbiter")
    path.write_text(BARE + '\n[conduct]\npreset = "blitz"\n')
    assert load_config(path).conducts() == Conducts.alike(PRESETS["blitz"])
    path.write_text(BARE + '\n[conduct]\npreset = "classical"\ntouchmove = false\n')
    with pytest.raises(ConfigError, match="touchmove"):
        load_config(path)

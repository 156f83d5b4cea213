"""`[pins]`: which GPIO is what; every mistake in it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.commands.pins import program_of
from firmware_bridge.config import Config, ConfigError, load_config

HEAD = """\
[board]
id = "b"
event = "e"
state_dir = "state"
[device]
port = "b.tty"
[calibration]
file = "c.json"
"""

FULL = """\
[pins]
clock = 11
data = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]
rate = 10
buttons = [23, 24, 25]
lamp_attention = 26
buzzer = 27
"""


def load(folder: Path, text: str) -> Config:
    """Return the configuration with this text behind what every board has."""
    path = folder / "board.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    return load_config(path)


def test_twenty_cells_and_three_buttons_fit_a_header(tmp_path: Path) -> None:
    """All of its 26 pins are used."""
    config = load(tmp_path, FULL)
    assert not config.pins.empty
    assert config.pins.channels == 20
    assert config.pins.lamps == (None, None, 26, None)
    assert sorted(pin for _, pin in config.pins.used()) == list(range(2, 28))
    program_of(config)


def test_without_the_section_nothing_is_read_from_a_header(tmp_path: Path) -> None:
    """Nearly all boards have a microcontroller."""
    assert load(tmp_path, "").pins.empty


def test_a_header_of_buttons_alone_is_not_held_to_the_layout_s_channels(tmp_path: Path) -> None:
    """There are no cells, or they are nobody's business yet."""
    config = load(tmp_path, "[pins]\nbuttons = [5, 6, 13]\n")
    assert not config.pins.empty
    assert config.pins.channels == 0


def test_count_sensors_are_the_channels_behind_the_cells(tmp_path: Path) -> None:
    """A board that counts only has them from channel 0 on."""
    beams = "beam_a = [0,1,2,3,4,5,6,7,8]\nbeam_b = [9,10,11,12,13,14,15,16,17]\n"
    layout = f"[layout]\ncells = false\n{beams}beam_kazan_a = 18\nbeam_kazan_b = 19\n"
    pins = f"[pins]\nbeams = {list(range(2, 22))}\nbuttons = [22, 23, 24]\n"
    assert load(tmp_path, layout + pins).pins.channels == 20


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "[pins]\nbuttons = [5, 6, 5]\n",
            "GPIO 5 stands in `buttons[0]`, `buttons[2]`: a pin is one thing",
        ),
        (
            "[pins]\nbuttons = [5]\nbuzzer = 5\n",
            "GPIO 5 stands in `buttons[0]`, `buzzer`: a pin is one thing",
        ),
        ("[pins]\nbuttons = [28]\n", "`pins.buttons.0` = 28"),
        ("[pins]\nbuttons = [1]\n", "`pins.buttons.0` = 1"),
        ("[pins]\nbuttons = ['GPIO5']\n", "`pins.buttons.0` = 'GPIO5'"),
        ("[pins]\ndata = [5]\n", "converters need the pin of their `clock`"),
        ("[pins]\nclock = 5\n", "a `clock` is for converters: give their pins in `data`"),
        ("[pins]\nclock = 11\ndata = [5, 6]\n", "[layout] names channel 2, and `data` of [pins] has no such"),
        ("[pins]\nbuttons = [5, 6]\n", "[layout] names button 2, and `buttons` of [pins] has no such button"),
        ("[pins]\nbuttons = [5, 6, 13]\nrate = 40\n", "`pins.rate` = 40"),
        ("[pins]\nbuttons = [5, 6, 13]\ndebounce_ms = 3\n", "`pins.debounce_ms` = 3"),
        (
            "[pins]\nbuttons = [5, 6, 13]\nbuzer = 4\n",
            "`pins.buzer` is not a setting; did you mean `buzzer`?",
        ),
        ("[pins]\nfactory = 'Lgpio 2'\nbuttons = [5]\n", "`pins.factory` = 'Lgpio 2'"),
    ],
)
def test_every_mistake_is_named(text: str, told: str, tmp_path: Path) -> None:
    """With the key and the value."""
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    assert told in str(caught.value)


def test_a_beam_of_the_layout_that_is_a_cell_s_channel_is_named(tmp_path: Path) -> None:
    """Cells come first."""
    text = "[layout]\nbeam_kazan_a = 20\nbeam_kazan_b = 21\n" + FULL.replace("buzzer = 27", "beams = [27]")
    with pytest.raises(
        ConfigError, match=r"\[layout\] names channel 21, and `beams` of \[pins\] has no such"
    ):
        load(tmp_path, text)


def test_a_mistake_between_two_sections_does_not_print_the_whole_file(tmp_path: Path) -> None:
    """What is wrong would stand behind all of it."""
    with pytest.raises(ConfigError) as told:
        load(tmp_path, "[pins]\nbuttons = [2, 3]\n")
    assert "`the file` = {...}: [layout] names button 2" in str(told.value)

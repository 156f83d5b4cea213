"""The board file, the variants of config.py, and what goes onto a device."""

from __future__ import annotations

import ast
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from sensors import frames
from tests.deploy.pico.benched import Benched, BenchError
from tests.deploy.pico.firmware_process import FIRMWARE, command
from tests.deploy.pico.hosted import MS, SECOND, Hosted, hosted
from tests.machine import ROOT, find_program

pytestmark = pytest.mark.micropython


def hello(table: Hosted) -> frames.Hello:
    """Return who the device says it is."""
    table.run(100 * MS)
    found = table.host.hello
    assert found is not None
    return found


def test_boot_ids_are_random_and_never_the_same() -> None:
    """Even where the chip's number is the same."""
    found = set()
    for _ in range(4):
        with hosted() as table:
            found.add(hello(table).boot_id)
    assert len(found) == 4
    assert 0 not in found


@pytest.mark.parametrize(("cause", "reason"), [(1, 1), (3, 2), (9, 0)], ids=["power", "watchdog", "unknown"])
def test_the_reason_of_a_reset_is_told(cause: int, reason: int) -> None:
    """As far as these chips tell it."""
    with hosted({"cause": cause}) as table:
        assert hello(table).reset_reason == reason


def test_a_board_without_a_name_is_called_by_its_chip() -> None:
    """Two boards of the same flash are told apart."""
    with hosted({"BOARD_ID": ""}) as table:
        assert hello(table).board_id == "pico-0102030405060708"


def test_a_board_of_count_sensors_only_reads_them_at_its_rate() -> None:
    """Running numbers, one a channel, that turn over at 2^23 (PROTOCOL.md: bit 5 of the features)."""
    pins = {"dout": [], "beams": list(range(20))}
    with hosted({"PINS": pins, "RATE_HZ": 50}) as table:
        said = hello(table)
        assert (said.channels, said.rate_centihz) == (20, 5000)
        assert said.features & frames.FEATURE_COUNTERS
        table.bench.do("setattr(firmware._board.counters[3], 'pulses', 0x7FFFFE)")
        for _ in range(3):
            for low in (1, 0):
                table.bench.do(f"world.beam(3, {low})")
                table.bench.do("world.pass_us(9000)")
        found = table.run(SECOND)
        assert found[-1].raw[3] == 1
        assert found[-1].raw[4] == 0
        assert set(found[-1].status) == {0}
        assert 49 <= len(found) <= 54


def test_a_falling_stone_is_one_pulse_however_the_beam_flickers() -> None:
    """Edges within 2 ms are one; the next stone is another."""
    with hosted({"PINS": {"dout": [], "beams": [5]}}) as table:
        hello(table)
        for after_us in (300, 300, 300, 8000):
            for low in (1, 0):
                table.bench.do(f"world.beam(5, {low})")
                table.bench.do(f"world.pass_us({after_us // 2})")
        table.bench.do("world.beam(5, 1)")
        assert table.run(100 * MS)[-1].raw == (2,)


def test_count_sensors_beside_cells_follow_them() -> None:
    """Fewer channels of both kinds, in the order of config.py."""
    with hosted({"PINS": {"dout": [0, 1, 2], "beams": [8, 9]}}) as table:
        table.bench.show([70, 80, 90])
        assert hello(table).channels == 5
        table.bench.do("world.beam(9, 1)")
        last = table.run(200 * MS)[-1]
        assert last.raw == (70, 80, 90, 0, 1)
        assert last.status == (0,) * 5


def test_what_is_not_fitted_is_not_said() -> None:
    """No dials, no buzzer, no arbiter's lamp, two buttons."""
    outputs = {"lamp_a": 3, "lamp_b": 4, "lamp_attention": 5}
    with hosted({"OUTPUTS": outputs, "PINS": {"buttons": [21, 22]}}) as table:
        said = hello(table)
        assert said.features == frames.FEATURE_LOADS | frames.FEATURE_BUTTONS | frames.FEATURE_LAMPS
        assert said.buttons == 2
        table.host.clock(frames.RUNNING_A, 0)
        table.run(200 * MS)
        assert table.host.beats is not None


def test_a_board_of_cells_and_buttons_alone_works() -> None:
    """No lamps, no displays, no buzzer, and no shift register either."""
    with hosted({"OUTPUTS": {}, "PINS": {"shift": None}}) as table:
        table.bench.show([1] * 20)
        assert hello(table).features == frames.FEATURE_LOADS | frames.FEATURE_BUTTONS
        assert table.run(200 * MS)[-1].raw == (1,) * 20


def test_chips_may_be_soldered_in_any_order() -> None:
    """The order of config.py is that of the channels."""
    pins = [7, 3, 12, 0]
    with hosted({"PINS": {"dout": pins}, "fast": False}, step_us=500) as table:
        table.bench.do("[setattr(chip, 'value', pin * 100) for pin, chip in world.chips.items()]")
        assert table.run(400 * MS)[-1].raw == (700, 300, 1200, 0)


def test_the_line_may_be_a_uart() -> None:
    """921600 baud, never waited for; its pins are no chips'."""
    settings = {"LINE": "uart", "PINS": {"dout": [2, 3, 4, 5]}}
    with hosted(settings) as table:
        table.bench.show([10, 20, 30, 40])
        assert hello(table).channels == 4


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"PINS": {"beams": [19]}}, "GP19 serves twice: dout and beams"),
        ({"PINS": {"buttons": [21, 22, 27]}}, "GP27 serves twice: buttons and clock"),
        ({"PINS": {"sck": 25}}, "GP25 (sck) is not on the header"),
        ({"PINS": {"shift": None}}, "GP0 serves twice: dout and dial_clock"),
        (
            {"PINS": {"shift": {"data": 26, "clock": 28, "latch": 27}}},
            "latch is GP27, not the one behind clock",
        ),
        ({"LINE": "uart"}, "GP0 serves twice: dout and uart tx"),
        ({"GAIN_PULSES": 4}, "GAIN_PULSES is 4, no whole number from 1 to 3"),
        ({"WATCHDOG_MS": 60_000}, "WATCHDOG_MS is 60000, no whole number from 0 to 8388"),
        ({"BOARD_ID": "a\x1bb"}, "BOARD_ID is 'a\\x1bb', no text of at most 32 bytes"),
        ({"LINE": "wifi"}, "LINE is 'wifi', neither usb nor uart"),
        ({"OUTPUTS": {"lmp_a": 3}}, "OUTPUTS has 'lmp_a', none of dial_clock"),
        ({"OUTPUTS": {"dial_a": 1}}, "OUTPUTS: a dial needs dial_clock"),
        ({"OUTPUTS": {"buzzer": 8}}, "OUTPUTS of a shift register are 0..7"),
    ],
)
def test_a_configuration_that_cannot_be_meant_is_refused(settings: dict[str, object], words: str) -> None:
    """Before a pin is driven, naming what is wrong."""
    with pytest.raises(BenchError, match=re.escape(f"config.py: {words}")):
        Benched(settings)


def test_a_write_that_stalls_happens_once() -> None:
    """MicroPython waits half a second for a host that stops reading; then a byte at a time is written."""
    with hosted() as table:
        table.bench.show([0] * 20)
        table.run(200 * MS)
        table.bench.do("setattr(bench.cable, 'stall_us', 500000)")
        table.bench.run(40 * MS)
        sizes = table.bench.ask("bench.cable.sizes")
        assert sizes[0] == 32
        assert set(sizes[1:]) == {1}
        table.bench.do("setattr(bench.cable, 'stall_us', 0)")
        for _ in range(12):
            table.run(500 * MS)
        assert table.bench.ask("bench.cable.last") > 1
        assert table.host.decoder.bad_frames == 0


def test_native_and_plain_transposing_agree() -> None:
    """Whichever a board can run."""
    with Benched() as bench:
        words = [(0x5A5A5A5A * (n + 3) * 2654435761) % 2**32 for n in range(25)]
        bench.do(f"for n, word in enumerate({words}): firmware._cells.words[n] = word")
        arguments = "(firmware._cells.words, bytearray(range(20)), firmware._cells.raw)"
        bench.do(f"__import__('transposing').transpose{arguments}")
        native = bench.ask("list(firmware._cells.raw)")
        bench.do(f"__import__('transposing').transpose_plain{arguments}")
        assert bench.ask("list(firmware._cells.raw)") == native
        assert bench.ask("__import__('transposing').transpose != __import__('transposing').transpose_plain")
        expected = []
        for channel in range(20):
            value = int("".join(str(word >> channel & 1) for word in words[:24]), 2)
            expected.append(value - (1 << 24) if value >> 23 else value)
        assert native == expected


@pytest.mark.parametrize("machine", ["armv6m", "armv7emsp"], ids=["RP2040", "RP2350"])
def test_every_file_compiles_for_the_chip(machine: str, tmp_path: Path) -> None:
    """The native code too; what is installed is what was compiled."""
    compiler = find_program("mpy-cross")
    if compiler is None:
        pytest.skip("no mpy-cross for this machine")
    for source in (*sorted(FIRMWARE.glob("*.py")), Path(frames.__file__)):
        made = tmp_path / source.with_suffix(".mpy").name
        subprocess.run([compiler, f"-march={machine}", "-o", made, source], check=True)
        assert made.stat().st_size > 100


def test_what_the_readme_installs_is_a_whole_firmware(tmp_path: Path) -> None:
    """Its own lines, for this machine's processor: compiled files, config.py, main.py, nothing else."""
    if find_program("mpy-cross") is None:
        pytest.skip("no mpy-cross for this machine")
    text = (FIRMWARE / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```\n(mkdir.*?)```", text, re.DOTALL)
    lines = block.replace("/tmp/pico", str(tmp_path)).replace("armv6m", "x64").splitlines()  # noqa: S108
    copied = [line.split()[2:-1] for line in lines if line.startswith("mpremote cp")]
    script = [line for line in lines if not line.startswith("mpremote")]
    script += [f"cp {' '.join(names)} {tmp_path}" for names in copied if "*" not in names[0]]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    subprocess.run(["bash", "-ec", "\n".join(script)], cwd=ROOT, check=True, env={**os.environ, "PATH": path})
    assert sorted(each.name for each in tmp_path.glob("*.py")) == ["config.py", "main.py"]
    started = [
        str(tmp_path) if each in (str(FIRMWARE), str(FIRMWARE.parents[1] / "sensors")) else each
        for each in command("bench")
    ]
    done = subprocess.run(started, input=b'{"run": 1200000}\n', capture_output=True, timeout=30, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"TGZ1" in done.stdout


def test_the_device_has_no_frames_of_its_own() -> None:
    """sensors/frames.py is copied onto it; a second copy in the house would drift."""
    assert not (FIRMWARE / "frames.py").exists()
    assert "sensors/frames.py" in (FIRMWARE / "README.md").read_text(encoding="utf-8")


def test_a_byte_of_3_ends_no_program() -> None:
    """It is ctrl-C on a prompt's line, and a frame may contain it (micropython#6846)."""
    tree = ast.parse((FIRMWARE / "board.py").read_text(encoding="utf-8"))
    calls = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert "micropython.kbd_intr(-1)" in calls


def test_garbage_is_collected_behind_samples_and_suffices() -> None:
    """With MicroPython's own collecting switched off, which would come at any moment, the heap lasts."""
    # Twice a Pico's heap, since pointers are twice as long here and the fakes live in it too.
    with hosted({"heap": "384k"}) as table:
        table.bench.show([0] * 20)
        table.run(480 * MS)
        table.bench.do("gc.collect()")
        table.bench.do("gc.disable()")
        assert len(table.run(5 * SECOND)) > 390


def test_only_the_board_file_touches_the_hardware() -> None:
    """And main.py, which asks for the button at power-up."""
    touching = set()
    for source in FIRMWARE.glob("*.py"):
        names = set()
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add(str(node.module))
        if names & {"machine", "rp2"}:
            touching.add(source.stem)
    assert touching == {"board", "main"}


def test_the_pin_map_is_whole_and_no_pin_serves_twice() -> None:
    """Every GP of config.py is on the header; only the arbiter's button shares its pin."""
    pins = runpy.run_path(str(FIRMWARE / "config.py"))["PINS"]
    shift = pins["shift"]
    used = [*pins["dout"], pins["sck"], *pins["buttons"], *pins["beams"], *shift.values()]
    assert sorted(pin for pin in set(used) if used.count(pin) > 1) == [shift["data"]]
    assert pins["buttons"][2] == shift["data"]
    assert shift["latch"] == shift["clock"] + 1, "side-set pins are neighbours"
    header = json.loads((FIRMWARE / "wiring.json").read_text(encoding="utf-8"))["header"]
    assert sorted(map(int, header)) == list(range(1, 41))
    assert {f"GP{pin}" for pin in used} <= set(header.values())


def test_wiring_tells_of_every_output() -> None:
    """What config.py names, the drawing can name."""
    outputs = runpy.run_path(str(FIRMWARE / "config.py"))["OUTPUTS"]
    wired = json.loads((FIRMWARE / "wiring.json").read_text(encoding="utf-8"))["outputs"]
    assert set(wired) == set(outputs)

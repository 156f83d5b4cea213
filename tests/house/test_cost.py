"""What one board's process costs at 80 samples a second of twenty channels.

Method: the whole house runs at real speed - broker, hall, an emulated board on a pseudo terminal, blitz
hands - and the kernel is asked for the board's process alone, in `/proc/PID`. Processor time is user plus
system time between two moments of the game, over the table time between them as the clocks show it, so that a
busy machine on which the emulated board falls behind changes nothing. The start is left out, and so is what
the set-up costs. Memory is the largest resident set until then (`VmHWM`), the start included.

Processor time itself depends on the machine and on who shares its caches. So a piece of plain Python is timed
again and again meanwhile, in processor time as well: the yardstick. What is held to a bound is how many
yardsticks the board uses in a second of its table; the share of a core is told beside it.
"""

from __future__ import annotations

import os
import sys
import time
from importlib.resources import files
from pathlib import Path
from statistics import median

import pytest

from firmware_bridge.board.control import ask
from tests.house.rig import Rig, rig

WATCHED_S = 60.0
"""Some twenty plies of blitz: enough that one look more or less makes no difference."""

YARD_TURNS = 200_000
"""Turns of the loop that is the yardstick: 6 ms where this was written, so that timing it costs nothing."""

MOST_YARDS = 16.0
"""Yardsticks in a second of the table: a tenth of a core where a yardstick takes 6 ms. Measured: 6.6, or
3.7 % of a core, on nominal cells and on harsh ones."""

MOST_MB = 80.0
"""Megabytes, so that the smallest machines with a kernel have room for a board. Measured: 57."""


def cpu_s(pid: int) -> float:
    """Return the processor time that a process has used, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_mb(pid: int) -> float:
    """Return the largest resident set that a process has had."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise AssertionError(f"the kernel tells no memory of process {pid}")


def yardstick_s() -> float:
    """Return the processor time of a loop of additions and look-ups."""
    known = {number: number * 7 % 31 for number in range(64)}
    began_s, total = time.process_time(), 0
    for turn in range(YARD_TURNS):
        total += known[turn & 63]
    return time.process_time() - began_s


def table_s(table: Rig) -> float:
    """Return how long the clocks have run so far; they add nothing for a press here."""
    answer = ask(table.folder / "state" / "board-1" / "control.sock", {"do": "status"})
    clock = answer["state"]["clock"]
    return float(2 * clock["base_ms"] - sum(clock["remaining_ms"])) / 1000


@pytest.mark.bench
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the kernel tells nothing under /proc")
@pytest.mark.parametrize("profile", ["nominal", "harsh"])
def test_a_board_takes_a_tenth_of_a_core_and_80_megabytes_at_most(tmp_path: Path, profile: str) -> None:
    """At real speed, on an ordinary board and on a loud one, where there is more to weigh."""
    moves = files("firmware_bridge.emulator.games").joinpath("2009.txt").read_text(encoding="utf-8")
    with rig(tmp_path, moves, speed=1, pace="blitz", profile=profile, control="2h") as table:
        table.until_plies(1)
        pid = table.parts["board"].process.pid
        from_s, used_s, plies = table_s(table), cpu_s(pid), len(table.moves_shown())
        yards_s = []
        while (lasted_s := table_s(table) - from_s) < WATCHED_S:
            yards_s.append(yardstick_s())
            time.sleep(1.0)
        share = (cpu_s(pid) - used_s) / lasted_s
        memory, played = peak_mb(pid), len(table.moves_shown()) - plies
    yard_s = median(yards_s)
    sys.stdout.write(
        f"board, {profile}: {share:.1%} of a core, {share / yard_s:.1f} yardsticks of {yard_s * 1000:.1f} ms "
        f"in a second, {memory:.0f} MB, over {played} plies\n"
    )
    assert played > 5
    assert share / yard_s <= MOST_YARDS
    assert memory <= MOST_MB

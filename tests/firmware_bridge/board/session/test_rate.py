"""A device that samples too slowly for the game says so."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.board.inputs import DeviceArrived, Looked, Note, Watch
from firmware_bridge.board.session.rate import SampleRate, with_rate
from rules.control_text import parse_control
from rules.game import Game, Phase
from sensors import frames
from tests.firmware_bridge.board.test_table import settings
from tests.firmware_bridge.board.wired import HELLO, NINES, SECOND, Wired

BLITZ = Game(phase=Phase.SETTING_UP, control=parse_control("7m"))
TEN = Note("too_slow", None, "10 samples a second", {"rate": 10})


def rate(declared_hz: float, *steps_us: int) -> SampleRate:
    """Return the rate of a device that declares so much and then samples at these steps."""
    found = SampleRate()
    found.take(DeviceArrived(0, restarted=False, rate_hz=declared_hz))
    at_us = 0
    for step_us in steps_us:
        at_us += step_us
        found.take(Looked(at_us, ()))
    return found


def slow(declared_hz: float, *steps_us: int) -> float | None:
    """Return how slow it is found to be."""
    found = rate(declared_hz, *steps_us).slow_hz
    return None if found is None else round(found, 1)


def test_a_declared_rate_is_believed_before_any_sample() -> None:
    """Ten are too few, eighty are enough, and of none nothing is known."""
    assert [slow(declared_hz) for declared_hz in (10.0, 19.9, 20.0, 80.0, 0.0)] == [
        10.0,
        19.9,
        None,
        None,
        None,
    ]


def test_a_device_that_delivers_less_than_it_declares_is_found_out() -> None:
    """Or one that declares nothing; after five seconds."""
    assert slow(80.0, *[100_000] * 49) is None
    assert slow(10.0, *[12_500] * 4000) == 10.0, "what it declares may come true at any time"
    assert slow(80.0, *[100_000] * 60) == 10.0
    assert slow(0.0, *[100_000] * 60) == 10.0
    assert slow(0.0, *[12_500] * 4000) is None


def test_a_hole_is_no_rate() -> None:
    """A cable that was out, a host that was busy, a time that went back."""
    for hole_us in (300_000, 4_000_000, -9_000_000):
        assert slow(80.0, *([*[12_500] * 20, hole_us] * 30)) is None


def test_what_is_said_does_not_flicker() -> None:
    """Once too slow, a device must be clearly faster before it counts as fast enough."""
    slow_steps = [100_000] * 60
    assert slow(80.0, *slow_steps, *[45_000] * 400) == 10.0
    assert slow(80.0, *slow_steps, *[80_000] * 400) == 10.0
    assert slow(80.0, *slow_steps, *[25_000] * 600) is None


def test_another_device_is_judged_anew() -> None:
    """What the former one delivered is forgotten."""
    for samples in (60, 46):
        found = rate(80.0, *[100_000] * samples)
        at_us = samples * 100_000
        found.take(DeviceArrived(at_us, restarted=True, rate_hz=80.0))
        for number in range(60):
            found.take(Looked(at_us + 12_500 * number, ()))
        assert found.slow_hz is None


def test_it_is_said_from_the_set_up_to_the_end_of_the_game() -> None:
    """Not of a board without a game, and not where there is no device."""
    said = {
        phase for phase in Phase if with_rate(Watch(), replace(BLITZ, phase=phase), rate(10.0)) != Watch()
    }
    assert said == set(Phase) - {Phase.UNASSIGNED, Phase.ENDED, Phase.RELEASED}
    assert with_rate(Watch("no_device"), BLITZ, rate(10.0)) == Watch("no_device")


def test_it_is_said_behind_what_is_wrong_on_the_board() -> None:
    """Ten samples a second are enough for rapid play, eighty for blitz."""
    wrong = Note("board_differs", 3)
    assert with_rate(Watch("differs", (wrong,)), BLITZ, rate(10.0)).notes == (wrong, TEN)
    rapid = replace(BLITZ, control=parse_control("20m"))
    assert with_rate(Watch(), rapid, rate(10.0)).notes == ()
    assert with_rate(Watch(), BLITZ, rate(80.0)).notes == ()


async def weigh(wired: Wired, stones: tuple[int, ...], from_us: int, until_us: int) -> None:
    """Let the device weigh these stones ten times a second, with a little noise."""
    for number, at_us in enumerate(range(from_us, until_us, SECOND // 10)):
        raw = tuple(1000 * each + number * 7 % 5 for each in stones)
        await wired._frame(frames.DATA, frames.pack_data(frames.Data(at_us, (0,) * 20, raw)))


@pytest.mark.parametrize("rate_centihz", [1000, 0])
def test_a_slow_board_says_it_and_its_log_says_it_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, rate_centihz: int
) -> None:
    """In the state, while the stones are set up and in the game; declared by the device, or measured."""
    told = settings(tmp_path)
    told = replace(told, plan=replace(told.plan, control=parse_control("7m")))

    async def scene() -> None:
        wired = Wired(tmp_path, told)
        await wired.plugged(HELLO._replace(rate_centihz=rate_centihz))
        await weigh(wired, NINES, SECOND // 10, 7 * SECOND)
        wired.board._announcer._told_at_s = 0.0  # long ago, by the wall
        wired.board._tell()
        assert wired.published.states[-1].phase == "setting_up"
        assert [note.code for note in wired.published.states[-1].watch.notes] == ["too_slow"]
        await weigh(wired, (*NINES[:8], 8, *NINES[9:]), 7 * SECOND, 10 * SECOND)
        wired.board._tell()
        assert [note.code for note in wired.table.state().watch.notes] == ["not_set_up", "too_slow"]
        wired.journal.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(scene())
    assert [line for line in caplog.messages if "too_slow" in line] == ["too_slow: 10 samples a second"]

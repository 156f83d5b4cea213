"""The microcontroller: does it answer, is it the one that was calibrated, why did it start. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware_bridge.doctor.findings import Finding, found
from sensors import frames
from sensors.calibration import Calibration, ChannelKind
from sensors.frames import Hello
from sensors.survey import SurveyReport

MANY_RESTARTS: Final = 5
"""Starts of the device in a day that nobody explains by plugging cables (estimate)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """One edge of a button while the device was watched.

    Attributes:
        button: Its number.
        down: True when it was pressed.
        at_us: Device time.
    """

    button: int
    down: bool
    at_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFacts:
    """What a device said while it was watched, by the doctor himself or by the running board.

    Attributes:
        path: The port.
        seconds: How long it was watched, or waited for, by the wall.
        hello: What it said of itself; None: nothing.
        foreign: The version of the link it speaks where that is another major one; "" else.
        trouble: What it said that has no sense, in the link's words; "" for nothing.
        restarts: How often it began anew meanwhile.
        survey: What its channels said; None: nothing is known of them.
        late: Samples that were not newer than the one before.
        bad_at_device: What the device says it could not read of what was sent to it, since its start.
        dropped_since_boot: DATA frames the device says it could not send, since its start.
        frames: Valid frames that were heard meanwhile.
        pushed: The edges of its buttons.
        until_us: Device time of the last that was heard.
        watched: Whether its buttons were watched, too: a running board tells of none.
    """

    path: str
    seconds: float
    hello: Hello | None = None
    foreign: str = ""
    trouble: str = ""
    restarts: int = 0
    survey: SurveyReport | None = None
    late: int = 0
    bad_at_device: int = 0
    dropped_since_boot: int = 0
    frames: int = 0
    pushed: tuple[Pushed, ...] = ()
    until_us: int = 0
    watched: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the configuration wants of a device.

    Attributes:
        file: Where the calibration lies.
        calibration: What stands there; None: there is none.
        why_none: Why it cannot be used; "" where it is not there at all.
        channels: The channels that are wired, cells and count sensors.
        counters: Whether count sensors are among them.
        buttons: The buttons that are wired.
        restarts: How often the device started in the journal's last `hours`.
        hours: That many.
    """

    file: str
    calibration: Calibration | None = None
    why_none: str = ""
    channels: frozenset[int] = frozenset()
    counters: bool = False
    buttons: frozenset[int] = frozenset()
    restarts: int = 0
    hours: int = 24


def judge_device(facts: DeviceFacts | None, wanted: Wanted) -> Iterator[Finding]:
    """Yield what is wrong with a device; of one that was not asked (None) what can be said all the same."""
    if wanted.why_none:
        yield found("device_bad_calibration", why=wanted.why_none)
    elif wanted.calibration is None:
        yield found("device_no_calibration", file=wanted.file)
    if wanted.restarts >= MANY_RESTARTS:
        yield found("device_restarts", times=wanted.restarts, hours=wanted.hours)
    if facts is None:
        return
    if facts.foreign:
        yield found("device_foreign", theirs=facts.foreign, ours=f"{frames.MAJOR}.{frames.MINOR}")
        return
    if facts.hello is None:
        yield found("device_silent", path=facts.path, seconds=round(facts.seconds, 1))
        return
    yield from _of_hello(facts.hello, wanted)
    if facts.trouble:
        yield found("device_malformed", why=facts.trouble)
    if facts.restarts:
        yield found("device_restarted", times=facts.restarts, seconds=round(facts.seconds, 1))


def _of_hello(hello: Hello, wanted: Wanted) -> Iterator[Finding]:
    if hello.minor != frames.MINOR:
        ours = f"{frames.MAJOR}.{frames.MINOR}"
        theirs = f"{hello.major}.{hello.minor}"
        yield found("device_other_minor", theirs=theirs, ours=ours, firmware=hello.firmware)
    yield from _of_calibration(hello, wanted)
    needed = max(wanted.channels, default=-1) + 1
    if needed > hello.channels:
        yield found("device_few_channels", needed=needed, channels=hello.channels)
    buttons = max(wanted.buttons, default=-1) + 1
    if buttons > hello.buttons:
        yield found("device_few_buttons", needed=buttons, buttons=hello.buttons)
    if wanted.counters and not hello.features & frames.FEATURE_COUNTERS:
        yield found("device_no_counters", firmware=hello.firmware)
    if hello.reset_reason == frames.RESET_WATCHDOG:
        yield found("device_watchdog", firmware=hello.firmware)
    elif hello.reset_reason == frames.RESET_SUPPLY_DIP:
        yield found("device_supply_dip")


def _of_calibration(hello: Hello, wanted: Wanted) -> Iterator[Finding]:
    calibration = wanted.calibration
    if calibration is None:
        return
    if calibration.board_id != hello.board_id:
        yield found(
            "device_other_calibration",
            file=wanted.file,
            calibrated=calibration.board_id,
            device=hello.board_id,
        )
    elif len(calibration.channels) != hello.channels:
        calibrated = len(calibration.channels)
        yield found("device_other_channels", file=wanted.file, calibrated=calibrated, channels=hello.channels)


def fits(facts: DeviceFacts, wanted: Wanted) -> bool:
    """Tell whether the calibration is this device's, so that its channels can be weighed."""
    calibration = wanted.calibration
    hello = facts.hello
    return (
        calibration is not None
        and hello is not None
        and calibration.board_id == hello.board_id
        and len(calibration.channels) == hello.channels
    )


def counted(calibration: Calibration | None, channel: int) -> bool:
    """Tell whether a channel counts pulses, and so weighs nothing."""
    channels = () if calibration is None else calibration.channels
    return channel < len(channels) and channels[channel].kind is ChannelKind.COUNT

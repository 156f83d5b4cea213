"""What the doctor can find: a code, how grave it is, and the values that say where. Pure.

Codes, checks, severities and the names of values are promised to programs (`DOCTOR.md` beside this file): a
later version adds some and changes none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

Value: TypeAlias = str | int | float


class Severity(StrEnum):
    """How grave a finding is."""

    FAULT = "fault"
    """A game cannot be refereed, kept or told, or goes wrong."""
    WARNING = "warning"
    """It works now, and is likely not to."""
    NOTE = "note"
    """Good to know; nothing has to be done."""


class Check(StrEnum):
    """What is looked at, in the order of the report; `--only` takes these names."""

    PORT = "port"
    BOARD = "board"
    DEVICE = "device"
    LINK = "link"
    CHANNELS = "channels"
    BUTTONS = "buttons"
    DISK = "disk"
    CLOCK = "clock"
    BROKER = "broker"
    HALL = "hall"
    DISPLAY = "display"
    MACHINE = "machine"
    PACKAGES = "packages"
    SERVICES = "services"


class Kind(NamedTuple):
    """What is promised of a code.

    Attributes:
        check: What was looked at.
        severity: How grave it is.
        values: Names of the values that come with it.
    """

    check: Check
    severity: Severity
    values: tuple[str, ...] = ()


_F, _W, _N = Severity.FAULT, Severity.WARNING, Severity.NOTE

CODES: Final[Mapping[str, Kind]] = {
    "port_missing": Kind(Check.PORT, _F, ("path", "there")),
    "port_no_permission": Kind(Check.PORT, _F, ("path", "group", "user")),
    "port_no_serial": Kind(Check.PORT, _F, ("path", "why")),
    "port_busy": Kind(Check.PORT, _F, ("path", "holders")),
    "port_unstable": Kind(Check.PORT, _W, ("path", "stable")),
    "port_modem_manager": Kind(Check.PORT, _W, ("path",)),
    "pins_not_running": Kind(Check.PORT, _F, ("path",)),
    "pins_unwatched": Kind(Check.PORT, _W, ("pins", "library")),
    "board_not_running": Kind(Check.BOARD, _N, ("board",)),
    "board_no_answer": Kind(Check.BOARD, _F, ("board", "seconds")),
    "board_not_allowed": Kind(Check.BOARD, _F, ("board", "owner")),
    "board_unsafe": Kind(Check.BOARD, _F, ("board", "why")),
    "device_silent": Kind(Check.DEVICE, _F, ("path", "seconds")),
    "device_foreign": Kind(Check.DEVICE, _F, ("theirs", "ours")),
    "device_other_minor": Kind(Check.DEVICE, _N, ("theirs", "ours", "firmware")),
    "device_malformed": Kind(Check.DEVICE, _F, ("why",)),
    "device_no_calibration": Kind(Check.DEVICE, _F, ("file",)),
    "device_bad_calibration": Kind(Check.DEVICE, _F, ("why",)),
    "device_other_calibration": Kind(Check.DEVICE, _F, ("file", "calibrated", "device")),
    "device_other_channels": Kind(Check.DEVICE, _F, ("file", "calibrated", "channels")),
    "device_few_channels": Kind(Check.DEVICE, _F, ("needed", "channels")),
    "device_few_buttons": Kind(Check.DEVICE, _F, ("needed", "buttons")),
    "device_no_counters": Kind(Check.DEVICE, _F, ("firmware",)),
    "device_watchdog": Kind(Check.DEVICE, _W, ("firmware",)),
    "device_supply_dip": Kind(Check.DEVICE, _F),
    "device_restarted": Kind(Check.DEVICE, _F, ("times", "seconds")),
    "device_restarts": Kind(Check.DEVICE, _W, ("times", "hours")),
    "link_no_samples": Kind(Check.LINK, _F, ("seconds",)),
    "link_frames_lost": Kind(Check.LINK, _F, ("lost", "frames", "percent")),
    "link_frames_bad": Kind(Check.LINK, _F, ("bad", "frames", "percent")),
    "link_data_dropped": Kind(Check.LINK, _W, ("dropped",)),
    "link_host_not_understood": Kind(Check.LINK, _W, ("bad",)),
    "link_late": Kind(Check.LINK, _W, ("late", "frames")),
    "link_rate_strap": Kind(Check.LINK, _F, ("rate_hz", "nominal_hz")),
    "link_rate": Kind(Check.LINK, _F, ("rate_hz", "nominal_hz")),
    "link_gaps": Kind(Check.LINK, _W, ("gaps", "longest_ms")),
    "pins_too_slow": Kind(Check.LINK, _F, ("percent", "longest_us", "most_us", "read_ms")),
    "pins_slow": Kind(Check.LINK, _W, ("percent", "longest_us", "most_us", "read_ms")),
    "channel_dead": Kind(Check.CHANNELS, _F, ("channel", "place", "percent")),
    "channel_excluded": Kind(Check.CHANNELS, _F, ("channel", "place")),
    "channel_saturated": Kind(Check.CHANNELS, _F, ("channel", "place")),
    "channel_misread": Kind(Check.CHANNELS, _F, ("channel", "place", "percent")),
    "channel_stuck": Kind(Check.CHANNELS, _F, ("channel", "place", "raw")),
    "channel_noisy": Kind(Check.CHANNELS, _F, ("channel", "place", "noise_raw", "most_raw")),
    "channel_drifting": Kind(Check.CHANNELS, _W, ("channel", "place", "g_per_min")),
    "channels_doubled": Kind(Check.CHANNELS, _F, ("channel", "place", "other", "other_place")),
    "channels_swapped": Kind(Check.CHANNELS, _F, ("channel", "place", "other", "other_place")),
    "channel_weighs_wrong": Kind(Check.CHANNELS, _F, ("channel", "place", "stones", "due")),
    "channels_all_wrong": Kind(Check.CHANNELS, _F, ("file", "wrong", "channels")),
    "channels_not_compared": Kind(Check.CHANNELS, _N),
    "channel_not_quiet": Kind(Check.CHANNELS, _N, ("channel", "place")),
    "button_chatters": Kind(Check.BUTTONS, _F, ("button", "name", "presses", "seconds")),
    "button_stuck": Kind(Check.BUTTONS, _F, ("button", "name", "seconds")),
    "buttons_never_pressed": Kind(Check.BUTTONS, _N),
    "disk_full": Kind(Check.DISK, _F, ("path", "free_mb")),
    "disk_low": Kind(Check.DISK, _W, ("path", "free_mb")),
    "disk_no_inodes": Kind(Check.DISK, _F, ("path", "free")),
    "disk_read_only": Kind(Check.DISK, _F, ("path",)),
    "disk_not_writable": Kind(Check.DISK, _F, ("path", "why")),
    "disk_not_kept": Kind(Check.DISK, _F, ("path", "kind")),
    "disk_slow": Kind(Check.DISK, _W, ("path", "fsync_ms")),
    "journal_damaged": Kind(Check.DISK, _F, ("path", "record")),
    "journal_unreadable": Kind(Check.DISK, _F, ("path", "why")),
    "journal_torn": Kind(Check.DISK, _W, ("path", "bytes")),
    "clock_implausible": Kind(Check.CLOCK, _F, ("now",)),
    "clock_behind": Kind(Check.CLOCK, _F, ("now", "known")),
    "clock_differs": Kind(Check.CLOCK, _F, ("seconds", "other")),
    "clock_unsynchronised": Kind(Check.CLOCK, _W),
    "broker_unreachable": Kind(Check.BROKER, _F, ("where", "why")),
    "broker_no_mqtt": Kind(Check.BROKER, _F, ("where",)),
    "broker_credentials": Kind(Check.BROKER, _F, ("where", "user")),
    "broker_refused": Kind(Check.BROKER, _F, ("where", "why")),
    "broker_no_publish": Kind(Check.BROKER, _F, ("where", "topic", "user")),
    "broker_no_subscribe": Kind(Check.BROKER, _F, ("where", "topic", "user")),
    "broker_board_elsewhere": Kind(Check.BROKER, _F, ("where", "board")),
    "broker_not_running": Kind(Check.BROKER, _N),
    "broker_not_installed": Kind(Check.BROKER, _F, ("program",)),
    "broker_not_found": Kind(Check.BROKER, _F, ("event", "heard")),
    "hall_silent": Kind(Check.HALL, _W, ("where", "why")),
    "hall_none": Kind(Check.HALL, _N, ("event",)),
    "hall_several": Kind(Check.HALL, _F, ("event", "where")),
    "hall_other_event": Kind(Check.HALL, _F, ("where", "event", "theirs")),
    "hall_other_contract": Kind(Check.HALL, _F, ("where", "theirs", "ours")),
    "hall_other_minor": Kind(Check.HALL, _W, ("where", "theirs", "ours")),
    "hall_other_software": Kind(Check.HALL, _W, ("where", "theirs", "ours")),
    "hall_misses_board": Kind(Check.HALL, _W, ("where", "board")),
    "display_silent": Kind(Check.DISPLAY, _W, ("where", "why")),
    "display_no_browser": Kind(Check.DISPLAY, _F, ("unit",)),
    "machine_undervoltage": Kind(Check.MACHINE, _F, ("bits",)),
    "machine_undervoltage_before": Kind(Check.MACHINE, _W, ("bits",)),
    "machine_throttled": Kind(Check.MACHINE, _W, ("bits",)),
    "machine_throttled_before": Kind(Check.MACHINE, _N, ("bits",)),
    "machine_hot": Kind(Check.MACHINE, _W, ("celsius",)),
    "machine_busy": Kind(Check.MACHINE, _W, ("load", "cores")),
    "machine_memory": Kind(Check.MACHINE, _W, ("available_mb",)),
    "packages_two_gpio": Kind(Check.PACKAGES, _F),
    "packages_pi5_gpio": Kind(Check.PACKAGES, _F, ("model",)),
    "service_failed": Kind(Check.SERVICES, _F, ("unit", "result")),
    "service_down": Kind(Check.SERVICES, _W, ("unit", "state")),
    "service_restarts": Kind(Check.SERVICES, _W, ("unit", "times")),
    "check_failed": Kind(Check.BOARD, _F, ("check", "why")),
}  # fmt: skip
"""Every code there is."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found.

    Attributes:
        code: Of `CODES`.
        values: Those that `CODES` names for it; numbers are rounded as they are to be shown.
    """

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)

    @property
    def check(self) -> Check:
        """What was looked at."""
        return CODES[self.code].check

    @property
    def severity(self) -> Severity:
        """How grave it is."""
        return CODES[self.code].severity


def found(code: str, /, **values: Value) -> Finding:
    """Return a finding; `CODES` says which values its code needs."""
    kind = CODES[code]
    assert set(values) == set(kind.values), (code, sorted(values))
    return Finding(code, values)


def sorted_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings as they are told: the gravest first, then by check, each in the order it was found."""
    gravity, checks = list(Severity), list(Check)
    return sorted(findings, key=lambda each: (gravity.index(each.severity), checks.index(each.check)))


def healthy(findings: Iterable[Finding]) -> bool:
    """Tell whether nothing is wrong: warnings and notes alone stop no game."""
    return all(each.severity is not Severity.FAULT for each in findings)

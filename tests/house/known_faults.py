"""The table of known reports, `sensors/KNOWN_FAULTS.md`: read, and held to the tests it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.house.requirements import fault_of
from tests.house.tables import codes, rows_of

TABLE = Path("sensors/KNOWN_FAULTS.md")
COLUMNS = ("No.", "Reports", "What it could do to us", "How", "Tests", "Remark")
HOWS = ("held", "not ours")

REPORTS: Mapping[str, str] = {
    "1": "bogde/HX711#83",
    "2": "bogde/HX711#216",
    "3": "olkal/HX711_ADC#81",
    "4": "Klipper3d/klipper#6659",
    "5": "waveform80/rpi-lgpio#2",
    "6": "bogde/HX711#35, RobTillaart/HX711#40",
    "7": "robert-hh/hx711#5",
    "8": "bogde/HX711#24",
    "9": "bogde/HX711#132, tatobari/hx711py#7",
    "10": "garethky/klipper#14",
    "11": "RobTillaart/HX711#21, olkal/HX711_ADC#64",
    "12": "gpiozero/gpiozero#1172, gpiozero/gpiozero#1136, raspberrypi/linux#6037",
    "13": "raspberrypi/linux#6144, gpiozero/gpiozero#1166, adafruit/Adafruit_Blinka#1119",
    "14": "joan2937/lg#22, gpiozero/gpiozero#1106, gpiozero/gpiozero#1130",
    "15": "gpiozero/gpiozero#1039, gpiozero/gpiozero#550",
    "16": "pyserial/pyserial#341, pyserial/pyserial#86, pyserial/pyserial#124",
    "17": "Klipper3d/klipper#299, Klipper3d/klipper#3599, Klipper3d/klipper#2900",
    "18": "eclipse-paho/paho.mqtt.python#785, eclipse-paho/paho.mqtt.python#275, "
    "eclipse-paho/paho.mqtt.python#857",
    "19": "basicallysource/sorter-v2#328",
}
"""The reports that were found; none of them may be forgotten."""

_REPORT = re.compile(r"[\w.-]+/[\w.-]+#[1-9]\d*")


@dataclass(frozen=True, slots=True)
class Fault:
    """One row of the table.

    Attributes:
        name: Its number.
        reports: Where it was met, `owner/repository#number`.
        what: What it could do to us.
        how: One of HOWS.
        tests: The tests that would fail if it did, `path::name` below `tests/`.
        remark: Why it cannot concern us, or what else is to be known; empty: nothing.
    """

    name: str
    reports: tuple[str, ...]
    what: str
    how: str
    tests: tuple[str, ...]
    remark: str


def read_faults(text: str) -> list[Fault]:
    """Return the rows of the table whose head is COLUMNS.

    Raises:
        ValueError: A row has another number of cells; the message names its line.
    """
    rows = []
    for _, (name, reports, what, how, tests, remark) in rows_of(text, COLUMNS):
        rows.append(Fault(name, tuple(reports.split(", ")), what, how, codes(tests), remark))
    return rows


def complaints(rows: list[Fault], root: Path) -> Iterator[str]:
    """Yield what is wrong with the table, and with each row behind its number."""
    if [row.name for row in rows] != list(REPORTS):
        yield f"the rows are {', '.join(row.name for row in rows)}, not {', '.join(REPORTS)}"
    for row in rows:
        yield from (f"{row.name}: {each}" for each in _complaints(row, root))


def _complaints(row: Fault, root: Path) -> Iterator[str]:
    due = set(REPORTS.get(row.name, "").split(", "))
    if not due <= set(row.reports):
        yield f"{', '.join(sorted(due - set(row.reports)))} is not named"
    yield from (f"{each!r} is no report" for each in row.reports if not _REPORT.fullmatch(each))
    if not row.what:
        yield "nothing could happen"
    if row.how not in HOWS:
        yield f"{row.how!r} is none of {', '.join(HOWS)}"
    if row.how == "held" and not row.tests:
        yield "held, and no test says so"
    if row.how == "not ours" and (row.tests or not row.remark):
        yield "not ours, and yet there are tests, or no remark says why"
    if len(set(row.tests)) < len(row.tests):
        yield "a test is named twice"
    yield from (f"{test}: {wrong}" for test in row.tests if (wrong := fault_of(test, root)))

"""`togyz trace plot`: the channels over time, with presses, decisions and verdicts over them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.commands.common import EXIT_FAILED, console, errors_told, fail, harmless, later, say
from firmware_bridge.commands.trace.gathering import gather
from firmware_bridge.commands.trace.options import (
    FromOption,
    ToOption,
    TraceFileArgument,
    said,
    stretch_of,
    watched,
)
from firmware_bridge.layout import PLACES
from firmware_bridge.trace.errors import TraceError
from firmware_bridge.trace.reader import TraceReader

_NAMES = {**{str(number): number - 1 for number in range(1, 19)}, "kazan1": 18, "kazan2": 19}


def plot(
    file: TraceFileArgument,
    out: Annotated[Path, typer.Argument(help=later("trace.plot.out"), metavar="OUT.png")],
    *,
    places: Annotated[str, typer.Option(help=later("trace.plot.places"), show_default=False)] = "",
    first: FromOption = "",
    last: ToOption = "",
) -> None:
    """Draw the channels of a trace over time, with presses, decisions and verdicts over them."""
    shown = _places(places)
    if out.suffix.lower() != ".png":
        raise fail(say("trace.plot.no_png", file=harmless(str(out))))
    try:
        from firmware_bridge.commands.trace.drawing import draw  # noqa: PLC0415 - matplotlib is an extra
    except ImportError as error:
        raise fail(say("trace.plot.missing")) from error
    with errors_told(TraceError), TraceReader(file) as reader:
        picture = gather(reader.header, watched(reader), shown, stretch_of(reader.header, first, last))
    if picture.from_us < 0:
        raise fail(say("trace.plot.nothing"))
    try:
        draw(picture, out)
    except OSError as error:
        raise fail(say("trace.unwritable", file=out, why=error.strerror or error), EXIT_FAILED) from error
    begins, ends = said(picture.from_us, picture.header), said(picture.to_us, picture.header)
    console.print(say("trace.plot.done", file=out, begins=begins, ends=ends), soft_wrap=True)


def _places(text: str) -> list[int]:
    """Return the places that are asked for, in the order of the board; all when none is."""
    if not text:
        return list(range(PLACES))
    found = set()
    for name in text.split(","):
        place = _NAMES.get(name.strip().lower())
        if place is None:
            raise fail(say("trace.plot.bad_place", value=harmless(name)))
        found.add(place)
    return sorted(found)

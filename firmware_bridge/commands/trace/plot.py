"""`togyz trace plot`: the channels over time, with presses, decisions and verdicts over them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from firmware_bridge.commands.common import EXIT_FAILED, console, fail, harmless, later, reason_said, say
from firmware_bridge.commands.trace.appearing import EXIT_STOPPED, appearing_whole
from firmware_bridge.commands.trace.gathering import gather
from firmware_bridge.commands.trace.options import (
    FromOption,
    ToOption,
    TraceFileArgument,
    hole_said,
    nothing_said,
    said,
    stretch_of,
    trace_errors_told,
    watched,
)
from firmware_bridge.layout import PITS, PLACES
from firmware_bridge.trace.errors import named
from firmware_bridge.trace.reader import TraceReader

_NAMES = {**{str(place + 1): place for place in range(PITS)}, "kazan1": PITS, "kazan2": PITS + 1}

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
"""What every PNG begins with."""


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
        raise fail(say("trace.plot.no_png", file=named(out)))
    try:
        from firmware_bridge.commands.trace.drawing import draw  # noqa: PLC0415 - matplotlib is an extra
    except ImportError as error:
        raise fail(say("trace.plot.missing")) from error
    with _refusals_told(out):
        _only_a_png(out)  # gathering takes long: what would be refused at its end is refused before
    with trace_errors_told(file), TraceReader.open(file) as reader:
        picture = gather(reader.header, watched(reader), shown, stretch_of(reader.header, first, last))
    if picture.hole is not None:
        fail(hole_said(picture.hole))
    if picture.from_us < 0:
        raise fail(nothing_said(picture.header, picture.reached_us, picture.hole, first))
    # A link stays one: the picture it leads to is replaced.
    with _refusals_told(out), appearing_whole(Path(os.path.realpath(out)), _only_a_png) as target:
        draw(picture, target)
    begins, ends = said(picture.from_us, picture.header), said(picture.to_us, picture.header)
    console.print(
        say("trace.plot.done", file=named(out), begins=begins, ends=ends), soft_wrap=True, markup=False
    )
    if picture.ends_early:
        console.print(say("trace.plot.ends_early", ends=ends), soft_wrap=True)


@contextmanager
def _refusals_told(out: Path) -> Iterator[None]:
    """Leave the program with the reason why there is no picture, where there is one."""
    try:
        yield
    except KeyboardInterrupt:
        raise fail(say("trace.plot.stopped"), EXIT_STOPPED) from None
    except FileExistsError:
        raise fail(say("trace.plot.there_already", file=named(out))) from None
    except OSError as error:
        raise fail(say("trace.unwritable", file=named(out), why=reason_said(error)), EXIT_FAILED) from error


def _only_a_png(out: Path) -> None:
    """Let nothing but a picture be replaced: the trace itself, whatever it is called, is none.

    Raises:
        FileExistsError: There is something called so that is no PNG.
        OSError: It cannot be read.
    """
    if not os.path.lexists(out):
        return
    if not out.is_file():  # reading a pipe would wait for someone to write
        raise FileExistsError(out)
    with out.open("rb") as file:
        if file.read(len(_SIGNATURE)) != _SIGNATURE:
            raise FileExistsError(out)


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

"""Draws a picture of a trace with matplotlib; nothing else imports it.

Small multiples in the order of the board: bastaushy's pits on the left, qostaushy's on the right, the kazans
below. Over all of them, in their own strip, how the board was seen and which plies were committed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, BinaryIO, Final

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from firmware_bridge.commands.common import code_said, plural, say
from firmware_bridge.commands.faults import fault_said
from firmware_bridge.commands.trace.gathering import Breaking, Bucket, Line, Picture
from firmware_bridge.commands.trace.labels import spread
from firmware_bridge.commands.trace.options import place_said, said
from firmware_bridge.layout import owner_of
from rules.position import Side

SEEN_COLOURS: Final = {
    "matches": "#5aa469",
    "moving": "#c9c9c9",
    "differs": "#d1495b",
    "unreadable": "#7b4fa6",
    "no_device": "#333333",
    "idle": "#e3d6b5",
}
"""How the board was seen; alarming is what a person must look at."""

ALARMING: Final = ("differs", "unreadable")

PRESS_COLOURS: Final = ("#1f6fb2", "#d9822b")
WEIGHED, COUNTED, MOVE, OTHER = "#2b2b2b", "#2fb3c4", "#2e7d46", "#8a6d3b"
BROKEN, BAD, CUT, ASIDE = "#c2185b", "#e8590c", "#2b2b2b", "#666666"

WIDTH_IN, PANEL_IN, STRIP_IN, DPI = 17.0, 1.7, 0.9, 100
LEAST_LABEL_SHARE = 0.016
"""Labels of plies stand at least so far apart, as a share of the strip's width; some are left out only where
there are more than fit side by side."""

MOST_SPANS = 4
"""Breakings whose times stand in a title; more are drawn, and not named."""

OUTLIERS = 0.01
"""Share of the lowest and of the highest values that may leave a panel: a leaning hand weighs a lot."""


def draw(picture: Picture, out: BinaryIO) -> None:
    """Write the picture as a PNG.

    Raises:
        OSError: It cannot be written.
    """
    columns = _columns(picture.places)
    rows = max(map(len, columns))
    height_in = STRIP_IN + PANEL_IN * rows + 1.3
    figure = Figure(figsize=(WIDTH_IN, height_in), dpi=DPI, layout="constrained")
    grid = figure.add_gridspec(rows + 1, len(columns), height_ratios=[STRIP_IN, *[PANEL_IN] * rows])
    for number, places in enumerate(columns):
        strip = figure.add_subplot(grid[0, number])
        _draw_strip(strip, picture)
        for row, place in enumerate(places, start=1):
            panel = figure.add_subplot(grid[row, number], sharex=strip)
            _draw_panel(panel, picture, place)
            panel.tick_params(labelbottom=place == places[-1])
            if place == places[-1]:
                panel.set_xlabel(say("trace.plot.time"), fontsize=9)
    header = picture.header
    begins, ends = said(picture.from_us, header), said(picture.to_us, header)
    when = datetime.fromtimestamp(header.wall_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    board = f"{header.event_id}, {header.board_id}, {when}"
    title = say("trace.plot.title", board=board, software=header.software, begins=begins, ends=ends)
    if picture.ends_early:
        title += "\n" + say("trace.plot.ends_early", ends=ends)
    figure.suptitle(title, fontsize=12)
    figure.legend(
        handles=list(_legend(picture)), loc="outside lower center", ncols=5, fontsize=9, frameon=False
    )
    figure.savefig(out, format="png")


def _columns(places: Sequence[int]) -> list[list[int]]:
    """Return the places of each column: bastaushy's and qostaushy's, or all in one where they are few."""
    if len(places) <= 6:
        return [list(places)]
    columns = [[place for place in places if owner_of(place) is side] for side in Side]
    return [column for column in columns if column]


def _seconds(picture: Picture, at_us: int) -> float:
    return (at_us - picture.header.begun_us) / 1e6


def _spans(picture: Picture) -> Iterator[tuple[float, float, str]]:
    """Yield from when to when the board was seen how."""
    ends = [at_us for at_us, _ in picture.seen[1:]] + [picture.to_us]
    for (at_us, sensed), end_us in zip(picture.seen, ends, strict=True):
        begin_us = max(at_us, picture.from_us)
        if end_us > begin_us:
            yield _seconds(picture, begin_us), _seconds(picture, end_us), sensed


def _draw_strip(strip: Any, picture: Picture) -> None:
    for begin, end, sensed in _spans(picture):
        strip.axvspan(begin, end, ymax=0.4, color=SEEN_COLOURS.get(sensed, "white"), lw=0)
    _draw_moves(strip, picture)
    for at_us, _kind in picture.others:
        strip.plot([_seconds(picture, at_us)], [0.2], marker="v", ms=5, color=OTHER)
    strip.set_xlim(_seconds(picture, picture.from_us), _seconds(picture, picture.to_us))
    strip.set_ylim(0, 1)
    strip.set_yticks([])
    strip.tick_params(labelbottom=False, bottom=False)
    strip.xaxis.set_major_locator(MaxNLocator(12, steps=[1, 1.5, 3, 6, 10]))
    strip.xaxis.set_major_formatter(FuncFormatter(_clock))
    for spine in strip.spines.values():
        spine.set_visible(False)


def _draw_moves(strip: Any, picture: Picture) -> None:
    """Draw a line for each ply and its label above it, beside it where others would be covered."""
    low, high = _seconds(picture, picture.from_us), _seconds(picture, picture.to_us)
    times = [_seconds(picture, at_us) for at_us, _ in picture.moves]
    places = spread(times, low, high, LEAST_LABEL_SHARE * max(1e-6, high - low))
    for at, place, (_, text) in zip(times, places, picture.moves, strict=True):
        strip.axvline(at, color=MOVE, lw=0.8, ymax=0.4)
        if place is not None:
            strip.plot([at, place], [0.4, 0.47], color=MOVE, lw=0.8)
            strip.text(place, 0.48, text, rotation=90, ha="center", va="bottom", fontsize=8, color=MOVE)


def _clock(seconds: float, _position: int) -> str:
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    shown = f"{rest:04.1f}" if rest % 1 else f"{rest:02.0f}"
    return f"{sign}{hours}:{minutes:02d}:{shown}" if hours else f"{sign}{minutes}:{shown}"


def _draw_panel(panel: Any, picture: Picture, place: int) -> None:
    for begin, end, sensed in _spans(picture):
        if sensed in ALARMING:
            panel.axvspan(begin, end, color=SEEN_COLOURS[sensed], alpha=0.12, lw=0)
    for at_us, button in picture.presses:
        colour = PRESS_COLOURS[picture.buttons.index(button)] if button in picture.buttons else OTHER
        panel.axvline(_seconds(picture, at_us), color=colour, lw=1.1, ls=(0, (1, 1.5)))
    for at_us, _text in picture.moves:
        panel.axvline(_seconds(picture, at_us), color=MOVE, lw=0.7, alpha=0.7)
    line = picture.lines.get(place)
    buckets = sorted(line.buckets.items()) if line is not None else []
    counted = [(at_us, stones[place]) for at_us, stones in picture.counted]
    _draw_counted(panel, picture, counted)
    for run in _runs(buckets):
        times = [_middle(picture, number) for number, _ in run]
        lows, highs = [bucket.low for _, bucket in run], [bucket.high for _, bucket in run]
        panel.fill_between(times, lows, highs, color=WEIGHED, alpha=0.25, lw=0)
        means = [bucket.total / bucket.samples for _, bucket in run]
        panel.plot(times, means, color=WEIGHED, lw=0.9)
    breakings = picture.broken.get(place, [])
    whole = [bucket for number, bucket in buckets if not _within(picture, number, breakings)]
    shown = _limits(whole or [bucket for _, bucket in buckets], [stones for _, stones in counted])
    panel.set_ylim(*shown)
    _tell(panel, picture, place, buckets, shown)
    panel.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    panel.grid(axis="y", lw=0.4, color="#dddddd")
    panel.set_axisbelow(True)
    panel.tick_params(labelsize=8)
    panel.set_ylabel(say("trace.plot.stones"), fontsize=8)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)


def _middle(picture: Picture, number: int) -> float:
    """Return the middle of a bucket, in seconds."""
    return _seconds(picture, picture.from_us) + (number + 0.5) * picture.bucket_us / 1e6


def _within(picture: Picture, number: int, breakings: Sequence[Breaking]) -> bool:
    """Whether the place was broken in a bucket."""
    begin_us = picture.from_us + number * picture.bucket_us
    end_us = begin_us + picture.bucket_us
    return any(each.from_us < end_us and begin_us <= each.to_us for each in breakings)


def _draw_broken(panel: Any, picture: Picture, breakings: Sequence[Breaking]) -> Iterator[str]:
    """Mark when a place was broken, and what was wrong; yield that in words."""
    last = None
    for each in breakings:
        begin, end = _seconds(picture, each.from_us), _seconds(picture, each.to_us)
        panel.axvspan(begin, end, facecolor=BROKEN, alpha=0.10, lw=0)
        panel.axvspan(begin, end, ymin=0.0, ymax=0.045, color=BROKEN, lw=0)
        for at in (begin, end):
            panel.axvline(at, color=BROKEN, lw=1.0)
        if each.fault is not None and each.fault != last:
            _write(panel, picture, begin, fault_said(each.fault).partition(";")[0])
        last = each.fault
    if breakings:
        spans = [f"{_clock_of(picture, each.from_us)}–{_clock_of(picture, each.to_us)}" for each in breakings]
        more = ["…"] * (len(spans) > MOST_SPANS)
        yield say("trace.plot.broken_when", when=", ".join((*spans[:MOST_SPANS], *more)))


def _write(panel: Any, picture: Picture, at: float, text: str) -> None:
    """Write beside a mark in a panel: to its right, or to its left where there is no room."""
    share = (at - _seconds(picture, picture.from_us)) / max(1e-6, (picture.to_us - picture.from_us) / 1e6)
    right = share < 0.5
    panel.annotate(
        text,
        (at, 0.97),
        xycoords=("data", "axes fraction"),
        xytext=(4 if right else -4, 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="top",
        fontsize=8,
        color=BROKEN,
        bbox={"facecolor": "white", "alpha": 0.85, "lw": 0, "pad": 1.5},
    )


def _clock_of(picture: Picture, at_us: int) -> str:
    return _clock(round(_seconds(picture, at_us), 1), 0)


def _draw_bad(panel: Any, picture: Picture, line: Line | None) -> Iterator[str]:
    """Mark the readings that could not be used; yield how many there are."""
    if line is None or not line.bad:
        return
    times = [_middle(picture, number) for number in line.bad]
    across = panel.get_xaxis_transform()
    panel.plot(times, [0.03] * len(times), transform=across, color=BAD, marker="|", ms=9, mew=1.6, lw=0)
    yield plural("trace.plot.bad", sum(line.bad.values()))


def _draw_cut(
    panel: Any, picture: Picture, buckets: Sequence[tuple[int, Bucket]], shown: tuple[float, float]
) -> Iterator[str]:
    """Mark where a curve leaves its panel; yield how often, and how far it goes."""
    low, high = shown
    across = panel.get_xaxis_transform()
    peaks, last, furthest = 0, -2, 0.0
    for number, bucket in buckets:
        above, below = bucket.high > high, bucket.low < low
        if not above and not below:
            continue
        if number > last + 2:
            peaks += 1
            marks = [(0.97, "^")] * above + [(0.03, "v")] * below
            for height, marker in marks:
                panel.plot(
                    [_middle(picture, number)], [height], transform=across, color=CUT, marker=marker, ms=4.5
                )
        last = number
        furthest = max((furthest, bucket.high * above, bucket.low * below), key=abs)
    if peaks:
        yield plural("trace.plot.cut", peaks, stones=round(furthest))


def _tell(
    panel: Any,
    picture: Picture,
    place: int,
    buckets: Sequence[tuple[int, Bucket]],
    shown: tuple[float, float],
) -> None:
    """Mark what is wrong with a place in its panel, and say it above beside its name."""
    line = picture.lines.get(place)
    broken = list(_draw_broken(panel, picture, picture.broken.get(place, [])))
    bad = list(_draw_bad(panel, picture, line))
    cut = list(_draw_cut(panel, picture, buckets, shown))
    told = "  ·  ".join((*broken, *bad, *cut))
    # The name of a tuzdyk takes the whole line, so what is wrong with it stands below.
    above = 15 if told and place in picture.marked else 3
    panel.set_title(_title(picture, place), loc="left", fontsize=9, weight="bold", pad=above)
    panel.annotate(
        told,
        (1, 1),
        xycoords="axes fraction",
        xytext=(0, 3),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=8,
        color=BROKEN if broken else BAD if bad else ASIDE,
    )


def _title(picture: Picture, place: int) -> str:
    """Return the name of a place and its channel; of a tuzdyk, that what it weighs is its mark."""
    told = say("wrong.on_channel", place=place_said(place), channel=picture.channels[place])
    return say("trace.plot.tuzdyk", place=told) if place in picture.marked else told


def _draw_counted(panel: Any, picture: Picture, counted: Sequence[tuple[int, int]]) -> None:
    if counted:
        times = [_seconds(picture, max(at_us, picture.from_us)) for at_us, _ in counted]
        stones = [stones for _, stones in counted]
        panel.step(
            [*times, _seconds(picture, picture.to_us)],
            [*stones, stones[-1]],
            where="post",
            color=COUNTED,
            lw=2.4,
            alpha=0.75,
        )


def _runs(buckets: Sequence[tuple[int, Bucket]]) -> Iterator[Sequence[tuple[int, Bucket]]]:
    """Yield stretches without a gap: where nothing was read, nothing is drawn."""
    begin = 0
    for at in range(1, len(buckets) + 1):
        if at == len(buckets) or buckets[at][0] > buckets[at - 1][0] + 2:
            yield buckets[begin:at]
            begin = at


def _limits(buckets: Sequence[Bucket], counted: Sequence[int]) -> tuple[float, float]:
    """Return the lowest and highest stones a panel shows: all counted ones, nearly all that were weighed."""
    means = sorted(bucket.total / bucket.samples for bucket in buckets)
    outside = int(len(means) * OUTLIERS)
    inside = [*means[outside : len(means) - outside], *counted] or [0.0]
    low, high = min(inside), max(inside)
    margin = max(0.6, 0.12 * (high - low))
    return low - margin, high + margin


def _legend(picture: Picture) -> Iterator[Patch | Line2D]:
    yield Line2D([], [], color=WEIGHED, lw=0.9, label=say("trace.plot.weighed"))
    yield Line2D([], [], color=COUNTED, lw=2.4, label=say("trace.plot.counted"))
    for side, colour in zip(Side, PRESS_COLOURS, strict=True):
        label = say("trace.plot.press", side=code_said("side", side.value))
        yield Line2D([], [], color=colour, lw=1.1, ls=(0, (1, 1.5)), label=label)
    yield Line2D([], [], color=MOVE, lw=0.9, label=say("trace.plot.move"))
    if picture.others:
        yield Line2D([], [], color=OTHER, marker="v", lw=0, label=say("trace.plot.other"))
    if picture.broken:
        yield Patch(facecolor=BROKEN, alpha=0.3, label=say("trace.plot.broken"))
    if any(line.bad for line in picture.lines.values()):
        yield Line2D([], [], color=BAD, marker="|", ms=9, mew=1.6, lw=0, label=say("trace.plot.bad_reading"))
    yield Line2D([], [], color=CUT, marker="^", ms=4.5, lw=0, label=say("trace.plot.cut_off"))
    for sensed in dict.fromkeys(sensed for _, sensed in picture.seen):
        yield Patch(color=SEEN_COLOURS.get(sensed, "white"), label=code_said("status", sensed))

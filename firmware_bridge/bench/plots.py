"""The sweep as a picture: error rates over each axis, and where every method breaks.

Needs matplotlib, which comes with the extra `plots`; without it nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware_bridge.bench.sweep import MOST_SILENT, Tally, breaking_point
from firmware_bridge.bench.theory import MOST_ASKS, limit
from sensors.simulator.profile import PROFILES

Swept = Mapping[str, Mapping[float, Mapping[str, Tally]]]

LEAST = 1e-5
"""Where "none at all" is drawn on a logarithmic scale."""


class NoPlotError(RuntimeError):
    """Raised when there is nothing to draw with."""


def draw(swept: Swept, profile: str, path: Path) -> None:
    """Write the picture.

    Raises:
        NoPlotError: matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - an extra
        from matplotlib.figure import Figure  # noqa: PLC0415 - ditto
    except ImportError as error:
        raise NoPlotError(f"{path.name} is not drawn: install the extra `plots` ({error})") from error
    figure: Any = Figure(figsize=(5 * len(swept), 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    for place, (axis, factors) in enumerate(swept.items(), 1):
        plot = figure.add_subplot(1, len(swept), place)
        _draw_axis(plot, factors, limit(PROFILES[profile], axis))
        plot.set_title(f"{axis}, times that of {profile}")
    figure.savefig(path, dpi=120)


def _draw_axis(plot: Any, factors: Mapping[float, Mapping[str, Tally]], most: float | None) -> None:
    known = list(next(iter(factors.values())))
    for index, method in enumerate(known):
        colour = f"C{index}"
        silent = [max(LEAST, tallies[method].silent_rate) for tallies in factors.values()]
        asks = [max(LEAST, tallies[method].ask_rate) for tallies in factors.values()]
        broken = breaking_point(factors, method)
        label = f"{method}: breaks at {broken:g}" if broken is not None else f"{method}: not broken"
        plot.plot(list(factors), silent, color=colour, marker=".", label=label)
        plot.plot(list(factors), asks, color=colour, linestyle=":")
        if broken is not None:
            plot.axvline(broken, color=colour, linewidth=0.7)
    if most is not None:
        plot.axvline(most, color="grey", linewidth=2, linestyle="--", label=f"no reader beyond {most:.3g}")
    plot.axhline(MOST_SILENT, color="black", linewidth=0.5)
    plot.axhline(MOST_ASKS, color="black", linewidth=0.5, linestyle=":")
    plot.set_xscale("log", base=2)
    plot.set_yscale("log")
    plot.set_xlabel("factor")
    plot.set_ylabel("share of plies: wrong (solid), asked (dotted)")
    plot.legend(fontsize="small")

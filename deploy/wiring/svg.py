"""A sheet of SVG: boxes, lines and words, written the same way every time.

A drawing is kept in the repository and compared with what is drawn anew (tests/deploy/test_wiring.py), so
nothing here may depend on a machine, a clock or the order of a set.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal
from xml.sax.saxutils import escape, quoteattr

INK: Final = "#1d2733"
PAPER: Final = "#ffffff"
FONT: Final = "DejaVu Sans, Verdana, sans-serif"

KINDS: Final[Mapping[str, str]] = {
    "cell": "#cfe3f7",
    "clock": "#ffd9a8",
    "button": "#d3efcf",
    "output": "#eadcf6",
    "ground": "#d5d8dc",
    "3.3 V": "#f9c6c6",
    "5 V": "#f08f8f",
    "free": "#f4f5f6",
}
"""What a pin is for, and the colour of its box; each box also says it in words."""

Anchor = Literal["start", "middle", "end"]


class Sheet:
    """One drawing.

    Attributes:
        width: In pixels; as wide as it is meant to be read.
        height: In pixels.
    """

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height = width, height
        self._title = title
        self._parts: list[str] = []
        self.box(0, 0, width, height, fill=PAPER, line="none")
        self.text(20, 34, title, size=20, bold=True)

    def box(  # noqa: PLR0913 - a box has so many sides
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = PAPER,
        line: str = INK,
        radius: float = 0,
    ) -> None:
        """Draw a box whose left upper corner is at x, y."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
            f'fill="{fill}" stroke="{line}"/>'
        )

    def circle(self, x: float, y: float, radius: float, *, fill: str = PAPER, line: str = INK) -> None:
        """Draw a circle around x, y."""
        self._parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{line}"/>')

    def line(self, *points: tuple[float, float], color: str = INK, width: float = 1.5) -> None:
        """Draw a line through the points."""
        at = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._parts.append(f'<polyline points="{at}" fill="none" stroke="{color}" stroke-width="{width:g}"/>')

    def text(  # noqa: PLR0913 - so has a word
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 13,
        anchor: Anchor = "start",
        bold: bool = False,
        color: str = INK,
    ) -> None:
        """Write one line of words on the line y."""
        weight = ' font-weight="bold"' if bold else ""
        at = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{at}{weight} fill="{color}">'
            f"{escape(words)}</text>"
        )

    def lines(self, x: float, y: float, *words: str, size: float = 13, step: float = 19) -> None:
        """Write lines of words below each other."""
        for index, each in enumerate(words):
            self.text(x, y + index * step, each, size=size)

    def block(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *words: str,
        fill: str = PAPER,
    ) -> None:
        """Draw a part: a box with lines of words in its middle, the first one bold."""
        self.box(x, y, width, height, fill=fill, radius=6)
        first = y + height / 2 - (len(words) - 1) * 8.5 + 13 / 3
        for index, each in enumerate(words):
            self.text(x + width / 2, first + index * 17, each, anchor="middle", bold=index == 0)

    def legend(self, x: float, y: float, *kinds: str) -> None:
        """Write what the colours mean, beside each other."""
        for kind in kinds:
            self.box(x, y - 12, 16, 16, fill=KINDS[kind])
            self.text(x + 22, y + 1, kind)
            x += 46 + 8 * len(kind)

    def svg(self) -> str:
        """Return the drawing as a file."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" font-family={quoteattr(FONT)} role="img">'
        )
        return "\n".join([head, f"<title>{escape(self._title)}</title>", *self._parts, "</svg>", ""])


def save(sheets: Mapping[str, Sheet], folder: Path) -> None:
    """Write each drawing into the folder, under its name."""
    for name, sheet in sheets.items():
        (folder / f"{name}.svg").write_text(sheet.svg(), encoding="utf-8")

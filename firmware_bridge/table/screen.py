"""What the pages are sent: the newest view with its age, or that the board is gone since when (pure)."""

from __future__ import annotations

import json
from dataclasses import dataclass

from firmware_bridge.wire.table_view import TableLine


@dataclass(frozen=True, slots=True)
class Screen:
    """What is known of the board.

    Attributes:
        assets: Version of the page's files; a page that has others loads itself anew.
        line: The newest line; None before any.
        heard_s: When it came; seconds of any steady clock.
        gone_s: Since when the board does not answer; None while it does.
    """

    assets: str
    line: TableLine | None = None
    heard_s: float = 0.0
    gone_s: float | None = 0.0

    def heard(self, line: TableLine, now_s: float) -> Screen:
        """Return the screen after the board has said this."""
        return Screen(self.assets, line, now_s, None)

    def lost(self, now_s: float) -> Screen:
        """Return the screen after the board was found not to answer."""
        return Screen(self.assets, self.line, self.heard_s, now_s if self.gone_s is None else self.gone_s)

    def message(self, now_s: float) -> str:
        """Return what a page is told now.

        Keys: `assets`; `gone_ms`, for how long the board has not answered, null while it does; `age_ms`, how
        old the view is; `view`, null before any.
        """
        line = self.line
        age_ms = 0 if line is None else line.age_ms + round((now_s - self.heard_s) * 1000)
        told = {
            "assets": self.assets,
            "gone_ms": None if self.gone_s is None else max(0, round((now_s - self.gone_s) * 1000)),
            "age_ms": age_ms,
            "view": None if line is None else line.view.model_dump(mode="json"),
        }
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))

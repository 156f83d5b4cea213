"""What the table page's program is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


class TableError(OSError):
    """Raised when the page cannot be served; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """Everything the program needs to know.

    Attributes:
        board_id: Identifier of the board, as in topics.
        socket: The board's control socket.
        host: Where the page listens.
        port: Port; 0 takes a free one.
        language: Language of a page that asks for none.
        near: The seat drawn at the lower edge, or on the left.
        turned: Whether the other half is turned to its player.
    """

    board_id: str
    socket: Path
    host: str = "127.0.0.1"
    port: int = 0
    language: str = "kk"
    near: Literal["a", "b"] = "a"
    turned: bool = False

"""Following a board over its control socket: its views as they come, and that it is gone.

The board may be started later, killed and started again: the socket is tried until somebody answers. What
comes is not trusted, though it comes from this machine: the socket may be another version's.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from firmware_bridge.wire.table_view import MAX_VIEW_BYTES, TableLine
from firmware_bridge.wire.unix import reachable

WATCH = b'{"do":"watch"}\n'

AGAIN_S = 0.5
"""How often a board that does not answer is tried again."""

SILENCE_S = 3.0
"""A board says something every second; after so long it is gone, whatever the socket does."""


@dataclass(frozen=True, slots=True)
class Gone:
    """The board does not answer; `why` says what is known about it, in English, for the log."""

    why: str


async def follow(path: Path) -> AsyncIterator[TableLine | Gone]:
    """Yield every line that the board at a socket says, and `Gone` whenever it cannot be heard; never ends.

    Args:
        path: The board's control socket.
    """
    while True:
        try:
            async with _talk(path) as reader:
                while True:
                    yield await _line(reader)
        except (OSError, TimeoutError, ValueError) as error:
            yield Gone(str(error) or type(error).__name__)
        await asyncio.sleep(AGAIN_S)


@contextlib.asynccontextmanager
async def _talk(path: Path) -> AsyncIterator[asyncio.StreamReader]:
    with reachable(path) as name:
        reader, writer = await asyncio.open_unix_connection(name, limit=MAX_VIEW_BYTES)
    try:
        writer.write(WATCH)
        await writer.drain()
        yield reader
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def _line(reader: asyncio.StreamReader) -> TableLine:
    """Return the next line.

    Raises:
        ValueError: It is too long, or says nothing that is understood.
        ConnectionError: The board has hung up.
        TimeoutError: It says nothing.
    """
    line = await asyncio.wait_for(reader.readline(), SILENCE_S)
    if not line.endswith(b"\n"):
        raise ConnectionError("the board has hung up")
    try:
        return TableLine.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(step)[:40] for step in first["loc"][:8])
        raise ValueError(
            f"what the board says is not understood: {where or 'line'}: {first['msg']}"
        ) from None

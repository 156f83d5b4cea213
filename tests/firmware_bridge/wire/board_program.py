"""A board's program without a board: `python board_program.py PORT JOURNAL BOOT`.

Publishes the rows of a text file, one number per line, and says "start" when it begins.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from firmware_bridge.wire.publisher import BoardPublisher
from firmware_bridge.wire.settings import BrokerSettings


class FileRows:
    """Rows as lines of a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def rows_after(self, seq: int, limit: int) -> Sequence[tuple[int, bytes]]:
        """Return the rows that follow."""
        numbers = [int(line) for line in self._path.read_text(encoding="ascii").split()]
        return [(number, str(number).encode()) for number in numbers if number > seq][:limit]


async def _main(port: int, journal: Path, boot: int) -> None:
    settings = BrokerSettings("127.0.0.1", port, client_id="killed")
    cursor = journal.with_suffix(".cursor")
    publisher = BoardPublisher(settings, "killed", "b01", boot, FileRows(journal), cursor)
    sys.stdout.write("start\n")
    sys.stdout.flush()
    await publisher.run()


asyncio.run(_main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))

"""An event for disputes: one broker, one hall with its console, and many tables, all as real programs."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from firmware_bridge.commands.processes import Crew
from firmware_bridge.wire.key_files import save_keys
from firmware_bridge.wire.signing import Keyring
from tests.house.disputes.table import EVENT, PATIENCE_S, Seated, Table, key_of
from tests.house.spy import Spy

PASSWORD = "тоғыз құмалақ"  # noqa: S105 - of a test
CHIEF = "Сәуле"
BOARDS = tuple(f"board-{number}" for number in range(1, 13))
AT_ONCE = 6
"""Tables that stand in the hall at the same time; the one that was opened first is cleared for the next."""

CONFIG = """\
[board]
id = "hall"
event = "{event}"
state_dir = "state"
language = "en"
[device]
port = "none"
[calibration]
file = "none.json"
"""


Seat: TypeAlias = Callable[[Seated], Table]
"""Sets a table up for one dispute; when that is over nobody is needed there."""


class Event:
    """The hall with everything around it.

    Attributes:
        url: Where the hall answers.
    """

    def __init__(self, folder: Path, crew: Crew, spy: Spy) -> None:
        """Start broker and hall, and make the chief's account; everything is kept in `folder`."""
        self._folder = folder
        self._crew = crew
        self._tables: deque[Table] = deque()
        own = self._folder / "broker.toml"
        own.write_text(CONFIG.format(event=EVENT), encoding="utf-8")
        broker = self._crew.start("broker", own)
        host, _, port = broker.wait_for("broker: ", PATIENCE_S).rsplit(" ", 1)[-1].rpartition(":")
        self._broker = host, int(port)
        spy.listen(*self._broker)
        save_keys(self._folder / "hall.keys", Keyring(tuple(map(key_of, BOARDS))), replace=False)
        config = self._folder / "hall.toml"
        hall = f'[hall]\nport = 0\nkeys = "hall.keys"\n[broker]\nhost = "{host}"\nport = {port}\n'
        config.write_text(CONFIG.format(event=EVENT) + hall, encoding="utf-8")
        said = self._crew.start("hall", config).wait_for("hall: ", PATIENCE_S)
        self.url = said.removeprefix("hall: ").strip()
        command = [sys.executable, "-m", "firmware_bridge", "account", str(config), CHIEF, "--role", "chief"]
        subprocess.run(command, input=f"{PASSWORD}\n", text=True, check=True, capture_output=True)

    def seat(self, seated: Seated) -> Table:
        """Set up a table beside those that are there."""
        while len(self._tables) >= AT_ONCE:
            self._tables.popleft().end()
        table = Table(self._folder / seated.board, self._crew, self._broker, seated)
        self._tables.append(table)
        return table

    def text(self, path: str) -> str:
        """Return what the hall answers; empty while it has nothing."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=5) as answer:  # noqa: S310 - our own hall
                return str(answer.read().decode())
        except OSError:
            return ""

    def get(self, path: str) -> dict[str, Any] | None:
        """Return JSON from the hall; None while it has none."""
        found = self.text(path)
        return json.loads(found) if found else None


@contextmanager
def running(folder: Path) -> Iterator[Event]:
    """Run an event and end it; all that went over the broker must be as the contract says."""
    with closing(Spy()) as spy, Crew(folder) as crew:
        yield Event(folder, crew, spy)
    assert spy.faults() == []

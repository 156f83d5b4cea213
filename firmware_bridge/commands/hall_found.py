"""The broker of a board whose configuration says `host = "auto"`: that of its event's hall on the network."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

from firmware_bridge.config import BrokerTable
from firmware_bridge.discovery.network import NetworkError, heard_halls
from firmware_bridge.discovery.notices import Choice, HallNotice, Remembered, chosen, remembered_in
from firmware_bridge.wire.broker import BrokerError
from firmware_bridge.wire.regular import read_regular
from firmware_bridge.wire.settings import BrokerSettings
from sensors.calibration_file import replace_file

log = logging.getLogger(__name__)


async def broker_of_hall(table: BrokerTable, state_dir: Path, client_id: str, event: str) -> BrokerSettings:
    """Look for the hall of an event for some seconds and return its broker, or the one it had last.

    Raises:
        BrokerError: No hall may be followed, and none was before.
    """
    found = await HallSeeker(state_dir, event).look()
    if found is None:
        raise BrokerError(f"no hall of event {event!r} to follow, and none was followed before")
    return BrokerSettings(
        found.host, found.port, username=table.username, password=table.password, client_id=client_id
    )


class HallSeeker:
    """Looks for the hall of one event, and remembers where its broker was.

    Args:
        state_dir: Where that is kept: good for as long as the network carries no multicast.
        event: Id of the event.
    """

    def __init__(self, state_dir: Path, event: str) -> None:
        self._path, self._event = state_dir / "hall.json", event
        self._said: set[str] = set()

    async def look(self) -> Remembered | None:
        """Return where the broker is now, else where it was last; None: nobody knows. Takes some seconds."""
        heard: Sequence[HallNotice] = ()
        try:
            heard = await asyncio.to_thread(heard_halls)
        except NetworkError as error:
            self._warn(str(error))
        last = await asyncio.to_thread(_remembered, self._path, self._event)
        choice = chosen(heard, self._event, "" if last is None else last.broker)
        if choice.hall is None:
            self._warn(_why_none(choice, self._event, last))
            return last
        found = Remembered(self._event, choice.hall.broker_host, choice.hall.broker_port)
        if found != last:
            log.info(
                "the hall of event %s, %s, has its broker at %s", found.event, choice.hall.url, found.broker
            )
            await asyncio.to_thread(_remember, self._path, found)
        return found

    def _warn(self, words: str) -> None:
        """Say it, once: an outage of hours is looked at every quarter of a minute."""
        if words not in self._said:
            self._said.add(words)
            log.warning("%s", words)


def _why_none(choice: Choice, event: str, last: Remembered | None) -> str:
    """Say why no hall that was heard may be followed, what is done instead, and what people can do."""
    instead = "" if last is None else f"; going on with the last one at {last.broker}"
    if any(hall.broker for hall in choice.ours):
        where = ", ".join(hall.broker for hall in choice.ours if hall.broker)
        return f"halls of event {event!r} lead to different brokers ({where}): end all but one{instead}"
    if choice.ours:
        where = choice.ours[0].url
        return f"the hall at {where} has a broker that only its own machine can reach{instead}"
    others = f"; heard were halls of {', '.join(choice.others)}" if choice.others else ""
    return f"no hall of event {event!r} is heard on the network{others}{instead}"


def _remembered(path: Path, event: str) -> Remembered | None:
    try:
        return remembered_in(read_regular(path).decode(), event)
    except (OSError, UnicodeDecodeError):
        return None


def _remember(path: Path, found: Remembered) -> None:
    """Keep an address; several boards may do so at once. A disk that takes nothing costs only the memory."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, found.written())
    except OSError as error:
        log.warning("%s: the hall's address cannot be remembered: %s", path, error.strerror)

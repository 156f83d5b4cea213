"""Asks broker, hall and table page, each once; nothing that is kept or shown comes of it."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Final

from firmware_bridge.config import Config
from firmware_bridge.discovery.notices import AUTO, HallNotice, chosen
from firmware_bridge.doctor.looking.system import reason
from firmware_bridge.doctor.network import BrokerFacts, HallFacts
from firmware_bridge.wire.broker_files import find_mosquitto
from firmware_bridge.wire.payloads import DiagPayload, PayloadError, decode, encode
from firmware_bridge.wire.probe import Probed, probe
from firmware_bridge.wire.rendezvous import find_broker
from firmware_bridge.wire.settings import BrokerSettings
from firmware_bridge.wire.topics import RETAINED_LEAVES, build, build_command

HTTP_S: Final = 2.0
MOST_BYTES: Final = 4_000_000
"""More than a list of 512 boards takes."""

CLIENT_ID: Final = "doctor"


@dataclass(frozen=True, slots=True)
class _Where:
    settings: BrokerSettings | None
    facts: BrokerFacts


def look_at_broker(config: Config, heard: Sequence[HallNotice]) -> BrokerFacts:
    """Return what is known of the broker of a configuration, having asked it.

    Args:
        config: The configuration.
        heard: The halls on the network, where the broker is to be found by them.
    """
    where = _where(config, heard)
    if where.settings is None:
        return where.facts
    event, board = config.board.event, config.board.id
    filters = [build(event, board, leaf) for leaf in sorted(RETAINED_LEAVES)]
    command = build_command(event, board, "cmd")
    if config.board.keys is not None:
        filters.append(command)
    topic = build(event, board, "diag")
    came = probe(where.settings, topic, _nothing(event, board), tuple(filters))
    return _told(where, came, topic, command if config.board.keys is not None else "")


def _where(config: Config, heard: Sequence[HallNotice]) -> _Where:
    """Return where the broker is and as whom it is asked, or why nobody knows."""
    table, event = config.broker, config.board.event
    if table.host == AUTO:
        choice = chosen(heard, event)
        if choice.hall is None:
            facts = BrokerFacts(kind="discovered", outcome="unheard", event=event, heard=choice.others)
            return _Where(None, facts)
        host, port = choice.hall.broker_host, choice.hall.broker_port
        kind: Any = "discovered"
    elif table.host is not None:
        host, port, kind = table.host, table.port, "configured"
    else:
        missing = table.own if table.own == "mosquitto" and find_mosquitto() is None else ""
        found = find_broker(config.board.state_dir)
        if found is None:
            return _Where(None, BrokerFacts(kind="own", outcome="none", missing=missing))
        host, port, kind = found.host, found.port, "own"
    client_id = f"{config.board.id}.{CLIENT_ID}"
    settings = BrokerSettings(
        host, port, username=table.username, password=table.password, client_id=client_id
    )
    return _Where(settings, BrokerFacts(where=settings.where, kind=kind, user=table.username or ""))


def _nothing(event: str, board: str) -> bytes:
    """Return a diagnosis without a number, older than any start of a board's program."""
    return encode(DiagPayload(event=event, board=board, game=None, boot=0, seq=0, ply=0, ts=0, values={}))


def _told(where: _Where, came: Probed, topic: str, command: str) -> BrokerFacts:
    kept = [_kept(name, data) for name, data in came.retained.items()]
    times = [each.ts for each in kept if each is not None]
    hears = None if came.hears is None or not command else came.hears[-1]
    error = came.error
    why = came.why if error is None else reason(error)
    return BrokerFacts(
        where=where.facts.where,
        kind=where.facts.kind,
        outcome=came.outcome,
        why=why,
        user=where.facts.user,
        publishes=came.publishes,
        topic=topic,
        hears=hears,
        hears_topic=command,
        told_ms=max(times, default=None),
        online=any(each is not None and getattr(each, "online", False) for each in kept),
    )


def _kept(topic: str, data: bytes) -> Any:
    try:
        return decode(topic, data)
    except PayloadError:
        return None


def look_at_hall(host: str, port: int, notice: HallNotice | None = None) -> HallFacts:
    """Return what a hall says of itself.

    Args:
        host: Where.
        port: On which port.
        notice: What it told the network of itself; None: it was not heard, or is not looked for.
    """
    where = f"{host}:{port}"
    software = "" if notice is None else notice.software
    contract = "" if notice is None else notice.contract
    event = "" if notice is None else notice.event
    broker = "" if notice is None else notice.broker
    try:
        listed, behind_ms = _asked(host, port, "/api/boards")
        papers, _ = _asked(host, port, "/contract/")
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = reason(error)
        return HallFacts(
            where=where, event=event, contract=contract, software=software, why=why, broker=broker
        )
    boards = listed.get("boards")
    rows = boards if isinstance(boards, list) else []
    return HallFacts(
        where=where,
        event=str(listed.get("event", event)),
        contract=str(papers.get("version", contract)),
        software=str(papers.get("software", software)),
        boards=tuple(str(row.get("board")) for row in rows if isinstance(row, dict)),
        broker=broker,
        behind_ms=behind_ms,
    )


def _asked(host: str, port: int, path: str) -> tuple[dict[str, Any], int | None]:
    """Return the JSON that stands at a path, and how far the other's wall clock is behind ours.

    Raises:
        OSError, http.client.HTTPException, ValueError: There is none.
    """
    with closing(http.client.HTTPConnection(host, port, timeout=HTTP_S)) as connection:
        connection.request("GET", path, headers={"Accept": "application/json"})
        answer = connection.getresponse()
        found = json.loads(answer.read(MOST_BYTES))
        if answer.status != http.HTTPStatus.OK or not isinstance(found, dict):
            raise ValueError(f"{path}: status {answer.status}, and no answer of a hall")
        date = answer.headers.get("Date")
        if date is None:
            return found, None
        return found, round((time.time() - parsedate_to_datetime(date).timestamp()) * 1000)


def page_trouble(host: str, port: int) -> str:
    """Return why a page does not answer; "" when it does."""
    try:
        with closing(http.client.HTTPConnection(host, port, timeout=HTTP_S)) as connection:
            connection.request("GET", "/")
            status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        return reason(error)
    return "" if status < http.HTTPStatus.BAD_REQUEST else f"status {status}"

"""Broker and hall: are they there, do they let this board in, are they of its event and version. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from firmware_bridge.doctor.findings import Finding, found
from firmware_bridge.wire.version import CONTRACT_VERSION, SOFTWARE, difference


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerFacts:
    """What came of asking the broker.

    Attributes:
        where: Its address, `host:port`; "" where none is known.
        kind: `configured`; `own`: the one that the programs of this machine share; `discovered`: that of the
            hall on the network.
        outcome: `works`; `none`: the shared one is not running; `unheard`: no hall of the event was found on
            the network; `unreachable`; `no_mqtt`: what answers is no broker; `credentials`: user or password
            is wrong; `refused`.
        why: In words where `outcome` says that it is not reached.
        user: As whom; "" anonymously.
        publishes: Whether it takes what the board tells; None: it does not say (before MQTT 5).
        topic: On which topic that was tried.
        hears: Whether it lets the board hear its commands; None: not asked.
        hears_topic: On which.
        told_ms: The latest wall time among what it has kept of this board; None: nothing.
        online: Whether what it has kept says that this board is there.
        missing: The broker's program that is configured for this machine and not installed; "" else.
        event: Of the configuration.
        heard: The events whose halls were heard instead.
    """

    where: str = ""
    kind: Literal["configured", "own", "discovered"] = "configured"
    outcome: Literal["works", "none", "unheard", "unreachable", "no_mqtt", "credentials", "refused"] = "works"
    why: str = ""
    user: str = ""
    publishes: bool | None = None
    topic: str = ""
    hears: bool | None = None
    hears_topic: str = ""
    told_ms: int | None = None
    online: bool = False
    missing: str = ""
    event: str = ""
    heard: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HallFacts:
    """What is known of one hall.

    Attributes:
        where: Its address.
        event: Its event; "" unknown.
        contract: The version of its contract; "" unknown.
        software: What it calls itself; "" unknown.
        why: Why it does not answer; "" when it does.
        boards: The boards it has heard of; None: it did not say.
        broker: Where it tells boards to publish; "" where it told the network nothing.
        behind_ms: How far its wall clock is behind ours; None: unknown.
    """

    where: str
    event: str = ""
    contract: str = ""
    software: str = ""
    why: str = ""
    boards: tuple[str, ...] | None = None
    broker: str = ""
    behind_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Us:
    """Who asks.

    Attributes:
        board: Id of the board.
        event: Id of the event.
        running: Whether the board runs on this machine.
        must_find: Whether the board needs a hall on the network to find its broker.
    """

    board: str
    event: str
    running: bool = False
    must_find: bool = False


def judge_broker(facts: BrokerFacts, us: Us) -> Iterator[Finding]:
    """Yield what is wrong with the broker."""
    if facts.missing:
        yield found("broker_not_installed", program=facts.missing)
    match facts.outcome:
        case "none":
            if not facts.missing:
                yield found("broker_not_running")
        case "unheard":
            yield found("broker_not_found", event=us.event, heard=", ".join(facts.heard))
        case "unreachable":
            yield found("broker_unreachable", where=facts.where, why=facts.why)
        case "no_mqtt":
            yield found("broker_no_mqtt", where=facts.where)
        case "credentials":
            yield found("broker_credentials", where=facts.where, user=facts.user)
        case "refused":
            yield found("broker_refused", where=facts.where, why=facts.why)
        case "works":
            yield from _of_rights(facts, us)


def _of_rights(facts: BrokerFacts, us: Us) -> Iterator[Finding]:
    told = {"where": facts.where, "user": facts.user}
    if facts.publishes is False:
        yield found("broker_no_publish", topic=facts.topic, **told)
    if facts.hears is False:
        yield found("broker_no_subscribe", topic=facts.hears_topic, **told)
    if facts.online and not us.running:
        yield found("broker_board_elsewhere", where=facts.where, board=us.board)


def judge_hall(halls: Sequence[HallFacts], us: Us) -> Iterator[Finding]:
    """Yield what is wrong with the halls: the configured one, and those of the event on the network."""
    ours = [hall for hall in halls if hall.event in ("", us.event)]
    for hall in halls:
        if hall.event not in ("", us.event) and not hall.why and not ours:
            yield found("hall_other_event", where=hall.where, event=us.event, theirs=hall.event)
    if not halls and not us.must_find:  # else the broker's finding has said so
        yield found("hall_none", event=us.event)
    if len({hall.broker for hall in ours if hall.broker}) > 1:
        where = ", ".join(sorted({hall.where for hall in ours if hall.broker}))
        yield found("hall_several", event=us.event, where=where)
    for hall in ours:
        yield from _of_one(hall, us)


def _of_one(hall: HallFacts, us: Us) -> Iterator[Finding]:
    if hall.why:
        yield found("hall_silent", where=hall.where, why=hall.why)
        return
    told = {"where": hall.where, "theirs": hall.contract, "ours": CONTRACT_VERSION}
    match difference(hall.contract, hall.software):
        case "contract":
            yield found("hall_other_contract", **told)
        case "minor":
            yield found("hall_other_minor", **told)
        case "software":
            yield found("hall_other_software", where=hall.where, theirs=hall.software, ours=SOFTWARE)
    if us.running and hall.boards is not None and us.board not in hall.boards:
        yield found("hall_misses_board", where=hall.where, board=us.board)

"""The board's publisher: patient until there is a broker, then up to date."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.board.memory.telling import Identity, Rows
from firmware_bridge.commands import publishing
from firmware_bridge.commands.publishing import PatientPublisher
from firmware_bridge.config import BrokerTable
from firmware_bridge.discovery.notices import Remembered
from firmware_bridge.wire.broker import BrokerError
from firmware_bridge.wire.command_line import CommandLine
from firmware_bridge.wire.payloads import DiagPayload, MetaPayload, StatePayload
from firmware_bridge.wire.publisher import PublisherStatus
from firmware_bridge.wire.records import RecordPayload
from firmware_bridge.wire.settings import BrokerSettings
from tests.firmware_bridge.wire.signed import gate

META = MetaPayload.model_construct(software="first")
NEWER = MetaPayload.model_construct(software="second")
STATE = StatePayload.model_construct(phase="playing")
PART = RecordPayload.model_construct(part=1)


class FakePublisher:
    """Remembers what it is handed."""

    made: list[FakePublisher]

    def __init__(self, settings: BrokerSettings, *_: object) -> None:
        """Be made for a broker."""
        self.settings = settings
        self.status = PublisherStatus(connected=True, reason="", confirmed=0, unacknowledged=0)
        self.got: list[object] = []
        self.closed = asyncio.Event()
        self.made.append(self)

    def set_state(self, state: StatePayload) -> None:
        """Take a state."""
        self.got.append(state)

    def set_meta(self, meta: MetaPayload) -> None:
        """Take a description."""
        self.got.append(meta)

    def set_record(self, game: str, parts: Sequence[RecordPayload]) -> None:
        """Take a record."""
        self.got.append((game, parts))

    def notify_rows(self) -> None:
        """Hear of rows."""
        self.got.append("rows")

    def send_diag(self, diag: DiagPayload) -> bool:
        """Take a diagnosis."""
        self.got.append(diag)
        return True

    async def run(self) -> None:
        """Run until closed."""
        await self.closed.wait()

    async def close(self) -> None:
        """End."""
        self.closed.set()


def _patient(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *troubles: Exception, line: CommandLine | None = None
) -> PatientPublisher:
    """Make one whose broker is there after these troubles."""
    left = list(troubles)

    @asynccontextmanager
    async def at_hand(
        _table: BrokerTable, _folder: Path, name: str, _event: str
    ) -> AsyncIterator[BrokerSettings]:
        await asyncio.sleep(0)
        if left:
            raise left.pop(0)
        yield BrokerSettings("h", 1, client_id=name)

    FakePublisher.made = []
    monkeypatch.setattr(publishing, "broker_at_hand", at_hand)
    monkeypatch.setattr(publishing, "BoardPublisher", FakePublisher)
    monkeypatch.setattr(publishing, "RETRY_S", 0.001)
    return PatientPublisher(BrokerTable(), folder, Identity("e", "b", 1), Rows(), folder / "cursor", line)


async def _made() -> FakePublisher:
    async with asyncio.timeout(20):
        while not FakePublisher.made:  # noqa: ASYNC110 - what is watched must not know of the test
            await asyncio.sleep(0.001)
    return FakePublisher.made[0]


@pytest.mark.asyncio
async def test_the_latest_is_handed_over_when_a_broker_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what comes later goes straight on."""
    patient = _patient(monkeypatch, tmp_path, BrokerError("not yet"))
    patient.start()
    patient.set_meta(META)
    patient.set_meta(NEWER)
    patient.set_state(STATE)
    patient.set_record("g1", (PART,))
    patient.set_record("g1", ())
    patient.set_record("g2", (PART,))
    patient.notify_rows()
    publisher = await _made()
    assert publisher.settings.client_id == "b"
    assert publisher.got == [NEWER, STATE, ("g1", ()), ("g2", (PART,))]
    publisher.got.clear()
    patient.set_state(STATE)
    patient.set_meta(META)
    patient.set_record("g3", (PART,))
    patient.notify_rows()
    assert publisher.got == [STATE, META, ("g3", (PART,)), "rows"]
    await patient.close()
    assert publisher.closed.is_set()
    await patient.close()


@pytest.mark.asyncio
async def test_each_reason_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """However often it is tried again, and whatever the number of the port."""
    troubles = (BrokerError("port 1 is taken"), BrokerError("port 2 is taken"), OSError(24, "no files left"))
    patient = _patient(monkeypatch, tmp_path, *troubles, *troubles)
    patient.start()
    await _made()
    await patient.close()
    told = [record.getMessage() for record in caplog.records if "no broker yet" in record.getMessage()]
    assert len(told) == 2
    assert "port 1 is taken" in told[0]
    assert "no files left" in told[1]


@pytest.mark.asyncio
async def test_it_can_be_closed_before_there_is_a_broker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stop does not wait for one."""
    patient = _patient(monkeypatch, tmp_path, *[BrokerError("no")] * 10_000)
    patient.start()
    await asyncio.sleep(0.01)
    async with asyncio.timeout(20):
        await patient.close()
    assert FakePublisher.made == []


@pytest.mark.asyncio
async def test_a_diagnosis_is_told_now_or_never(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of before there was a broker is of no use to anybody."""
    patient = _patient(monkeypatch, tmp_path)
    diag = DiagPayload.model_construct(values={})
    assert not patient.send_diag(diag)
    patient.start()
    publisher = await _made()
    assert patient.send_diag(diag)
    assert publisher.got == [diag]
    await patient.close()


class FakeLine(CommandLine):
    """A line that remembers at which broker it listens."""

    def __init__(self) -> None:
        """Begin at none."""
        super().__init__(gate())
        self.at: list[str] = []
        self.listens = asyncio.Event()

    async def run(self, broker: BrokerSettings) -> None:
        """Listen until cancelled."""
        self.at.append(broker.client_id)
        self.listens.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.at.append("gone")


@pytest.mark.asyncio
async def test_the_line_of_commands_is_at_the_same_broker_for_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends with the telling."""
    line = FakeLine()
    patient = _patient(monkeypatch, tmp_path, BrokerError("not yet"), line=line)
    patient.start()
    await _made()
    async with asyncio.timeout(20):
        await line.listens.wait()
    assert line.at == ["b"]
    await patient.close()
    assert line.at == ["b", "gone"]


def _seeker(*hosts: str) -> type:
    """Return what finds the hall at these places, one after the other, and then always at the last."""
    left = list(hosts)

    class Seeker:
        def __init__(self, *_: object) -> None:
            """Look for no hall but these."""

        async def look(self) -> Remembered | None:
            await asyncio.sleep(0)
            return Remembered("e", left.pop(0) if len(left) > 1 else left[0], 1)

    return Seeker


@pytest.mark.asyncio
async def test_a_hall_that_has_moved_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While its broker is away, and only then; what was to be told is handed over at the new place."""
    patient = _patient(monkeypatch, tmp_path)
    patient._table = BrokerTable(host="auto")
    monkeypatch.setattr(publishing, "MOVED_S", 0.001)
    # As long as the board hears it at the old address it stays.
    monkeypatch.setattr(publishing, "HallSeeker", _seeker("h", "h", "h2"))
    patient.start()
    patient.set_meta(META)
    first = await _made()
    await asyncio.sleep(0.05)
    assert not first.closed.is_set()
    first.status = replace(first.status, connected=False)
    async with asyncio.timeout(20):
        await first.closed.wait()
        while len(FakePublisher.made) < 2:  # noqa: ASYNC110 - what is watched must not know of the test
            await asyncio.sleep(0.001)
    assert FakePublisher.made[1].got == [META]
    await patient.close()


@pytest.mark.asyncio
async def test_a_broker_that_is_configured_is_never_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it is away."""
    patient = _patient(monkeypatch, tmp_path)
    monkeypatch.setattr(publishing, "MOVED_S", 0.001)
    monkeypatch.setattr(publishing, "HallSeeker", _seeker("h2"))
    patient.start()
    first = await _made()
    first.status = replace(first.status, connected=False)
    await asyncio.sleep(0.05)
    assert not first.closed.is_set()
    await patient.close()

"""The connection on which a board is commanded, apart from that on which it tells.

It is one of its own so that nobody who shouts on it delays what the board has to say, and it is read at
a measured pace: what comes faster is dropped and counted, so that it takes no time from the samples.
Only what is signed with a key of this board gets as far as the queue.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from firmware_bridge.wire.gate import Gate, Refused
from firmware_bridge.wire.mqtt import Event, MqttClient, Received
from firmware_bridge.wire.refusals import DROPPED, Refusals
from firmware_bridge.wire.settings import BrokerSettings
from firmware_bridge.wire.signing import Ack, SignedCommand
from firmware_bridge.wire.topics import build_command

MAX_WAITING: Final = 8
"""Commands that wait for their turn; an arbiter gives one at a time, and waits for its answer."""
MAX_JUDGED_PER_S: Final = 200
"""Messages looked at in a second: on a Raspberry Pi a few hundredths of its time."""
_BURST: Final = 20
_SLICE: Final = 50
_PAUSE_S: Final = 0.05
"""After so many messages the line rests so long: at most 1000 a second are even taken from the socket."""
_RETRY_S: Final = 1.0

_log = logging.getLogger(__name__)


class CommandLine:
    """Takes commands for one board and brings the answers; `run` it as a task.

    Args:
        gate: The board's gate.
        now_s: A clock, seconds.

    Attributes:
        gate: The same.
        refusals: What was refused.
    """

    def __init__(self, gate: Gate, now_s: Callable[[], float] = time.monotonic) -> None:
        self.gate = gate
        self.refusals = Refusals(now_s)
        self._now_s = now_s
        self._cmd = build_command(gate.event, gate.board, "cmd")
        self._ack = build_command(gate.event, gate.board, "ack")
        self._waiting: asyncio.Queue[SignedCommand] = asyncio.Queue(MAX_WAITING)
        self._client: MqttClient | None = None
        self._allowance, self._allowed_at_s = float(_BURST), now_s()
        self._taken = 0

    async def run(self, broker: BrokerSettings) -> None:
        """Listen until cancelled; a dead broker raises nothing."""
        # No board can have this client id: a dot stands in none.
        settings = replace(broker, client_id=f"{self.gate.board}.cmd")
        while True:
            try:
                async with MqttClient(settings, None, ((self._cmd, 1),), buffer=_SLICE) as client:
                    self._client = client
                    async for event in client.events():
                        await self.hear(event)
            except Exception:  # noqa: BLE001 - whatever it is, the board must stay within reach
                _log.exception("the line of commands failed; opening it again")
                await asyncio.sleep(_RETRY_S)
            else:
                return
            finally:
                self._client = None

    async def next(self) -> SignedCommand:
        """Return the next command that is signed with a key of this board; whether it is due is not said."""
        return await self._waiting.get()

    def answer(self, ack: Ack) -> bool:
        """Bring an answer; tell whether it went out. If not, the command is going to come again."""
        client = self._client
        return client is not None and client.publish(self._ack, ack.written(), qos=1) is not None

    async def hear(self, event: Event) -> None:
        """Take one event of the connection; returns later when many come."""
        if not isinstance(event, Received) or event.topic != self._cmd:
            return
        if self._may_judge():
            self._judge(event)
        else:
            self.refusals.add(DROPPED, f"more than {MAX_JUDGED_PER_S} messages a second")
        self._taken += 1
        if self._taken % _SLICE == 0:
            await asyncio.sleep(_PAUSE_S)

    def _may_judge(self) -> bool:
        """Take one from the allowance, which grows with time up to a burst; tell whether there was one."""
        now_s = self._now_s()
        grown = self._allowance + (now_s - self._allowed_at_s) * MAX_JUDGED_PER_S
        self._allowance, self._allowed_at_s = min(float(_BURST), grown), now_s
        if self._allowance < 1:
            return False
        self._allowance -= 1
        return True

    def _judge(self, message: Received) -> None:
        found = self.gate.read(message.payload, retained=message.retained)
        if isinstance(found, Refused):
            self.refusals.add(found.code, found.detail)
            return
        try:
            self._waiting.put_nowait(found)
        except asyncio.QueueFull:
            self.refusals.add(DROPPED, f"{MAX_WAITING} commands are waiting already")

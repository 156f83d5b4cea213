"""Where commands that came over the broker are carried out, one after another, and answered.

They do what the same words on the control socket do, and nothing else. A command is judged when its turn
has come, not when it arrives: between the two a move may have been played.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from firmware_bridge.wire.gate import Gate, Refused, Repeated
from firmware_bridge.wire.refusals import REPEATED, Refusals
from firmware_bridge.wire.signing import ACCEPTED, WITHOUT_PLY, Ack, SignedCommand, SigningError, read_object
from rules.errors import RulesError

log = logging.getLogger(__name__)

T = TypeVar("T")
Obey = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


class Line(Protocol):
    """How commands come: `firmware_bridge.wire.command_line.CommandLine`, or a test's own."""

    gate: Gate
    refusals: Refusals

    async def next(self) -> SignedCommand:
        """Return the next command that is signed with a key of this board."""
        ...

    def answer(self, ack: Ack) -> bool:
        """Bring an answer; tell whether it went out."""
        ...


class InTurn(Protocol):
    """How the board takes a piece of work among all others, and waits for what comes of it."""

    async def __call__(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do `work` when its turn has come."""
        ...


class Desk:
    """Carries signed commands out.

    Args:
        line: How they come.
        obey: Carries out one request as the control socket takes it, and answers likewise.
        ply: Says how many plies are played.
    """

    def __init__(self, line: Line, obey: Obey, ply: Callable[[], int]) -> None:
        self._line, self._gate = line, line.gate
        self._obey, self._ply = obey, ply

    async def serve(self, in_turn: InTurn) -> None:
        """Carry out what comes until cancelled; of all waiting commands one stands in the board's queue."""
        while True:
            self._line.answer(await self.one(await self._line.next(), in_turn))

    async def one(self, command: SignedCommand, in_turn: InTurn) -> Ack:
        """Carry out one command, if it is due, and return the answer."""
        return await in_turn(lambda: self._carry_out(command))

    async def _carry_out(self, command: SignedCommand) -> Ack:
        match self._gate.take(command, self._ply()):
            case Repeated(ack=ack):
                self._line.refusals.add(
                    REPEATED, f"number {command.seq} (by {command.who}) is answered as it was"
                )
                return ack
            case Refused() as refused:
                self._line.refusals.add(refused.code, f"{refused.detail} (by {command.who})")
                return self._gate.answer(command, self._ply(), refused.code, refused.detail)
        code, detail = await self._done(command)
        log.info("command %d of %s, key %s: %s %s", command.seq, command.who, command.key, code, detail)
        return self._gate.answer(command, self._ply(), code, detail)

    async def _done(self, command: SignedCommand) -> tuple[str, str]:
        """Do what a command says; return what came of it as code and words."""
        try:
            request = read_object(command.body)
        except SigningError as error:
            return "no_command", f"its body is none: {error}"
        do = request.get("do")
        if command.ply is None and not (isinstance(do, str) and do in WITHOUT_PLY):
            return "ply_needed", "it must name the ply it is for"
        try:
            # Who decides is whom the key speaks for, whatever the body says of it.
            answer = await self._obey({**request, "by": command.who})
        except RulesError as error:
            # The game stands as it stood, and whoever asked must not wait for ever.
            log.exception("a command that cannot follow was left out; please report it")
            return "failed", str(error)
        if answer["ok"]:
            return ACCEPTED, ""
        return str(answer.get("code") or "no_command"), str(answer.get("why", ""))

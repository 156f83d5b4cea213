"""What the hall knows about its boards, and how fresh that is. Pure.

Laws of this file:

1. A board is known by its id, never by its place in a list.
2. What is shown is the newest by (boot, seq, n); whatever is older changes nothing. An "offline"
   that an earlier start of the board's program left behind is older than its present "online".
   Only a board that speaks live, and later than ever before, may begin again at a lower boot.
3. A message that is broken, foreign or impossible changes nothing but the count of problems.
4. Time is an argument: `now_s` is the hall's monotonic time in seconds, `wall_ms` its wall time in
   milliseconds since 1970. Wall times of different machines are compared only where nothing else
   is known: for the age of what the broker had kept.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from firmware_bridge.hall.records import RecordShelf
from firmware_bridge.wire.payloads import (
    AvailPayload,
    ClockPart,
    DiagPayload,
    MetaPayload,
    Payload,
    PayloadError,
    StatePayload,
    decode,
)
from firmware_bridge.wire.topics import TopicError, is_record, parse, parse_record
from rules import STONES, Position, Side, outcome

Reason: TypeAlias = Literal["fresh", "unseen", "hall", "offline", "silent"]

MAX_BOARDS: Final = 512
"""More ids than any hall has tables would be an attack on our memory."""
_SANE_AGE_MS: Final = 12 * 3600 * 1000  # an older label rather tells of a wrong wall clock
_REPEATS: Final = {"ts": 0, "n": 0, "clock": None}
"""What differs in each state even if nothing has happened; the clocks are compared by themselves."""
_JUMP_MS: Final = 300  # wall milliseconds; viewers count on by themselves, and beats put smaller ones right
_DELAYS: Final = 8  # live messages from which a board's usual delay is taken


@dataclass(frozen=True, slots=True)
class Presence:
    """How far a board's picture can be trusted.

    Attributes:
        online: What the board, or its will, said last; None while nothing was said.
        stale: Whether a viewer must be warned.
        reason: `fresh`; `unseen`: no state yet; `hall`: the hall has no broker; `offline`: the board
            has said so; `silent`: it has not been heard for too long.
        age_ms: Milliseconds since the last sign of life; None when there was none.
    """

    online: bool | None
    stale: bool
    reason: Reason
    age_ms: int | None

    def as_json(self) -> dict[str, Any]:
        """Return the fields as they are sent to viewers."""
        return {"online": self.online, "stale": self.stale, "reason": self.reason, "age_ms": self.age_ms}


@dataclass(slots=True)
class _Board:
    """Everything kept about one board."""

    boot: int = 0
    avail: AvailPayload | None = None
    meta: MetaPayload | None = None
    state: StatePayload | None = None
    shown: dict[str, Any] = field(default_factory=dict)  # the state as JSON, made once
    true_at_s: float = 0.0  # when the state's clocks stood as it says
    guessed: tuple[float, int] | None = None  # arrival and delay of a kept state whose age is a guess
    heard_at_s: float | None = None
    last_ts: int = 0
    version: int = 0
    delays_ms: deque[int] = field(default_factory=lambda: deque(maxlen=_DELAYS))


class BoardRegistry:
    """The latest of every board of one event.

    Args:
        event: Id of the event; messages of others are problems.
        stale_after_s: Seconds of silence after which a board counts as silent. A board must give a
            sign of life (any message) clearly more often.
    """

    def __init__(self, event: str, *, stale_after_s: float) -> None:
        self.event = event
        self.stale_after_s = stale_after_s
        self.problems = 0
        self.last_problem = ""
        self.records = RecordShelf()
        self._boards: dict[str, _Board] = {}
        self._link_lost_s: float | None = 0.0

    # --- feeding -----------------------------------------------------------------------------

    def link(self, *, up: bool, now_s: float) -> None:
        """Note that the connection to the broker stands or is gone."""
        if up:
            self._link_lost_s = None
        elif self._link_lost_s is None:
            self._link_lost_s = now_s

    def receive(self, topic: str, data: bytes, *, retained: bool, now_s: float, wall_ms: int) -> str | None:
        """Take a message as it arrived.

        Args:
            topic: Where it arrived.
            data: Its bytes; empty bytes mean that what was retained there has been cleared.
            retained: Whether the broker had kept it, so that it is no sign of life.
            now_s: Monotonic time.
            wall_ms: Wall time.

        Returns:
            The id of the board if its snapshot has changed, else None.
        """
        try:
            if is_record(topic):
                return self._record(topic, data)
            if not data:
                return self._cleared(topic)
            payload = decode(topic, data)
        except (PayloadError, TopicError) as error:
            self._problem(str(error))
            return None
        return self.take(payload, retained=retained, now_s=now_s, wall_ms=wall_ms)

    def take(self, payload: Payload, *, retained: bool, now_s: float, wall_ms: int) -> str | None:
        """Take a decoded payload; arguments and result are those of `receive`."""
        if payload.event != self.event:
            self._problem(f"board {payload.board} is of event {payload.event!r}, not {self.event!r}")
            return None
        known = self._boards.get(payload.board)
        if known is None and len(self._boards) >= MAX_BOARDS:
            self._problem(f"board {payload.board} is one more than {MAX_BOARDS}")
            return None
        if isinstance(payload, StatePayload) and (fault := _impossible(payload)):
            self._problem(f"state of board {payload.board}: {fault}")
            return None
        if known is None and isinstance(payload, DiagPayload):
            return None  # numbers for the technician, perhaps of a board that he is only looking at
        board = known or _Board()
        if payload.boot < board.boot:
            if not _started_over(payload, board, retained=retained):
                return None
            board = _Board(version=board.version)
            self.records.forget(payload.board)  # its games are counted from one again
        self._boards[payload.board] = board
        board.boot = payload.boot
        version = board.version
        self._keep(board, payload, retained=retained, now_s=now_s, delay_ms=wall_ms - payload.ts)
        self._hear(board, payload, retained=retained, now_s=now_s)
        return payload.board if board.version > version else None

    def _record(self, topic: str, data: bytes) -> str | None:
        """Take a part of a record; return its board if a record has become whole."""
        where = parse_record(topic)
        if where.event != self.event:
            raise TopicError(f"board {where.board} is of event {where.event!r}, not {self.event!r}")
        if where.board not in self._boards and len(self._boards) >= MAX_BOARDS:
            raise TopicError(f"board {where.board} is one more than {MAX_BOARDS}")
        changed = self.records.receive(topic, data)
        if changed is not None and changed in self._boards:
            self._boards[changed].version += 1
        return changed

    def _keep(self, board: _Board, payload: Payload, *, retained: bool, now_s: float, delay_ms: int) -> None:
        """Store a payload unless it is older, raising the version if anything changed."""
        if not retained:
            _learn_delay(board, payload, delay_ms)
        match payload:
            case AvailPayload():
                board.version += board.avail is None or board.avail.online != payload.online
                board.avail = payload
            case MetaPayload():
                board.version += board.meta != payload
                board.meta = payload
            case StatePayload() if board.state is None or _order(payload) > _order(board.state):
                expected = _shown_clock(board, now_s)
                before, board.state, board.shown = board.shown, payload, _as_json(payload)
                board.true_at_s = now_s - _late_s(delay_ms, min(board.delays_ms, default=0))
                board.guessed = None if board.delays_ms else (now_s, delay_ms)
                board.version += _differs(before, board.shown, expected, _shown_clock(board, now_s))
            case _:
                pass

    def _hear(self, board: _Board, payload: Payload, *, retained: bool, now_s: float) -> None:
        board.last_ts = max(board.last_ts, payload.ts)
        if retained and board.heard_at_s is not None:
            return  # the broker repeats itself; the board has not spoken
        silent_s = now_s - (now_s if board.heard_at_s is None else board.heard_at_s)
        board.version += silent_s > self.stale_after_s  # viewers have been warned, and must be told at once
        board.heard_at_s = now_s
        speaks = not retained and not isinstance(payload, AvailPayload)
        if speaks and board.avail is not None and not board.avail.online:
            # The broker sends the will after everything else: who speaks after it is back.
            board.avail = board.avail.model_copy(update={"online": True})
            board.version += 1

    def _cleared(self, topic: str) -> str | None:
        """Forget what was retained on a topic; without its availability a board is gone."""
        where = parse(topic)
        board = self._boards.get(where.board)
        if where.event != self.event or board is None:
            return None
        match where.leaf:
            case "avail":
                del self._boards[where.board]
                self.records.forget(where.board)
            case "state":
                board.state, board.shown = None, {}
            case "meta":
                board.meta = None
            case _:
                return None
        board.version += 1
        return where.board

    def _problem(self, text: str) -> str | None:
        """Count a problem; returns None, which says that no board has changed."""
        self.problems += 1
        self.last_problem = text[:500]
        return None

    # --- asking ------------------------------------------------------------------------------

    def __contains__(self, board: str) -> bool:
        return board in self._boards

    @property
    def boards(self) -> tuple[str, ...]:
        """The ids of all boards heard of, in alphabetical order."""
        return tuple(sorted(self._boards))

    def unheard(self, board: str) -> dict[str, str]:
        """Return the answer about a board that has not been heard of; names those that have."""
        known = ", ".join(self.boards) or "none yet"
        message = f"board {board[:40]!r} has not been heard of in event {self.event!r}; known: {known}"
        return {"error": "unknown_board", "message": message}

    def presence(self, board: str, now_s: float) -> Presence:
        """Say how fresh the picture of a board is; an unknown board is `unseen`."""
        known = self._boards.get(board)
        if known is None or known.state is None:
            return Presence(None, stale=True, reason="unseen", age_ms=None)
        online = known.avail.online if known.avail else None
        heard_s = known.heard_at_s if known.heard_at_s is not None else now_s
        age_ms = max(0, round((now_s - heard_s) * 1000))
        if self._link_lost_s is not None:
            reason: Reason = "hall"
        elif online is False:
            reason = "offline"
        else:
            reason = "silent" if age_ms > self.stale_after_s * 1000 else "fresh"
        return Presence(online, stale=reason != "fresh", reason=reason, age_ms=age_ms)

    def snapshot(self, board: str, now_s: float) -> dict[str, Any]:
        """Return all that is known of a board as JSON values; of an unknown one little."""
        known = self._boards.get(board) or _Board()
        return {
            "event": self.event,
            "board": board,
            "version": known.version,
            "presence": self.presence(board, now_s).as_json(),
            "meta": known.meta.model_dump(mode="json", exclude={"commands"}) if known.meta else None,
            "state": {**known.shown, "clock": self.clock(board, now_s)} if known.state else None,
            "record": record.as_json() if (record := self.records.last(board)) else None,
        }

    def advice(self, board: str) -> list[dict[str, Any]]:
        """Return what a board proposes to the arbiter, the most urgent first; viewers are told none of it."""
        known = self._boards.get(board)
        state = None if known is None else known.state
        return [] if state is None else [each.model_dump(mode="json") for each in state.advice]

    def clock(self, board: str, now_s: float) -> dict[str, Any] | None:
        """Return a board's clocks as they stand at `now_s`; None where there are none."""
        known = self._boards.get(board)
        return None if known is None else _shown_clock(known, now_s)

    def summary(self, now_s: float) -> list[dict[str, Any]]:
        """Return one short line of JSON values for each board, by id."""
        return [self._line(board, now_s) for board in self.boards]

    def _line(self, board: str, now_s: float) -> dict[str, Any]:
        state = self._boards[board].state
        return {
            "board": board,
            "version": self._boards[board].version,
            "presence": self.presence(board, now_s).as_json(),
            "game": state.game if state else None,
            "phase": state.phase if state else None,
            "names": list(state.names) if state else None,
            "kazans": list(state.position.kazans) if state else None,
            "ply": state.ply if state else None,
            "result": state.result.score if state and state.result else None,
        }


def _order(state: StatePayload) -> tuple[int, int, int]:
    # Not by `ts`: a board's wall clock may be set back at any time, and is a label only.
    return (state.boot, state.seq, state.n)


def _started_over(payload: Payload, board: _Board, *, retained: bool) -> bool:
    """Tell whether a lower boot means that the board has lost its memory, e.g. a new SD card.

    A state says it as well as "online" does: who was away when the board came finds the "online" among what
    the broker had kept, and the one told before the board knew the time is not believed. Events prove
    nothing: those told late are of an earlier boot.
    """
    present = isinstance(payload, StatePayload) or (isinstance(payload, AvailPayload) and payload.online)
    return present and not retained and payload.ts > board.last_ts


def _late_s(delay_ms: int, usual_ms: int) -> float:
    """Return by how many seconds a message was held up: by the broker, or by an outage.

    Its delay, the hall's wall time less the board's label, is compared with the shortest of the
    last live ones, so that the two wall clocks need not agree.
    """
    late_ms = delay_ms - usual_ms
    return late_ms / 1000 if 0 <= late_ms <= _SANE_AGE_MS else 0.0


def _learn_delay(board: _Board, payload: Payload, delay_ms: int) -> None:
    """Note the delay of a live message; the first diagnosis corrects the guessed age of a kept state.

    Diagnoses are never queued nor repeated; wills, descriptions and events may be old.
    """
    if isinstance(payload, StatePayload | DiagPayload):
        board.delays_ms.append(delay_ms)
    if isinstance(payload, DiagPayload) and board.guessed is not None:
        arrived_s, kept_ms = board.guessed
        board.true_at_s = arrived_s - _late_s(kept_ms, delay_ms)
        board.guessed = None
        board.version += 1


def _impossible(state: StatePayload) -> str:
    """Say why no game can have this position; empty when one can."""
    position = state.position
    total = sum(position.pits) + sum(position.kazans)
    return "" if total == STONES else f"{total} stones instead of {STONES}"


def _as_json(state: StatePayload) -> dict[str, Any]:
    """Return a state as JSON values, with the final totals in its result, without what is for arbiters."""
    shown = state.model_dump(mode="json", exclude={"v", "event", "board", "kind", "advice"})
    if shown["result"] is not None:
        shown["result"]["kazans"] = list(_totals(state))
    return shown


def _totals(state: StatePayload) -> tuple[int, int]:
    """Return the kazans as they count in the end: at atsyrau with the stones left on the board."""
    part = state.position
    final = outcome(Position(part.pits, part.kazans, part.tuzdyks, Side(part.to_move)))
    return final.kazans if final else part.kazans


def _shown_clock(board: _Board, now_s: float) -> dict[str, Any] | None:
    if board.state is None or board.state.clock is None:
        return None
    return _clock_at(board.state.clock, now_s - board.true_at_s)


def _differs(
    before: dict[str, Any],
    after: dict[str, Any],
    expected: dict[str, Any] | None,
    clock: dict[str, Any] | None,
) -> bool:
    """Tell whether a state shows more than a clock running on.

    Args:
        before: The state as it was shown; empty when there was none.
        after: The state as it is shown now.
        expected: The clocks of the state before, counted on to this moment.
        clock: The clocks of the new one at this moment.
    """
    if {**before, **_REPEATS} != {**after, **_REPEATS}:
        return True
    if expected is None or clock is None:
        return expected is not clock
    left, due = clock["remaining_ms"], expected["remaining_ms"]
    if {**clock, "remaining_ms": 0} != {**expected, "remaining_ms": 0}:
        return True
    allowed_ms = _JUMP_MS * clock["rate"] if clock["running"] else 0
    return any(abs(a - b) > allowed_ms for a, b in zip(left, due, strict=True))


def _clock_at(clock: ClockPart, after_s: float) -> dict[str, Any]:
    passed_ms = max(0, round(after_s * 1000 * clock.rate))
    gone_ms = max(0, passed_ms - clock.delay_ms)
    remaining = [
        max(0, left - gone_ms) if clock.running == side.value else left
        for side, left in zip(Side, clock.remaining_ms, strict=True)
    ]
    later = clock.model_copy(update={"delay_ms": max(0, clock.delay_ms - passed_ms)})
    return {**later.model_dump(mode="json"), "remaining_ms": remaining}

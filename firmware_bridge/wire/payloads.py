"""What is said on the topics: one frozen model per kind, strict, bounded and versioned.

Laws of this file:

1. Reading never trusts. Whatever bytes arrive, the answer is a payload or a `PayloadError`.
2. Unknown fields are skipped, so that a newer board may add some; unknown kinds are errors.
3. A state fits into 4 KiB. What has to give way are the oldest moves, then the notes, then the
   advice: all three are history or comfort, and `moves_from` says where the list of moves begins.
4. Text meant for eyes is cut to its limit and freed of control characters, not refused:
   a long name must never stop a board from publishing.
"""

import math
from operator import not_
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from pydantic import (
    Field,
    FiniteFloat,
    JsonValue,
    ValidationError,
    field_validator,
)
from pydantic_core import PydanticSerializationError

from firmware_bridge.wire.parts import (
    MAX_ADVICE,
    MAX_INTEGER,
    MAX_NOTES,
    AdvicePart,
    ClockPart,
    Code,
    CommandsPart,
    Count,
    DevicePart,
    HandPart,
    Id,
    LastMovePart,
    Name,
    NotePart,
    Part,
    PitIndex,
    PitNumber,
    PositionPart,
    ResultPart,
    Score,
    Sensed,
    SideName,
    Stones,
    WatchPart,
    Words,
    is_empty,
)
from firmware_bridge.wire.topics import BoardTopic, Leaf, TopicError, parse

__all__ = [
    "MAX_ADVICE",
    "MAX_MOVES",
    "MAX_NOTES",
    "MAX_PAYLOAD_BYTES",
    "MAX_STATE_BYTES",
    "AdvicePart",
    "AvailPayload",
    "ClockPart",
    "Code",
    "CommandsPart",
    "Count",
    "DevicePart",
    "DiagPayload",
    "Envelope",
    "EventPayload",
    "HandPart",
    "Id",
    "LastMovePart",
    "MetaPayload",
    "Name",
    "NotePart",
    "Part",
    "Payload",
    "PayloadError",
    "PitIndex",
    "PitNumber",
    "PositionPart",
    "ResultPart",
    "Score",
    "Sensed",
    "SideName",
    "StatePayload",
    "Stones",
    "WatchPart",
    "Words",
    "decode",
    "decode_avail",
    "decode_event",
    "decode_state",
    "encode",
    "fitted",
    "read_payload",
]

MAX_STATE_BYTES: Final = 4096
"""A retained state is read by every late joiner at once, so it stays small."""
MAX_PAYLOAD_BYTES: Final = 65_536
"""Nothing longer is read or written; the brokers are given the same limit."""
MAX_MOVES: Final = 500
MAX_AGAIN: Final = 100
"""More than any arbiter sets positions in a game, and little beside the moves."""
_MAX_DATA_DEPTH: Final = 12


class PayloadError(ValueError):
    """Raised when bytes are no payload of ours; the text names topic, field and value."""


class Envelope(Part):
    """The fields every payload carries.

    Attributes:
        v: Major version of the payload.
        event: Id of the event.
        board: Id of the board.
        game: Id of the game on the board; None when none is.
        boot: How often the board's program has been started; orders "online" and "offline".
        seq: Journal number this payload tells of; 0 before the first.
        ply: Plies played in the game.
        ts: Wall time, milliseconds since 1970 UTC. A label: nothing is ordered by it.
        kind: What kind of message this is.
    """

    v: Literal[1] = 1
    event: Id
    board: Id
    game: Name | None
    boot: Count
    seq: Count
    ply: Count
    ts: Count
    kind: str


class AvailPayload(Envelope):
    """Whether the board's program is there; also the will, left with the broker.

    Attributes:
        online: False from the board's goodbye, or from its will when it vanished.
    """

    kind: Literal["avail"] = "avail"
    online: bool


class MetaPayload(Envelope):
    """Who is talking.

    Attributes:
        software: The board's program and its version.
        protocol: What it speaks.
        language: Language of the texts in `detail` and `reason`.
        device: What it reads the stones from; None while nothing answers.
        commands: What a command to the board must name; left out by boards that take none over the broker.
        contract: Version of the contract the board speaks, such as `1.4.0`; left out by boards of before 1.4.
    """

    kind: Literal["meta"] = "meta"
    software: Name
    protocol: Name
    language: Name
    device: DevicePart | None
    commands: Annotated[CommandsPart | None, Field(exclude_if=is_empty)] = None
    contract: Annotated[Name, Field(exclude_if=not_)] = ""


class StatePayload(Envelope):
    """Everything a page needs, in one piece; authoritative.

    Attributes:
        phase: Phase of the table: `unassigned`, `assigned`, `setting_up`, `ready`, `playing`, `suspended`,
            `ended` or `released`.
        names: The players, bastaushy first.
        position: Where the stones are after the last final move; in a game that ended at atsyrau the rest
            is swept into the kazan it counts for.
        clock: The clocks; None before the game has any.
        starter_seat: At which side of the board bastaushy sits.
        moves: The moves in the official short notation, separated by one space; `7/`, or `/`, is an illegal
            sowing that an arbiter let stand.
        moves_from: Ply number, from 1, of the first move listed.
        again: Ply numbers, from 1, of moves out of turn: an arbiter set a position in which the player of the
            ply before was to move, or qostaushy at first; left out while there are none.
        last: The last move; None before the first, and where the position is not the one it left: an
            illegal sowing stands, or an arbiter set a position.
        ready: Who has confirmed to be ready.
        result: How the game ended; None while it has not.
        watch: What the sensors see.
        n: How many states this boot has told so far: of two with the same `seq` the higher is the newer.
        pause: Why the game rests, a code such as `device_restarted` or free words; None while it does not.
        advice: What the rulebook proposes to the arbiter now, the most urgent first; left out while it is
            nothing.
    """

    kind: Literal["state"] = "state"
    phase: Code
    names: tuple[Name, Name]
    starter_seat: Literal["a", "b"]
    position: PositionPart
    clock: ClockPart | None
    moves: Annotated[str, Field(pattern=r"^[!-~]*( [!-~]+)*$", max_length=MAX_STATE_BYTES)]
    moves_from: Annotated[int, Field(ge=1, le=MAX_INTEGER)]
    again: Annotated[tuple[Count, ...], Field(max_length=MAX_AGAIN, exclude_if=is_empty)] = ()
    last: LastMovePart | None
    ready: tuple[bool, bool]
    result: ResultPart | None
    pause: Words | None = None
    watch: WatchPart
    advice: Annotated[tuple[AdvicePart, ...], Field(max_length=MAX_ADVICE, exclude_if=is_empty)] = ()
    n: Count = 0


class EventPayload(Envelope):
    """One journal row: what happened, and the table after it.

    Attributes:
        data: What happened: its `kind` and the fields of that kind; at most 12 levels deep, no NaN or
            infinity.
        position: The position after it.
        clock: The clocks after it; None before the game has any.
    """

    kind: Literal["ev"] = "ev"
    data: dict[str, JsonValue]
    position: PositionPart
    clock: ClockPart | None

    @field_validator("data")
    @classmethod
    def _data_is_plain(cls, data: dict[str, JsonValue]) -> dict[str, JsonValue]:
        _check_plain(data, _MAX_DATA_DEPTH)
        return data


class DiagPayload(Envelope):
    """Numbers for the technician: temperature, queue depth, dropped samples.

    Attributes:
        values: By name; which names there are is promised to nobody.
    """

    kind: Literal["diag"] = "diag"
    values: Annotated[dict[Code, bool | int | FiniteFloat | Words | None], Field(max_length=64)]


Payload: TypeAlias = AvailPayload | MetaPayload | StatePayload | EventPayload | DiagPayload
_P = TypeVar("_P", bound=Envelope)

_MODELS: Final[dict[Leaf, type[Payload]]] = {
    "avail": AvailPayload,
    "meta": MetaPayload,
    "state": StatePayload,
    "ev": EventPayload,
    "diag": DiagPayload,
}


def encode(payload: Envelope) -> bytes:
    """Write a payload as compact JSON in UTF-8.

    A state is shortened to 4 KiB as law 3 of this file says.

    Raises:
        PayloadError: The rest is longer than 64 KiB, or cannot be written at all.
    """
    if isinstance(payload, StatePayload):
        payload = fitted(payload)
    return _bounded(payload, _dump(payload))


def fitted(state: StatePayload) -> StatePayload:
    """Return the state with at most 500 moves and at most 4 KiB when written.

    The oldest moves go first, then the notes from the end of the list, then the advice likewise.
    """
    moves = state.moves.split(" ") if state.moves else []
    drop = max(0, len(moves) - MAX_MOVES)
    fit = _without_moves(state, moves, drop) if drop else state
    while drop < len(moves) and (excess := len(_dump(fit)) - MAX_STATE_BYTES) > 0:
        while drop < len(moves) and excess > 0:
            excess -= len(moves[drop]) + 1
            drop += 1
        fit = _without_moves(state, moves, drop)
    while fit.watch.notes and len(_dump(fit)) > MAX_STATE_BYTES:
        fewer = fit.watch.model_copy(update={"notes": fit.watch.notes[:-1]})
        fit = fit.model_copy(update={"watch": fewer})
    while fit.advice and len(_dump(fit)) > MAX_STATE_BYTES:
        fit = fit.model_copy(update={"advice": fit.advice[:-1]})
    return fit


def decode(topic: str, data: bytes) -> Payload:
    """Read whatever stands on one of our topics.

    Args:
        topic: Where it arrived. Its board and event must be those inside the payload.
        data: The bytes as they arrived. Empty bytes mean that a retained payload was cleared;
            they are an error here, so look for them first.

    Raises:
        PayloadError: The topic is none of ours or the bytes are no payload for it.
    """
    try:
        where = parse(topic)
    except TopicError as error:
        raise PayloadError(str(error)) from error
    return read_payload(_MODELS[where.leaf], data, topic, where)


def decode_avail(data: bytes, topic: str = "") -> AvailPayload:
    """Read an availability; `topic` is only named in the error. Raises: PayloadError."""
    return read_payload(AvailPayload, data, topic or "avail")


def decode_state(data: bytes, topic: str = "") -> StatePayload:
    """Read a state; `topic` is only named in the error. Raises: PayloadError."""
    return read_payload(StatePayload, data, topic or "state")


def decode_event(data: bytes, topic: str = "") -> EventPayload:
    """Read an event; `topic` is only named in the error. Raises: PayloadError."""
    return read_payload(EventPayload, data, topic or "ev")


def read_payload(model: type[_P], data: bytes, topic: str, where: BoardTopic | None = None) -> _P:
    """Read a payload of one kind; `where` binds its event and board. Raises: PayloadError."""
    if not data:
        raise PayloadError(f"{topic}: empty, the topic was cleared")
    if len(data) > MAX_PAYLOAD_BYTES:
        raise PayloadError(f"{topic}: {len(data)} bytes, more than 64 KiB")
    try:
        payload = model.model_validate_json(data)
    except ValidationError as error:
        raise PayloadError(f"{topic}: {_first_fault(error)}") from None
    if where is not None and (payload.event, payload.board) != (where.event, where.board):
        inside = f"{payload.event}/{payload.board}"
        raise PayloadError(f"{topic}: event/board is {inside!r} inside, {where.event}/{where.board} outside")
    return payload


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    field = ".".join(str(step)[:60] for step in first["loc"][:8]) or "payload"
    value = first["input"]
    shown = bytes(value[:60]) if isinstance(value, bytes | bytearray) else repr(value)[:60]
    return f"{field} = {shown!s}: {first['msg'][:200]}"


def _dump(payload: Envelope) -> bytes:
    try:
        return payload.model_dump_json().encode()
    except (PydanticSerializationError, UnicodeEncodeError) as error:
        raise PayloadError(f"{payload.kind} of board {payload.board}: {error}") from error


def _bounded(payload: Envelope, data: bytes) -> bytes:
    """Return a payload's bytes if a broker takes so many; every message written passes here."""
    if len(data) > MAX_PAYLOAD_BYTES:
        raise PayloadError(f"{payload.kind} of board {payload.board}: {len(data)} bytes, more than 64 KiB")
    return data


def _without_moves(state: StatePayload, moves: list[str], drop: int) -> StatePayload:
    kept = " ".join(moves[drop:])
    return state.model_copy(update={"moves": kept, "moves_from": state.moves_from + drop})


def _check_plain(value: JsonValue, depth: int) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("holds NaN or infinity")
    if isinstance(value, dict | list):
        if depth == 0:
            raise ValueError(f"is nested deeper than {_MAX_DATA_DEPTH} levels")
        for inner in value.values() if isinstance(value, dict) else value:
            _check_plain(inner, depth - 1)

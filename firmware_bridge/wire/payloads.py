"""What is said on the topics: one frozen model per kind, strict, bounded and versioned.

Laws of this file:

1. Reading never trusts. Whatever bytes arrive, the answer is a payload or a `PayloadError`.
2. Unknown fields are skipped, so that a newer board may add some; unknown kinds are errors.
3. A state fits into 4 KiB. What has to give way are the oldest moves, then the notes: both
   are history or comfort, and `moves_from` says where the list begins.
4. Text meant for eyes is cut to its limit and freed of control characters, not refused:
   a long name must never stop a board from publishing.
"""

import math
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    JsonValue,
    ValidationError,
    field_validator,
)
from pydantic_core import PydanticSerializationError

from firmware_bridge.wire.topics import BoardTopic, Leaf, TopicError, parse

MAX_STATE_BYTES: Final = 4096
"""A retained state is read by every late joiner at once, so it stays small."""
MAX_PAYLOAD_BYTES: Final = 65_536
"""Nothing longer is read or written; the brokers are given the same limit."""
MAX_MOVES: Final = 500
MAX_NOTES: Final = 20
_MAX_DATA_DEPTH: Final = 12
_MAX_INTEGER: Final = 2**53 - 1  # what a browser's number holds exactly


class PayloadError(ValueError):
    """Raised when bytes are no payload of ours; the text names topic, field and value."""


def _one_line(limit: int) -> BeforeValidator:
    def clean(value: object) -> object:
        if not isinstance(value, str):
            return value
        return "".join(c if c.isprintable() else " " for c in value[:limit])

    return BeforeValidator(clean)


def _at_most(characters: int) -> Any:
    """Say in the schemas how long a text is when written; reading cuts instead of refusing."""
    return Field(json_schema_extra={"maxLength": characters})


Id = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,32}$")]
Code = Annotated[str, Field(pattern=r"^[a-z0-9_.-]{1,40}$")]
Name = Annotated[str, _one_line(80), _at_most(80)]
Words = Annotated[str, _one_line(160), _at_most(160)]
Count = Annotated[int, Field(ge=0, le=_MAX_INTEGER)]
Stones = Annotated[int, Field(ge=0, le=162)]
PitNumber = Annotated[int, Field(ge=1, le=9)]
PitIndex = Annotated[int, Field(ge=0, le=17)]
SideName: TypeAlias = Literal["bastaushy", "qostaushy"]
Score: TypeAlias = Literal["1-0", "0-1", "1/2-1/2"]
Sensed: TypeAlias = Literal["matches", "moving", "differs", "unreadable", "no_device", "idle"]


class _Part(BaseModel):
    """Base of everything here: frozen, no silent conversions, newer fields skipped."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class PositionPart(_Part):
    """Where all stones are.

    Attributes:
        pits: Stones, bastaushy's pits 1..9, then qostaushy's 1..9.
        kazans: Stones in bastaushy's and qostaushy's kazan.
        tuzdyks: Number 1..9 of the pit in the opponent's row won by bastaushy and by
            qostaushy; None where there is none.
        to_move: Whose turn it is.
    """

    pits: Annotated[tuple[Stones, ...], Field(min_length=18, max_length=18)]
    kazans: tuple[Stones, Stones]
    tuzdyks: tuple[PitNumber | None, PitNumber | None]
    to_move: SideName


def _says_nothing(value: object) -> bool:
    """Return whether a field of the clock holds what an older message, without it, means."""
    return value in ("", (1, 1), (None, None), 0)


class ClockPart(_Part):
    """The clocks as they stood at the payload's `ts`.

    Attributes:
        running: Whose clock runs; None when both stand.
        remaining_ms: Milliseconds left, bastaushy's and qostaushy's.
        rate: Clock seconds per wall second, 1.0 on a real board. A page counts on with it.
        base_ms: Milliseconds given at the start.
        increment_ms: Milliseconds added by a press, at the start.
        flagged: Whose flag has fallen.
        control: The time control as `rules.control_text` writes it, where `base_ms` and
            `increment_ms` do not tell all; `observed:` in front: another clock is the truth.
        period: Which period of the control, from 1, bastaushy and qostaushy are in.
        moves_to_quota: Moves left to be made in that period; None: no quota.
        delay_ms: Milliseconds for which the running clock still stood at the payload's `ts`.

    The last four are left out of the message while they say nothing beyond the others.
    """

    running: SideName | None
    remaining_ms: tuple[Count, Count]
    rate: Annotated[FiniteFloat, Field(gt=0, le=10_000)]
    base_ms: Count
    increment_ms: Count
    flagged: tuple[bool, bool]
    control: Annotated[str, _one_line(400), Field(exclude_if=_says_nothing)] = ""
    period: Annotated[tuple[Count, Count], Field(exclude_if=_says_nothing)] = (1, 1)
    moves_to_quota: Annotated[tuple[Count | None, Count | None], Field(exclude_if=_says_nothing)] = (
        None,
        None,
    )
    delay_ms: Annotated[Count, Field(exclude_if=_says_nothing)] = 0


class LastMovePart(_Part):
    """The last move, with its path so that a page can draw it.

    Attributes:
        side: Who moved.
        number: Number 1..9 of the pit the stones came from.
        path: Index 0..17 of the pit each stone fell into, in order.
        captured: Stones won by the last stone (capture or tuzdyk).
        tuzdyk: Number 1..9 of the pit won; None when none was.
    """

    side: SideName
    number: PitNumber
    path: Annotated[tuple[PitIndex, ...], Field(max_length=162)]
    captured: Stones
    tuzdyk: PitNumber | None


class ResultPart(_Part):
    """How the game ended.

    Attributes:
        score: Bastaushy's points first.
        reason: What ended it: a code such as `flag`, or an arbiter's words.
    """

    score: Score
    reason: Words


class NotePart(_Part):
    """One remark of the watching board.

    Attributes:
        code: Which remark, for programs and translations.
        pit: Index 0..17 of the pit meant; None when it is about none.
        detail: Words for people.
    """

    code: Code
    pit: PitIndex | None
    detail: Words


class WatchPart(_Part):
    """What the sensors see just now, compared with the position.

    Attributes:
        sensed: `matches` the position; `moving`: hands are at work; `differs` from it;
            `unreadable`: what lies there is no whole number of stones; `no_device`: nobody
            looks; `idle`: there is nothing to compare with.
        notes: Remarks, the most urgent first.
    """

    sensed: Sensed
    notes: Annotated[tuple[NotePart, ...], Field(max_length=MAX_NOTES)] = ()


class DevicePart(_Part):
    """The microcontroller behind the board.

    Attributes:
        board_id: The name it was given when it was made.
        firmware: Its software.
        boot_id: Random number of its last start.
    """

    board_id: Name
    firmware: Name
    boot_id: Count


class Envelope(_Part):
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
    """

    kind: Literal["meta"] = "meta"
    software: Name
    protocol: Name
    language: Name
    device: DevicePart | None


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
        moves: The moves in the official short notation, separated by one space.
        moves_from: Ply number, from 1, of the first move listed.
        last: The last move; None before the first.
        ready: Who has confirmed to be ready.
        result: How the game ended; None while it has not.
        watch: What the sensors see.
        n: How many states this boot has told so far: of two with the same `seq` the higher is the newer.
        pause: Why the game rests, a code such as `device_restarted` or free words; None while it does not.
    """

    kind: Literal["state"] = "state"
    phase: Code
    names: tuple[Name, Name]
    starter_seat: Literal["a", "b"]
    position: PositionPart
    clock: ClockPart | None
    moves: Annotated[str, Field(pattern=r"^[!-~]*( [!-~]+)*$", max_length=MAX_STATE_BYTES)]
    moves_from: Annotated[int, Field(ge=1, le=_MAX_INTEGER)]
    last: LastMovePart | None
    ready: tuple[bool, bool]
    result: ResultPart | None
    pause: Words | None = None
    watch: WatchPart
    n: Count = 0


class EventPayload(Envelope):
    """One journal row: what happened, and the table after it.

    Attributes:
        data: What happened, as `rules.game.event_to_json` or the board's journal has it; at most
            12 levels deep, no NaN or infinity.
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

    The oldest moves go first, then the notes from the end of the list.
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

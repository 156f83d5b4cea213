"""What the hall tells its viewers, as models: they describe and bind the answers, they do not make them.

The answers are made as plain values where they are needed (`hall.boards`, `hall.hub`), because a
hall sends thousands of them; tests hold them to these models.
"""

from typing import Annotated, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from firmware_bridge.hall.record_view import GameRecordView, Text
from firmware_bridge.wire.payloads import (
    ClockPart,
    Count,
    Id,
    MetaPayload,
    Name,
    Score,
    StatePayload,
    Stones,
    Words,
)

_NOT_SHOWN: Final = ("v", "event", "board", "kind", "result", "advice")


class _View(BaseModel):
    """Base of everything here: newer fields are skipped."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class PresenceView(_View):
    """How far a board's picture can be trusted.

    Attributes:
        online: What the board, or its will, said last; None while nothing was said or no state has come.
        stale: Whether a viewer must be warned.
        reason: `fresh`; `unseen`: no state yet; `hall`: the hall has no broker; `offline`: the board has
            said so; `silent`: it has not been heard for too long.
        age_ms: Milliseconds since the last sign of life; None when there was none.
    """

    online: bool | None
    stale: bool
    reason: Literal["fresh", "unseen", "hall", "offline", "silent"]
    age_ms: Count | None


class ResultView(_View):
    """How the game ended.

    Attributes:
        score: Bastaushy's points first.
        reason: What ended it: a code such as `flag`, or an arbiter's words.
        kazans: What counts in the end, bastaushy's first: at atsyrau with the stones left on the board.
    """

    score: Score
    reason: Words
    kazans: tuple[Stones, Stones]


class _StateOfBoard(_View):
    """The state a board has told last, without what the snapshot says anyway.

    Attributes:
        game: Id of the game on the board; None when none is.
        boot: How often the board's program has been started.
        seq: Journal number the state tells of; 0 before the first.
        ply: Plies played in the game.
        ts: The board's wall time when it told the state, milliseconds since 1970 UTC. A label.
        clock: The clocks as they stand when the hall sends them, not at `ts`; None before the game has any.
        result: How the game ended; None while it has not.
    """

    described_by: ClassVar[type[BaseModel]] = StatePayload
    """Whose docstring describes the other fields."""

    result: ResultView | None


_FIELDS_SHOWN: Final = {
    name: (field.rebuild_annotation(), field)
    for name, field in StatePayload.model_fields.items()
    if name not in _NOT_SHOWN
}
StateView = create_model("StateView", __base__=_StateOfBoard, **_FIELDS_SHOWN)  # type: ignore[call-overload] # fields by name
StateView.__doc__ = _StateOfBoard.__doc__


class RecordLine(_View):
    """The record of a game that has ended, in a line.

    Attributes:
        game: Id of the game.
        key: What stands for the id in addresses.
        boot: Boot of the last journal row the record tells of.
        seq: Number of that row; of two records the one with the greater (`boot`, `seq`) is the newer.
        sha256: SHA-256 of the record as JSON, hexadecimal.
        names: The players, bastaushy first; empty when not known.
        plies: How many there are.
        result: The score; None: not written down.
        reason: What ended the game, a code or words; None: not written down.
        signed: Who accepted the result, bastaushy first.
    """

    game: Name
    key: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,64}$")]
    boot: Count
    seq: Count
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    names: tuple[Text, Text]
    plies: Count
    result: Score | None
    reason: Text | None
    signed: tuple[bool, bool]


class RecordList(_View):
    """The records of one board.

    Attributes:
        event: Id of the event.
        board: Id of the board.
        records: One line each, the game that ended first first.
    """

    event: Id
    board: Id
    records: tuple[RecordLine, ...]


class _About(_View):
    """One board of one event.

    Attributes:
        event: Id of the event.
        board: Id of the board.
        version: Rises whenever the picture has changed by more than a clock running on; begins anew with
            every start of the hall.
        presence: How far the picture can be trusted.
        meta: What the board says of itself; None while it has not.
        state: The state as of now; None while there is none.
        record: The record of the game that ended last, which can be fetched; None while there is none.
    """

    event: Id
    board: Id
    version: Count
    presence: PresenceView
    meta: MetaPayload | None
    state: StateView | None  # type: ignore[valid-type] # made above
    record: RecordLine | None = None


class Snapshot(_About):
    """All that the hall knows of a board, whole each time.

    Attributes:
        kind: What kind of message this is.
        sent_ms: The hall's wall time when it was sent, milliseconds since 1970 UTC.
        assets: Changes when the hall's pages do; only pages need it.
    """

    kind: Literal["snapshot"]
    sent_ms: Count
    assets: Name


class Beat(_View):
    """The hall's sign of life while nothing changes.

    Attributes:
        kind: What kind of message this is.
        sent_ms: The hall's wall time when it was sent, milliseconds since 1970 UTC.
        board: Id of the board.
        presence: How far the picture can be trusted now.
        clock: The clocks as of now; None where there are none.
    """

    kind: Literal["beat"]
    sent_ms: Count
    board: Id
    presence: PresenceView
    clock: ClockPart | None


class BoardLine(_View):
    """One board in a line.

    Attributes:
        board: Id of the board.
        version: As in its snapshot.
        presence: How far what follows can be trusted.
        game: Id of the game on the board; None when none is.
        phase: Phase of the table; None while no state was told.
        names: The players, bastaushy first; None while no state was told.
        kazans: Stones in the kazans, bastaushy's first; None while no state was told.
        ply: Plies played in the game; None while no state was told.
        result: The score; None while the game has not ended.
    """

    board: Id
    version: Count
    presence: PresenceView
    game: Name | None
    phase: Annotated[str, Field(max_length=40)] | None
    names: tuple[Name, Name] | None
    kazans: tuple[Stones, Stones] | None
    ply: Count | None
    result: Score | None


class Problems(_View):
    """Messages that the hall has skipped.

    Attributes:
        count: How many since it was started.
        last: What was wrong with the last, for people; empty when there was none.
    """

    count: Count
    last: Annotated[str, Field(max_length=500)]


class BoardList(_View):
    """All boards heard of.

    Attributes:
        event: Id of the event.
        boards: One line each, by id.
        viewers: WebSockets open just now.
        problems: Messages that were skipped.
    """

    event: Id
    boards: tuple[BoardLine, ...]
    viewers: Count
    problems: Problems


class Fault(_View):
    """Why there is no such answer.

    Attributes:
        error: A code: `unknown_board`, `no_record`, `no_text` or `unknown_file`; newer halls may have more.
        message: The same for people.
    """

    error: Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]
    message: str


ANSWERS: Final = (BoardList, Snapshot, RecordList, GameRecordView, Fault)
"""What the routes of the hall answer with."""

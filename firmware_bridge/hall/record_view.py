"""The record of a game as JSON, as a model: forms 1 and 2 of `rules.record.json_form`. It reads nothing.

Unlike a message a record is strict: it is kept for years and written again by whoever corrects it,
so a reader may not skip what he does not know. Any change of it gets a new `format`.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from firmware_bridge.wire.payloads import PitNumber, Score, SideName, Stones
from rules.notation.moves import Judgement
from rules.record.model import (
    MAX_COMMENT,
    MAX_DIAL_MS,
    MAX_NOTES,
    MAX_NUMBER,
    MAX_PLIES,
    MAX_TAGS,
    MAX_TEXT,
    Tags,
)

Text = Annotated[str, Field(max_length=MAX_TEXT)]
Dial = Annotated[int, Field(ge=0, le=MAX_DIAL_MS)] | None
Dials = tuple[Dial, Dial]
AfterPly = Annotated[int, Field(ge=0, le=MAX_PLIES)]


class _Strict(BaseModel):
    """Base of everything here: exactly these fields."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class RecordTags(_Strict):
    """The head of the score sheet (1.6.4); what is not known is left out.

    Attributes:
        other: Tags of other names with their texts, such as `Game` with the id of the game.
    """

    described_by: ClassVar[type] = Tags
    """Whose docstring describes the other fields."""

    event: Text = ""
    event_dates: Text = ""
    level: Text = ""
    dedication: Text = ""
    round: Text = ""
    table: Text = ""
    board: Text = ""
    city: Text = ""
    country: Text = ""
    date: Text = ""
    bastaushy: Text = ""
    qostaushy: Text = ""
    bastaushy_team: Text = ""
    qostaushy_team: Text = ""
    time_control: Text = ""
    arbiter: Text = ""
    other: Annotated[tuple[tuple[Text, Text], ...], Field(max_length=MAX_TAGS)]


class RecordPosition(_Strict):
    """A position to begin with.

    Attributes:
        pits: Stones, bastaushy's pits 1..9, then qostaushy's 1..9.
        kazans: Stones in bastaushy's and qostaushy's kazan.
        tuzdyks: Number of the pit in the opponent's row won by bastaushy and by qostaushy; None: none.
        to_move: Whose turn it is.
    """

    pits: Annotated[tuple[Stones, ...], Field(min_length=18, max_length=18)]
    kazans: tuple[Stones, Stones]
    tuzdyks: tuple[PitNumber | None, PitNumber | None]
    to_move: SideName


class RecordStart(_Strict):
    """Where a game begins that does not begin with nine stones in each pit.

    Attributes:
        position: The position.
        number: The number of the full move.
    """

    position: RecordPosition
    number: Annotated[int, Field(ge=1, le=MAX_NUMBER)]


class RecordMove(_Strict):
    """One ply.

    Attributes:
        move: The move in the official short notation; in form 2 also `7/` or `/`, an illegal sowing that
            stands, from the pit before the stroke if it is known.
        judgement: What somebody thought of it; empty for nothing.
        draw_offered: Whether a draw was offered with it.
        clock_ms: Milliseconds on both dials after it, bastaushy's first; None: not known.
    """

    move: Annotated[str, Field(pattern="^([1-9](-[1-9]|:[1-9]x?)|[1-9]?/)$")]
    judgement: Judgement
    draw_offered: bool
    clock_ms: Dials | None


class RecordRuling(_Strict):
    """What an arbiter decided or a clock showed.

    Attributes:
        ply: After how many plies.
        kind: A code such as `flag`, `suspended`, `resumed`, `move_by_arbiter`, `warning`; in form 2 also
            `illegal_stands` and `position_set`, from whose position the moves go on.
        side: Whom it concerns; None: both or nobody.
        text: The words; of the two kinds of form 2 they begin with the position.
    """

    ply: AfterPly
    kind: Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,39}$")]
    side: SideName | None
    text: Text


class RecordComment(_Strict):
    """What somebody remarked.

    Attributes:
        ply: After how many plies.
        text: The words, perhaps of several lines.
    """

    ply: AfterPly
    text: Annotated[str, Field(max_length=MAX_COMMENT)]


class GameRecordView(_Strict):
    """One whole game.

    Attributes:
        format: The number of the form: 1 if every position follows from the moves, 2 if an illegal sowing
            stands or a position was set.
        tags: The head of the score sheet.
        start: Where the game begins; None: with nine stones in each pit.
        plies: The moves in order.
        rulings: Rulings, by the ply they follow.
        comments: Comments, by the ply they follow.
        result: The score, bastaushy's points first; None: not written down.
        reason: What ended the game: `eighty_two`, `atsyrau`, `resignation`, `agreement`, `flag`, `arbiter`,
            `forfeit` or free words; None: not written down.
        remaining_ms: Milliseconds both had left at the end; None: not known.
        recorder: Who kept the record; None: not said.
        signed: Who accepted the result, bastaushy first.
    """

    format: Literal[1, 2]
    tags: RecordTags
    start: RecordStart | None
    plies: Annotated[tuple[RecordMove, ...], Field(max_length=MAX_PLIES)]
    rulings: Annotated[tuple[RecordRuling, ...], Field(max_length=MAX_NOTES)]
    comments: Annotated[tuple[RecordComment, ...], Field(max_length=MAX_NOTES)]
    result: Score | None
    reason: Text | None
    remaining_ms: Dials | None
    recorder: Text | None
    signed: tuple[bool, bool]

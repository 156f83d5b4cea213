"""What payloads are made of: bounded words and numbers, positions, clocks, results.

Text meant for eyes is cut to its limit and freed of control characters, not refused: a long name
must never stop a board from publishing.
"""

from operator import not_
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat

MAX_NOTES: Final = 20
MAX_OFFERED: Final = 64
"""Keys that a board names; of more, the newest."""
MAX_ADVICE: Final = 12
"""More than there is to decide at one table; of more, the most urgent."""
MAX_ARTICLES: Final = 8
MAX_INTEGER: Final = 2**53 - 1
"""What a browser's number holds exactly."""


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
KeyId = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,64}$")]
Token = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Name = Annotated[str, _one_line(80), _at_most(80)]
Words = Annotated[str, _one_line(160), _at_most(160)]
Count = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
Signed = Annotated[int, Field(ge=-MAX_INTEGER, le=MAX_INTEGER)]
Reading = Signed | FiniteFloat
Stones = Annotated[int, Field(ge=0, le=162)]
PitNumber = Annotated[int, Field(ge=1, le=9)]
PitIndex = Annotated[int, Field(ge=0, le=17)]
SideName: TypeAlias = Literal["bastaushy", "qostaushy"]
Score: TypeAlias = Literal["1-0", "0-1", "1/2-1/2", "0-0"]
Sensed: TypeAlias = Literal["matches", "moving", "differs", "unreadable", "no_device", "idle"]


class Part(BaseModel):
    """Base of everything here: frozen, no silent conversions, newer fields skipped."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class PositionPart(Part):
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
    return value in ("", (1, 1), (None, None), 0, None)


class ClockPart(Part):
    """The clocks as they stood at the payload's `ts`; in what a hall sends, at its `sent_ms`.

    Attributes:
        running: Whose clock runs; None when both stand.
        remaining_ms: Milliseconds left, bastaushy's and qostaushy's.
        rate: Clock seconds per wall second, 1.0 on a real board. A page counts on with it.
        base_ms: Milliseconds given at the start.
        increment_ms: Milliseconds added by a press, at the start.
        flagged: Whose flag has fallen.
        control: The time control as text, such as `90m/30+30m`, where `base_ms` and `increment_ms`
            do not tell all; `observed:` in front: another clock is the truth.
        period: Which period of the control, from 1, bastaushy and qostaushy are in.
        moves_to_quota: Moves left to be made in that period; None: no quota.
        delay_ms: Milliseconds for which the running clock will still stand.
        first_flag: Whose flag fell first, when both have fallen and it is known.

    The last five are left out of the message while they say nothing beyond the others.
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
    first_flag: Annotated[SideName | None, Field(exclude_if=_says_nothing)] = None


class LastMovePart(Part):
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


class ResultPart(Part):
    """How the game ended.

    Attributes:
        score: Bastaushy's points first.
        reason: What ended it: a code such as `flag`, or an arbiter's words.
    """

    score: Score
    reason: Words


def is_empty(value: object) -> bool:
    """Return whether a field holds nothing, as a message without it means."""
    return value in (None, (), ValuesPart())


def _is_the_arbiters(value: object) -> bool:
    """Return whether it is the decision of the arbiter at the board, as advice without a decider means."""
    return value == "arbiter"


def _adds_nothing(value: object) -> bool:
    """Return whether nobody is given or loses time."""
    return value == (0, 0)


class ValuesPart(Part):
    """What fills the text of a remark; whatever it does not speak of is left out.

    Attributes:
        stones: Stones that lie there, are missing or too many.
        due: Stones that are due there, or may be.
        moves: Moves in the official short notation; lines of them are parted by ` / `.
        rate: Samples a second.
        value: What a channel gives, or by what share it is wrong.
        before: What it gave before.
    """

    stones: Annotated[Count | None, Field(exclude_if=is_empty)] = None
    due: Annotated[Count | None, Field(exclude_if=is_empty)] = None
    moves: Annotated[Words | None, Field(exclude_if=is_empty)] = None
    rate: Annotated[Count | None, Field(exclude_if=is_empty)] = None
    value: Annotated[Reading | None, Field(exclude_if=is_empty)] = None
    before: Annotated[Reading | None, Field(exclude_if=is_empty)] = None


class NotePart(Part):
    """One remark of the watching board.

    Attributes:
        code: Which remark, for programs and translations.
        pit: Index 0..17 of the pit meant; None when it is about none.
        detail: Words for people, in English.
        kazan: Whose kazan is meant; None when it is about none.
        channel: The device's channel behind the place, where it is what has to be mended.
        why: Code of what is wrong with that channel; empty where there is none.
        values: What fills the text of the remark and that of `why`.

    The last four are left out of the message while they say nothing; older boards do not know them.
    """

    code: Code
    pit: PitIndex | None
    detail: Words
    kazan: Annotated[SideName | None, Field(exclude_if=is_empty)] = None
    channel: Annotated[Count | None, Field(exclude_if=is_empty)] = None
    why: Annotated[Code | None, Field(exclude_if=is_empty)] = None
    values: Annotated[ValuesPart, Field(exclude_if=is_empty)] = ValuesPart()


class HandPart(Part):
    """What one player's hands hold just now.

    Attributes:
        side: Whose hands.
        pit: Index 0..17 of the pit he has lifted; None when no lift was seen.
        stones: Stones still to be sown.
        carried: Stones on their way to a kazan: captured ones, or those of a tuzdyk.
    """

    side: SideName
    pit: PitIndex | None
    stones: Stones
    carried: Stones = 0


class WatchPart(Part):
    """What the sensors see just now, compared with the position.

    Attributes:
        sensed: `matches` the position; `moving`: hands are at work; `differs` from it;
            `unreadable`: what lies there is no whole number of stones; `no_device`: nobody
            looks; `idle`: there is nothing to compare with.
        notes: Remarks, the most urgent first.
        hands: What hands hold, at most one for each player; left out while they hold nothing, and by boards
            that do not follow hands.
    """

    sensed: Sensed
    notes: Annotated[tuple[NotePart, ...], Field(max_length=MAX_NOTES)] = ()
    hands: Annotated[tuple[HandPart, ...], Field(max_length=2, exclude_if=is_empty)] = ()


class AdvicePart(Part):
    """What the rulebook proposes to who decides; nothing of it is done before a person does it.

    Attributes:
        about: What it is about: an open `infraction`, a `flag`, the `quota` of moves, an offer of a `draw`, a
            `call` of the arbiter, the `seal` of an adjourned game, the `setup`, what the `start` waits for,
            `writing` the moves down, or who came too `late`.
        code: What is proposed, the key of a text.
        articles: What it rests on; none where the regulations are silent and the event chose.
        decider: Whose decision it is: the `arbiter`'s at the board, `arbiter_with_chief` or the `panel`.
        instead: It is what else lies in the hand of who decides, beside the first before it about the same.
        infraction: The number of the infraction it is about; None: of none.
        side: Whom it is about; None: both, or neither.
        score: The score that follows; None: none by this.
        reason: What would have ended the game then, as a result has it; None: nothing.
        warns: Who is to be warned.
        adds_ms: Milliseconds that bastaushy and qostaushy are given, negative where they are taken.
        clock: Whether the dials are to `stop`, or one to `run`; None: they stay as they are.
        runs: Whose dial is to run; None: nobody's by this.
        ends: Whether an illegal sowing is to be put right (`correct`), the position before it restored
            (`restore`), or neither (`let_stand`); None: it is about none.
        takes_back: How many plies are taken back with it.
        due: How many moves had to be made at a quota; None: it is about none.
        made: How many were, as far as the board has seen; None: it is about none.

    All but the first three are left out of the message while they say nothing. Advice is the arbiter's to
    know first: players are shown none of it.
    """

    about: Code
    code: Code
    articles: Annotated[tuple[Code, ...], Field(max_length=MAX_ARTICLES)]
    decider: Annotated[Code, Field(exclude_if=_is_the_arbiters)] = "arbiter"
    instead: Annotated[bool, Field(exclude_if=not_)] = False
    infraction: Annotated[Count | None, Field(exclude_if=is_empty)] = None
    side: Annotated[SideName | None, Field(exclude_if=is_empty)] = None
    score: Annotated[Score | None, Field(exclude_if=is_empty)] = None
    reason: Annotated[Code | None, Field(exclude_if=is_empty)] = None
    warns: Annotated[tuple[SideName, ...], Field(max_length=2, exclude_if=is_empty)] = ()
    adds_ms: Annotated[tuple[Signed, Signed], Field(exclude_if=_adds_nothing)] = (0, 0)
    clock: Annotated[Literal["stop", "run"] | None, Field(exclude_if=is_empty)] = None
    runs: Annotated[SideName | None, Field(exclude_if=is_empty)] = None
    ends: Annotated[Literal["correct", "restore", "let_stand"] | None, Field(exclude_if=is_empty)] = None
    takes_back: Annotated[Count, Field(exclude_if=not_)] = 0
    due: Annotated[Count | None, Field(exclude_if=is_empty)] = None
    made: Annotated[Count | None, Field(exclude_if=is_empty)] = None


class DevicePart(Part):
    """The microcontroller behind the board.

    Attributes:
        board_id: The name it was given when it was made.
        firmware: Its software.
        boot_id: Random number of its last start.
    """

    board_id: Name
    firmware: Name
    boot_id: Count


class CommandsPart(Part):
    """What a command to the board must name, so that it is known to be fresh.

    Attributes:
        boot_id: Random, new whenever the board's program is started: 32 hexadecimal digits.
        nonce: Likewise.
        keys: Ids of the keys that open the board.
    """

    boot_id: Token
    nonce: Token
    keys: Annotated[tuple[KeyId, ...], Field(max_length=MAX_OFFERED)]

"""One whole game as a value: what a score sheet says and what the arbiter wrote beside it.

A `GameRecord` holds what somebody decided or observed and nothing that follows from it: diagrams, kazan
totals, positions and the sweep at the end are computed. That is why a record is the same in every notation
and in JSON. The constructors trust their arguments; `rules.record.check` is the checking door, and every
reader and writer goes through it. Pairs are always [bastaushy, qostaushy].
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple, get_args

from rules.notation.moves import Judgement, MoveText
from rules.notation.positions import parse_fen
from rules.position import START, EndReason, Outcome, Points, Position, Result, Side, Sowing, outcome

MAX_TEXT = 500
"""Longest tag, ruling or reason in characters: a sentence of an arbiter fits, a flood does not."""

MAX_COMMENT = 4000
"""Longest comment in characters: two printed pages."""

MAX_PLIES = 5000
"""Most plies of a record, ten times the longest games known."""

MAX_NOTES = 5000
"""Most rulings of a record, and most comments."""

MAX_TAGS = 1000
"""Most tags of other names."""

MAX_DIAL_MS = 2**32 - 1
"""Highest time a dial can show: what the 32-bit dials of a device hold."""

MAX_NUMBER = 5000
"""Highest number of the full move a record can begin with; all that follow have four digits as well."""

TAG_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "event": "Event",
        "event_dates": "EventDates",
        "level": "Level",
        "dedication": "Dedication",
        "round": "Round",
        "table": "Table",
        "board": "Board",
        "city": "City",
        "country": "Country",
        "date": "Date",
        "bastaushy": "Bastaushy",
        "qostaushy": "Qostaushy",
        "bastaushy_team": "BastaushyTeam",
        "qostaushy_team": "QostaushyTeam",
        "time_control": "TimeControl",
        "arbiter": "Arbiter",
    }
)
"""The name of each field of `Tags` in a text, in the order in which they are written (1.6.4)."""

OWN_TAGS = ("Recorder", "Remaining", "Signed", "Position", "Result", "Reason")
"""Tags of a text that are fields of `GameRecord` itself, in the order in which they are written."""

TAG_ALIASES: Mapping[str, str] = MappingProxyType(
    {"White": "Bastaushy", "Black": "Qostaushy", "FEN": "Position"}
)
"""Names that other programs give to our tags; read, never written."""

RESERVED_TAGS = frozenset(name.casefold() for name in (*TAG_NAMES.values(), *OWN_TAGS, *TAG_ALIASES))
"""Names an unknown tag cannot have, in lower case: they are read without regard to case."""

TAG_NAME = re.compile(r"[^\W\d]\w{0,39}")
"""The name of a tag: up to forty letters, digits and underscores of any script, a letter first."""

RULING_KIND = re.compile("[a-z][a-z0-9_]{0,39}")
"""The code of a ruling."""

ILLEGAL_STANDS = "illegal_stands"
POSITION_SET = "position_set"

POSITION_KINDS = (ILLEGAL_STANDS, POSITION_SET)
"""The codes of the rulings whose words begin with a position: the moves behind them go on from there."""

RULING_KINDS = (
    "warning",
    "time_adjusted",
    "clock_set",
    "move_by_arbiter",
    "suspended",
    "resumed",
    "flag",
    "touch_move",
    "infraction",
    "infraction_closed",
    *POSITION_KINDS,
    "corrected",
    "restored",
    "taken_back",
    "draw_offered",
    "draw_accepted",
    "draw_declined",
    "arbiter_called",
    "call_answered",
    "flag_called",
    "adjourned",
    "seal_opened",
)
"""The codes that have a meaning; others are kept as they are. What each means is told in RECORD.md."""

REASONS: Mapping[str, tuple[Result, ...]] = MappingProxyType(
    {
        EndReason.EIGHTY_TWO.value: get_args(Points),
        EndReason.ATSYRAU.value: get_args(Points),
        "resignation": ("1-0", "0-1"),
        "agreement": ("1/2-1/2",),
        "flag": get_args(Points),
        "arbiter": get_args(Result),
        "forfeit": ("1-0", "0-1", "0-0"),
    }
)
"""The codes of a reason and the results they can have (2.6); any other reason is free words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tags:
    """What stands at the head of a score sheet (1.6.4); None: not written there.

    Attributes:
        event: The name of the event.
        event_dates: When the event takes place.
        level: Its level, such as national or regional.
        dedication: To whom it is dedicated.
        round: Which round.
        table: The number of the table.
        board: Which board, in a team event or of the hall.
        city: Where the game was played.
        country: In which country.
        date: When the game was played.
        bastaushy: Who moved first.
        qostaushy: Who answered.
        bastaushy_team: For which team bastaushy played.
        qostaushy_team: For which team qostaushy played.
        time_control: How much time the players had.
        arbiter: Who was the arbiter.
        other: Tags of other names with their texts, in the order in which they were read.
    """

    event: str | None = None
    event_dates: str | None = None
    level: str | None = None
    dedication: str | None = None
    round: str | None = None
    table: str | None = None
    board: str | None = None
    city: str | None = None
    country: str | None = None
    date: str | None = None
    bastaushy: str | None = None
    qostaushy: str | None = None
    bastaushy_team: str | None = None
    qostaushy_team: str | None = None
    time_control: str | None = None
    arbiter: str | None = None
    other: tuple[tuple[str, str], ...] = ()

    def known(self) -> Iterator[tuple[str, str]]:
        """Yield the tags that are there, by the name of their field, in the order of the text."""
        for field in fields(self)[:-1]:
            value = getattr(self, field.name)
            if value is not None:
                yield field.name, value


Dials = tuple[int | None, int | None]
"""What both dials show, in milliseconds, 0..MAX_DIAL_MS; None: not known."""


@dataclass(frozen=True, slots=True)
class Stood:
    """An illegal sowing that stands, where a legal one has its `MoveText`.

    What it left on the board stands in its ruling, of kind `illegal_stands`, and nowhere else.

    Attributes:
        side: Who sowed.
        number: The pit 1..9 he played; None: nobody knows.
        judgement: What the writer thought of it; mostly empty.
        draw_offered: Whether a draw was offered with it.
    """

    side: Side
    number: int | None
    judgement: Judgement = ""
    draw_offered: bool = False


@dataclass(frozen=True, slots=True)
class RecordPly:
    """One ply.

    Attributes:
        move: The move with its judgement and offer of a draw; its kazan is None, for it can be computed.
        clock_ms: Both dials after the move; None: not known.
    """

    move: MoveText | Stood
    clock_ms: Dials | None = None

    @property
    def side(self) -> Side:
        """Who moved."""
        return self.move.side if isinstance(self.move, Stood) else self.move.sowing.side

    @property
    def sowing(self) -> Sowing | None:
        """The move, stone by stone; None: it is an illegal one that stands."""
        return None if isinstance(self.move, Stood) else self.move.sowing


@dataclass(frozen=True, slots=True)
class Ruling:
    """What an arbiter decided or a clock showed, at its place in the game.

    Attributes:
        ply: After how many plies, 0 or more.
        kind: The code, one of `RULING_KINDS` or another.
        side: Whom it concerns; None: both or nobody.
        text: The words; may be empty.
    """

    ply: int
    kind: str
    side: Side | None = None
    text: str = ""


class Placed(NamedTuple):
    """What the words of a ruling say that places the stones.

    Attributes:
        position: Where they lie from then on.
        number: The number of the next full move.
        words: What is said beside that; may be empty.
    """

    position: Position
    number: int
    words: str


def placed(ruling: Ruling) -> Placed:
    """Return what a ruling of one of the `POSITION_KINDS` says.

    Raises:
        PositionFormatError: Its words begin with no position.
    """
    fen, _, words = ruling.text.partition(": ")
    return Placed(*parse_fen(fen), words)


class Stop(NamedTuple):
    """A place of a game between two plies.

    Attributes:
        turn: Twice the number of the full move that is due by the moves, and one more if it is qostaushy's.
        left: What the ply before it left; at the first one the start.
        after: From where the next ply is played, as the last ruling there says.
    """

    turn: int
    left: Position
    after: Position

    def number(self, to_move: Side) -> int:
        """Return the number of the next full move if it is that player's turn.

        Where an arbiter gave the turn to the player who has just moved, the place of the other one in the
        column stays empty.
        """
        return (self.turn + (self.turn % 2 != to_move.index)) // 2

    @property
    def next_number(self) -> int:
        """The number of the full move that the next ply belongs to."""
        return self.number(self.after.to_move)


@dataclass(frozen=True, slots=True)
class Comment:
    """What somebody remarked.

    Attributes:
        ply: After how many plies, 0 or more.
        text: The words, perhaps of several lines.
    """

    ply: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One game.

    Attributes:
        tags: The head of the sheet.
        start: The position it begins with.
        start_number: The number of the full move it begins with, 1..MAX_NUMBER.
        plies: The moves in order.
        rulings: Rulings, by the ply they follow.
        comments: Comments, by the ply they follow.
        result: The score; None: none was written down.
        reason: What ended the game, one of `REASONS` or free words; None: not written down.
        remaining_ms: What both had left at the end; None: not known.
        recorder: Who kept the record; None: not said.
        signed: Who accepted the result with a signature (2.10.2).
    """

    tags: Tags = Tags()
    start: Position = START
    start_number: int = 1
    plies: tuple[RecordPly, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    comments: tuple[Comment, ...] = ()
    result: Result | None = None
    reason: str | None = None
    remaining_ms: Dials | None = None
    recorder: str | None = None
    signed: tuple[bool, bool] = (False, False)

    @property
    def follows_from_moves(self) -> bool:
        """Whether its moves alone lead to its end: no illegal one stands, and no position was set."""
        return not any(ruling.kind in POSITION_KINDS for ruling in self.rulings)

    @property
    def sowings(self) -> tuple[Sowing, ...]:
        """The legal moves, stone by stone; all of them where the record `follows_from_moves`."""
        return tuple(ply.sowing for ply in self.plies if ply.sowing is not None)

    @property
    def position(self) -> Position:
        """The position after the last move and what was ruled behind it; it is not swept."""
        return self.stop(len(self.plies)).after

    @property
    def outcome(self) -> Outcome | None:
        """How the stones themselves ended the game; None: they did not."""
        return outcome(self.position)

    @property
    def final_kazans(self) -> tuple[int, int]:
        """Both kazans at the end.

        Where the player to move has no stones, the other banks all that lie on the board (1.5): the sweep is
        no move and stands in no record, it follows from the last position. A game ended otherwise leaves the
        stones where they are.
        """
        ending = self.outcome
        return self.position.kazans if ending is None else ending.kazans

    def full_number(self, ply: int) -> int:
        """Return the printed number of the full move that the ply 1, 2, ... belongs to."""
        if self.follows_from_moves:
            return self.start_number + (ply - 1 + self.start.to_move.index) // 2
        return self.stop(ply - 1).next_number

    def stop(self, ply: int) -> Stop:
        """Return the place behind so many plies, 0 or more."""
        return next(islice(self.course(), ply, None))

    def course(self) -> Iterator[Stop]:
        """Yield the place before the first ply, then that behind each."""
        stands: dict[int, Position] = {}
        set_after: dict[int, Position] = {}
        for ruling in self.rulings:
            if ruling.kind in POSITION_KINDS:
                found = stands if ruling.kind == ILLEGAL_STANDS else set_after
                found[ruling.ply] = placed(ruling).position
        turn = 2 * self.start_number + self.start.to_move.index
        left = self.start
        for ply in range(len(self.plies) + 1):
            if ply:
                turn += 1
                sowing = self.plies[ply - 1].sowing
                left = stands[ply] if sowing is None else sowing.after
            after = set_after.get(ply, left)
            yield Stop(turn, left, after)
            turn += turn % 2 != after.to_move.index

"""The board between two moves, and what a move does to it.

Pure: takes values, returns values. Pits are counted in two ways. A *number* 1..9 is what players say and
write: each row from its player's left to his right. An *index* 0..17 is the way round the board: 0..8 are
bastaushy's pits 1..9, 9..17 qostaushy's, and a stone always goes on to index + 1 modulo 18. A tuzdyk is named
by its number alone, because it always lies in the row opposite its owner.

Every rule here is the official one (regulations 1.3 - 1.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from rules.errors import IllegalMoveError

STONES = 162
"""All stones of the game: nine in each of eighteen pits."""

WINNING_STONES = 82
"""A kazan that holds so many stops the game: more than half of all (1.3.5)."""

Mark: TypeAlias = Literal[":", "-", "x"]
"""The mark of a move on a score sheet: it takes, it is quiet, it wins a tuzdyk (1.6.2)."""


class Side(Enum):
    """A player by his part in the game."""

    BASTAUSHY = "bastaushy"
    """Moves first."""
    QOSTAUSHY = "qostaushy"
    """Answers."""

    @property
    def index(self) -> int:
        """The place in every pair of values: 0 for bastaushy, 1 for qostaushy."""
        return 0 if self is _SIDES[0] else 1

    @property
    def opponent(self) -> Side:
        """The other player."""
        return _SIDES[1 - self.index]


_SIDES = (Side.BASTAUSHY, Side.QOSTAUSHY)

_RING = tuple(range(18)) * 10
"""The way of the stones: the longest sowing from the last pit ends inside it."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that decides how a game can go on.

    The constructor trusts its arguments; `problems` says what is wrong with a position from elsewhere.

    Attributes:
        pits: Stones in each pit by index 0..17.
        kazans: Stones banked by [bastaushy, qostaushy].
        tuzdyks: The number 1..8 of the pit in the other row won by [bastaushy, qostaushy]; None: none yet.
        to_move: Whose turn it is.
    """

    pits: tuple[int, ...]
    kazans: tuple[int, int]
    tuzdyks: tuple[int | None, int | None]
    to_move: Side

    def __str__(self) -> str:
        rows = " / ".join(" ".join(map(str, self.pits[start : start + 9])) for start in (0, 9))
        won = ",".join("-" if number is None else str(number) for number in self.tuzdyks)
        banked = f"{self.kazans[0]}:{self.kazans[1]}"
        return f"{rows}, kazans {banked}, tuzdyks {won}, {self.to_move.value} to move"


START = Position((9,) * 18, (0, 0), (None, None), Side.BASTAUSHY)
"""The position every game begins with."""


Points: TypeAlias = Literal["1-0", "0-1", "1/2-1/2"]
"""The score of a game that the two have settled between them, bastaushy's first."""

Result: TypeAlias = Literal["1-0", "0-1", "1/2-1/2", "0-0"]
"""The score of a game, bastaushy's first; `0-0`: both have lost, as when neither came in time (2.6.3)."""


class EndReason(Enum):
    """Why the stones themselves ended a game."""

    EIGHTY_TWO = "eighty_two"
    """A kazan holds 82 or more (1.3.5)."""
    ATSYRAU = "atsyrau"
    """The player to move has no stones (1.5)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished position counts.

    Attributes:
        winner: Who has won; None: a draw at 81:81.
        reason: What ended the game.
        kazans: Final totals of [bastaushy, qostaushy], at atsyrau with the opponent's remaining stones.
    """

    winner: Side | None
    reason: EndReason
    kazans: tuple[int, int]

    @property
    def score(self) -> Points:
        """The score, bastaushy's first."""
        return "1/2-1/2" if self.winner is None else won_by(self.winner)


def won_by(side: Side) -> Points:
    """Return the score of a game that `side` has won."""
    return "1-0" if side is Side.BASTAUSHY else "0-1"


@dataclass(frozen=True, slots=True)
class Sowing:
    """One move, stone by stone.

    Attributes:
        side: Who moved.
        number: The number 1..9 of the pit he played.
        stones: How many stones he lifted.
        path: The pit index where each stone fell, in order; a tuzdyk's index where its owner banked the
            stone.
        captured: Stones taken from the last pit, the three of a new tuzdyk included; 0 for a quiet move.
        tuzdyk: The number of the tuzdyk won by this move; None for most moves.
        before: The position before the move.
        after: The position after it. It is not swept: at atsyrau the opponent's stones still lie there.
    """

    side: Side
    number: int
    stones: int
    path: tuple[int, ...]
    captured: int
    tuzdyk: int | None
    before: Position
    after: Position

    @property
    def last_index(self) -> int:
        """The index 0..17 of the pit where the last stone fell."""
        return self.path[-1]

    @property
    def last_number(self) -> int:
        """The number 1..9 of the pit where the last stone fell."""
        return self.path[-1] % 9 + 1

    @property
    def mark(self) -> Mark:
        """How a score sheet marks the move."""
        if self.tuzdyk is not None:
            return "x"
        return ":" if self.captured else "-"


def board_of(position: Position) -> tuple[int, ...]:
    """Return the stones of the twenty places: the pits by index 0..17, then both kazans."""
    return (*position.pits, *position.kazans)


def pit_index(side: Side, number: int) -> int:
    """Return the index 0..17 of a player's own pit `number` 1..9."""
    return side.index * 9 + number - 1


def side_of(index: int) -> Side:
    """Return whose row the pit of index 0..17 belongs to."""
    return _SIDES[index // 9]


def number_of(index: int) -> int:
    """Return the number 1..9 that the pit of index 0..17 has in its row."""
    return index % 9 + 1


def pit_name(index: int) -> str:
    """Return the name of a pit in words, such as `bastaushy 7`."""
    return f"{side_of(index).value} {number_of(index)}"


def tuzdyk_owner(index: int, tuzdyks: tuple[int | None, int | None]) -> Side | None:
    """Return who banks the stones that fall into the pit of index 0..17; None: it is an ordinary pit."""
    owner = side_of(index).opponent
    return owner if tuzdyks[owner.index] == number_of(index) else None


def legal_moves(position: Position) -> tuple[int, ...]:
    """Return the pit numbers the player to move may play, ascending; () when the game is over."""
    if max(position.kazans) >= WINNING_STONES:
        return ()
    first = position.to_move.index * 9
    return tuple([number for number, stones in enumerate(position.pits[first : first + 9], 1) if stones])


def outcome(position: Position) -> Outcome | None:
    """Return how the game ended; None while it goes on.

    A kazan of 82 comes first: such a game stops where it is, without a sweep. At atsyrau the player to
    move has no stones, and all that lie on the board are his opponent's. A player who empties his own row
    by moving has not ended anything: the opponent may feed him.
    """
    kazans = position.kazans
    if max(kazans) >= WINNING_STONES:
        reason = EndReason.EIGHTY_TWO
    elif legal_moves(position):
        return None
    else:
        reason = EndReason.ATSYRAU
        left = sum(position.pits)
        mover = position.to_move.index
        kazans = (kazans[0] + left * mover, kazans[1] + left * (1 - mover))
    winner = None if kazans[0] == kazans[1] else _SIDES[kazans.index(max(kazans))]
    return Outcome(winner, reason, kazans)


def play(position: Position, number: int) -> Sowing:
    """Return the move from pit `number`: the checking door.

    Raises:
        IllegalMoveError: The pit may not be played; says why.
    """
    if number not in legal_moves(position):
        raise refused(position, number)
    return apply(position, number)


def refused(position: Position, number: int) -> IllegalMoveError:
    """Return the error that says why a move that is not legal is not."""
    return IllegalMoveError(number, _refusal(position, number), position)


def _refusal(position: Position, number: int) -> str:
    if outcome(position) is not None:
        return "the game is over"
    if number not in range(1, 10):
        return "pits have the numbers 1 to 9"
    side = position.to_move
    if tuzdyk_owner(pit_index(side, number), position.tuzdyks) is not None:
        return f"it is the tuzdyk of {side.opponent.value}"
    return f"it is empty and {side.value} is to move"


def apply(position: Position, number: int) -> Sowing:
    """Return the move from pit `number`: the trusting door, for moves known to be legal.

    Anything may happen, an IndexError included, when the move is not in `legal_moves(position)`.
    """
    side = position.to_move
    mover = side.index
    origin = mover * 9 + number - 1
    pits = list(position.pits)
    stones = pits[origin]
    # The first stone goes back where it came from, but a single stone walks (1.3.3).
    start = origin + 1 if stones == 1 else origin
    path = _RING[start : start + stones]
    pits[origin] = 0
    for index in path:
        pits[index] += 1
    kazans = list(position.kazans)
    tuzdyks = position.tuzdyks
    for owner in (0, 1):
        won = tuzdyks[owner]
        if won is not None:
            # No stone rests in a tuzdyk, so all that lie there now have just been sown (1.4.2).
            index = (1 - owner) * 9 + won - 1
            kazans[owner] += pits[index]
            pits[index] = 0
    last = path[-1]
    tuzdyk = None
    captured = stones_won(pits[last], last, mover, tuzdyks)
    if captured:
        kazans[mover] += captured
        pits[last] = 0
        if captured == 3:
            tuzdyk = last % 9 + 1
            tuzdyks = (tuzdyk, tuzdyks[1]) if mover == 0 else (tuzdyks[0], tuzdyk)
    after = Position(tuple(pits), (kazans[0], kazans[1]), tuzdyks, _SIDES[1 - mover])
    return Sowing(side, number, stones, path, captured, tuzdyk, position, after)


def stones_won(stones: int, last: int, mover: int, tuzdyks: tuple[int | None, int | None]) -> int:
    """Return how many of the `stones` in the last pit the mover takes; 3 means that he wins a tuzdyk.

    Nothing is taken in the own row. An own tuzdyk must be empty by now and yields 0 as well (1.4.2). Three
    stones win a tuzdyk unless the mover has one, the pit is the ninth or the opponent's has the same number
    (1.4.3).

    Args:
        stones: How many lie there, the last one among them.
        last: The index 0..17 of the pit.
        mover: The index of who sowed, 0 or 1.
        tuzdyks: The tuzdyks before the move.
    """
    if last // 9 == mover:
        return 0
    if stones % 2 == 0:
        return stones
    number = last % 9 + 1
    if stones == 3 and tuzdyks[mover] is None and number not in (9, tuzdyks[1 - mover]):
        return 3
    return 0

"""What comes of restoring a sheet, as data: codes and fields for whoever puts it into words.

`Unique`, `Ambiguous`, `Impossible` and `TooOpen` are the four answers. `str()` of each is English for
developers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from rules.position import Position, Sowing
from rules.sheets.facts import Place, Subject


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that stands at some ply in at least one of the games.

    Attributes:
        text: The move in the official short form.
        games: In how many games it is played there; at least in so many where nobody can tell how many games
            there are.
    """

    text: str
    games: int


@dataclass(frozen=True, slots=True)
class Version:
    """One side of a difference.

    Attributes:
        places: Which sheets say so, and where.
        games: In how many games they are right.
    """

    places: tuple[Place, ...]
    games: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Sheets that contradict each other (2.3.5).

    Attributes:
        ply: At which ply.
        subject: About what.
        versions: What they say.
    """

    ply: int
    subject: Subject
    versions: tuple[Version, ...]

    @property
    def right(self) -> int | None:
        """Which of the versions is right in every game; None: it cannot be decided."""
        alive = [index for index, version in enumerate(self.versions) if version.games]
        return alive[0] if len(alive) == 1 else None

    def __str__(self) -> str:
        said = " or ".join(", ".join(map(str, version.places)) for version in self.versions)
        right = self.right
        verdict = "undecided" if right is None else f"right is {self.versions[right].places[0]}"
        return f"ply {self.ply}, {self.subject.value}: {said}: {verdict}"


@dataclass(frozen=True, slots=True)
class Shift:
    """A sheet whose numbers are wrong from some ply on.

    Attributes:
        sheet: Which of the sheets, from 0.
        ply: From which ply by its own numbers.
        by: How many plies later than numbered that ply and all after it were played, because the writer left
            some out. Negative: so many entries from `ply` on are too many, and all after them were played
            earlier.
    """

    sheet: int
    ply: int
    by: int

    def __str__(self) -> str:
        what = "left out" if self.by > 0 else "too many"
        return (
            f"sheet {self.sheet + 1}, ply {self.ply}: {abs(self.by)} {what}, the numbers after it are shifted"
        )


@dataclass(frozen=True, slots=True)
class Unique:
    """Exactly one game bears out what was written.

    Attributes:
        sowings: Its moves.
        differences: What the sheets disagreed about, and who was right.
        shifts: Which sheets had to be understood with other numbers.
    """

    sowings: tuple[Sowing, ...]
    differences: tuple[Difference, ...] = ()
    shifts: tuple[Shift, ...] = ()

    def __str__(self) -> str:
        return f"one game of {len(self.sowings)} plies" + _details(self.differences, self.shifts)


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several games bear out what was written.

    Attributes:
        solutions: The first of them, by the pits played; as many as were asked for.
        total: How many there are, exactly; None when several ways to shift a sheet lead to different games,
            too many of them to tell how many are the same.
        candidates: For each ply from the first the moves that stand there, the most frequent ones first.
        differences: What the sheets disagreed about, and who was right where that can be said.
        shifts: Which sheets had to be understood with other numbers. Several: each leads to games of its own,
            and nobody can tell which it was.
    """

    solutions: tuple[tuple[Sowing, ...], ...]
    total: int | None
    candidates: tuple[tuple[Candidate, ...], ...]
    differences: tuple[Difference, ...] = ()
    shifts: tuple[Shift, ...] = ()

    @property
    def open_plies(self) -> tuple[int, ...]:
        """The plies, from 1, where the games do not all play the same, or some play nothing any more."""
        return tuple(ply for ply, texts in enumerate(self.candidates, 1) if not self._all_play(texts))

    @property
    def certain_plies(self) -> tuple[int, ...]:
        """The plies, from 1, where they do."""
        return tuple(ply for ply, texts in enumerate(self.candidates, 1) if self._all_play(texts))

    def _all_play(self, texts: tuple[Candidate, ...]) -> bool:
        return len(texts) == 1 and self.total in (None, texts[0].games)

    def __str__(self) -> str:
        plies = ", ".join(map(str, self.open_plies))
        return f"{self.total or 'many'} games, open at ply {plies}" + _details(self.differences, self.shifts)


class Reason(Enum):
    """Why no game goes on."""

    ILLEGAL = "illegal"
    """No legal move is the one written."""
    GAME_OVER = "game_over"
    """The game had already ended, and a move is written."""
    KAZAN = "kazan"
    """The kazan written behind the move is another one."""
    DIAGRAM = "diagram"
    """The board drawn is another one."""
    RESULT = "result"
    """The game ended otherwise."""
    TOO_MANY_STONES = "too_many_stones"
    """A kazan holds more already than what is written later leaves."""
    WRONG_TUZDYK = "wrong_tuzdyk"
    """A tuzdyk has been won already that does not go with what is written later."""


@dataclass(frozen=True, slots=True)
class SheetContradiction:
    """The first place where what was written cannot be right.

    Attributes:
        ply: Whose entry it is, from 1; 0 is what is drawn before the first move.
        subject: What part of it.
        reason: What is wrong.
        places: What was written, on which sheet and where. All of it is wrong, or something before it is.
        allowed: What would have been possible: moves in the official short form, or totals of the kazan; ()
            for everything else.
        position: The position there: before the ply for a move, after it for all else. One of them if
            there are several.
        positions: How many positions are possible there.
        noticed: After which ply it was clear already; later facts reach back.
    """

    ply: int
    subject: Subject
    reason: Reason
    places: tuple[Place, ...]
    allowed: tuple[str, ...]
    position: Position
    positions: int
    noticed: int

    def __str__(self) -> str:
        said = " or ".join(map(str, self.places)) or "a move"
        known = f"; possible: {' '.join(self.allowed)}" if self.allowed else ""
        return f"ply {self.ply}, {self.subject.value}, {self.reason.value}: {said}{known}"


class RepairKind(Enum):
    """What kind of slip would explain a contradiction; the likeliest stand first."""

    CHARACTER = "character"
    """One character or one cell is wrong, missing or too many."""
    SWAPPED = "swapped"
    """Two digits are in the wrong order."""
    SKIPPED = "skipped"
    """Plies were left out, and everything after them has numbers too low."""
    DOUBLED = "doubled"
    """Plies were written twice, and everything after them has numbers too high."""
    REWRITTEN = "rewritten"
    """What is written there is wrong altogether."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A small change that would make the sheets sound, or at least sound for longer.

    Attributes:
        kind: What was done wrong.
        ply: Where; for a shift by the sheet's own numbers.
        subject: In what part of the entry.
        places: What stands there.
        instead: What may stand there instead, a move in the notation it was written in, a diagram's cells as
            `bastaushy 7=12`; () for a shift.
        shift: The shift; None for all other kinds.
        games: How many games bear out the sheets then.
        reaches: The last ply after which a game can still go on then; None: the whole sheet is sound.
    """

    kind: RepairKind
    ply: int
    subject: Subject
    places: tuple[Place, ...]
    instead: tuple[str, ...]
    shift: Shift | None
    games: int
    reaches: int | None

    def __str__(self) -> str:
        said = " or ".join(map(str, self.places))
        change = str(self.shift) if self.shift else f"ply {self.ply}: {said} -> {' '.join(self.instead)}"
        until = "" if self.reaches is None else f", but only until ply {self.reaches}"
        return f"{self.kind.value}: {change}{until}"


@dataclass(frozen=True, slots=True)
class Impossible:
    """No game bears out what was written.

    Attributes:
        contradiction: The first place where that shows.
        repairs: Small changes that would help, the likeliest first. If none makes the whole sheet sound,
            those that reach furthest.
        all_tried: Whether every small change was tried; False: there were too many positions for that.
    """

    contradiction: SheetContradiction
    repairs: tuple[Repair, ...]
    all_tried: bool

    def __str__(self) -> str:
        return "; ".join(["no game", str(self.contradiction), *map(str, self.repairs)])


@dataclass(frozen=True, slots=True)
class TooOpen:
    """The sheets leave more open than can be searched.

    Attributes:
        first_ply: Where the gap begins that is too wide.
        last_ply: Where it ends.
        ply: After which ply the search held most positions when it had to stop.
        positions: How many; there may be more.
        max_positions: How many the search might keep in all.
    """

    first_ply: int
    last_ply: int
    ply: int
    positions: int
    max_positions: int

    def __str__(self) -> str:
        return (
            f"plies {self.first_ply} to {self.last_ply} leave too much open: "
            f"at least {self.positions} positions after ply {self.ply}"
        )


Restored: TypeAlias = Unique | Ambiguous | Impossible | TooOpen
"""What restoring a sheet answers."""


def _details(differences: tuple[Difference, ...], shifts: tuple[Shift, ...]) -> str:
    return "".join(f"; {detail}" for detail in (*shifts, *differences))

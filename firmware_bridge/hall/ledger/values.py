"""What the ledger keeps, as values: games, events heard, rulings, warnings. Pure."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, TypeAlias, get_args

from rules.conduct.proposal import Score

Status: TypeAlias = Literal["planned", "assigned", "proposed", "confirmed", "official", "released"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)
SCORES: Final[tuple[Score, ...]] = get_args(Score)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A value whose fields are texts, numbers and what JSON holds of them."""

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture(Plain):
    """One game of the event.

    Attributes:
        key: Its id, as boards and records name it.
        round: Which round, from 1; 0: a game that no pairing names.
        board: Id of the board.
        bastaushy: Who begins.
        qostaushy: Who answers.
        seat: Where bastaushy sits, a or b.
        control: The time control as text.
        status: How far it is.
        score: The result so far; None: there is none.
        reason: What ended it, a code or words.
        decided_by: Who proposed, confirmed or accepted it last; empty: the board.
        postponed: Why the chief panel has postponed it (2.8.1); None: it has not.
        ended_ms: When the hall heard of its end, wall time; None: it has not.
    """

    key: str
    round: int
    board: str
    bastaushy: str
    qostaushy: str
    seat: str
    control: str
    status: Status = "planned"
    score: Score | None = None
    reason: str = ""
    decided_by: str = ""
    postponed: str | None = None
    ended_ms: int | None = None

    def flipped(self) -> Fixture:
        """Return the same two on the same chairs, the other one beginning."""
        return replace(
            self,
            bastaushy=self.qostaushy,
            qostaushy=self.bastaushy,
            seat="b" if self.seat == "a" else "a",
        )


def key_of(round_number: int, board: str) -> str:
    """Return the id of the game of a round at a board."""
    return f"r{round_number}-{board}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One event of a board that the console has to remember.

    Attributes:
        board: Id of the board.
        boot: Which start of its program.
        seq: Journal number.
        game: Id of the game; empty: none.
        ply: Plies played after it.
        at_ms: The board's wall time, a label.
        data: The event as JSON.
    """

    board: str
    boot: int
    seq: int
    game: str
    ply: int
    at_ms: int
    data: dict[str, Any]

    @property
    def key(self) -> str:
        """A name that no other event has."""
        return f"{self.board}-{self.boot}-{self.seq}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Plain):
    """An order that an arbiter gave, and what came of it.

    Attributes:
        id: Made by his page; the same one a second time is the same order.
        board: Id of the board.
        game: Id of the game.
        ply: Plies played when he gave it.
        given_by: Who.
        commands: What the board was told, in order.
        outcome: `accepted`, `refused` or `unknown`; `sending` while nobody knows yet.
        code: The board's reason.
        detail: The board's words.
        undo: What takes it back; None: nothing does.
        undoes: The order that this one takes back; None: none.
        at_ms: The hall's wall time.
    """

    id: str
    board: str
    game: str
    ply: int
    given_by: str
    commands: list[dict[str, Any]]
    outcome: str
    code: str = ""
    detail: str = ""
    undo: list[dict[str, Any]] | None = None
    undoes: str | None = None
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned(Plain):
    """A warning that outlives its game (2.4.10).

    Attributes:
        key: Its own key.
        person: Whom.
        level: The step of the ladder, 1..5.
        board: At which board.
        game: In which game.
        round: In which round; 0: in none.
        article: What he offended against; empty: not said.
        given_by: Who gave it.
        reason: Why, in words.
        at_ms: Wall time.
        taken_back: Why it counts no more; None: it counts.
        against: The representative or coach whom the fourth is recorded against (2.4.6); empty: nobody is
            named.
        ruling: The order it was given with; None: none of this hall's.
        taken_back_by: Who took it back; empty: nobody.
    """

    key: str
    person: str
    level: int
    board: str
    game: str
    round: int
    article: str
    given_by: str
    reason: str
    at_ms: int
    taken_back: str | None = None
    against: str = ""
    ruling: str | None = None
    taken_back_by: str = ""

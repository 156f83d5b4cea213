"""A game as a value: everything the events so far have decided."""

from __future__ import annotations

from dataclasses import dataclass

from rules.clock import ClockState
from rules.errors import shown
from rules.events import DrawLasts, PressId, Seat
from rules.phases import Phase
from rules.position import START, Position, Result, Side
from rules.time_control import TimeControl


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a game.

    Attributes:
        side: Who moved.
        number: The number 1..9 of the pit he played; None: an illegal sowing that stands, from nobody knows
            where.
        text: The move in official short notation; of an illegal sowing that stands as `format_stood` has it.
        at_us: When it became final, in table time.
        clock_after_us: What both dials showed at that moment, in microseconds.
        before: The position it was played in.
        after: The position it left. An arbiter may have set another one since.
        stood: It is an illegal sowing that an arbiter let stand.
    """

    side: Side
    number: int | None
    text: str
    at_us: int
    clock_after_us: tuple[int, int]
    before: Position
    after: Position
    stood: bool = False


@dataclass(frozen=True, slots=True)
class Incident:
    """An infraction as far as it is decided.

    Attributes:
        number: Its number in this game, from 1.
        side: Who did it.
        faults: What it is, as codes, the gravest first.
        ply: After how many final plies it was seen.
        settled: How it ended, a `Decision` or a `Closing`; None: it waits for an arbiter.
    """

    number: int
    side: Side
    faults: tuple[str, ...]
    ply: int
    settled: str | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """Everything the events so far have decided. Pairs are [bastaushy, qostaushy].

    Attributes:
        phase: Where in its life the table is.
        game_id: The game's key; None: no game was ever assigned.
        names: The players; empty texts before a game is assigned.
        starter_seat: Where bastaushy sits; seat a before a game is assigned.
        control: The time control; None: no game was ever assigned.
        position: The position after the last final move.
        plies: The final moves.
        clock: Both dials; None: no game was ever assigned.
        ready: Who has confirmed that he is ready.
        setup_ok: Whether nine stones were seen in each pit.
        pending_presses: Who has pressed, oldest first, without his move having become final yet.
        flags: Whose flag is down; time given by an arbiter raises it, and so does a quota whose last move he
            enters: it had been made before the flag fell (2.7.13).
        flag_plies: After how many plies each flag fell that is down, those pressed but not read among them:
            the next one was under way (2.9.8). None: it is up.
        first_flag: Whose fell first of those that are down (2.7.14); None: none is.
        result: The score; None: not ended.
        result_reason: What ended the game; None: not ended.
        confirmed: Who has accepted the result.
        last_press: The last press that came from a device; None: none in this game.
        suspended_running: Whose dial ran when the game was suspended; None: it is not.
        suspended_reason: Why it was suspended; None: it is not.
        incidents: The infractions of this game, in order.
        warnings: How many warnings both players have got in this game.
        draw_offers: How many draws both have offered; only the first asks anything (2.6.9).
        draw_open: Whose offer waits for an answer; None: nobody's.
        draw_lasts: How long an offer waits: `until_refused`; empty: until the opponent's move is final.
        called: An arbiter was called and has not come yet.
        caller: Who called him; None: nobody waits, or nobody knows.
        flags_called: Whose fallen flag has been called (2.9.9).
        seal: The commitment to a sealed move; None: no move is sealed (2.8.2).
        sealed_number: The pit 1..9 of a sealed move that was opened and has to be played (2.8.4); None: none.
    """

    phase: Phase = Phase.UNASSIGNED
    game_id: str | None = None
    names: tuple[str, str] = ("", "")
    starter_seat: Seat = "a"
    control: TimeControl | None = None
    position: Position = START
    plies: tuple[Ply, ...] = ()
    clock: ClockState | None = None
    ready: tuple[bool, bool] = (False, False)
    setup_ok: bool = False
    pending_presses: tuple[Side, ...] = ()
    flags: tuple[bool, bool] = (False, False)
    flag_plies: tuple[int | None, int | None] = (None, None)
    first_flag: Side | None = None
    result: Result | None = None
    result_reason: str | None = None
    confirmed: tuple[bool, bool] = (False, False)
    last_press: PressId | None = None
    suspended_running: Side | None = None
    suspended_reason: str | None = None
    incidents: tuple[Incident, ...] = ()
    warnings: tuple[int, int] = (0, 0)
    draw_offers: tuple[int, int] = (0, 0)
    draw_open: Side | None = None
    draw_lasts: DrawLasts = ""
    called: bool = False
    caller: Side | None = None
    flags_called: tuple[bool, bool] = (False, False)
    seal: str | None = None
    sealed_number: int | None = None

    @property
    def open_incidents(self) -> tuple[Incident, ...]:
        """The infractions that wait for an arbiter, oldest first."""
        return tuple(incident for incident in self.incidents if incident.settled is None)

    def __str__(self) -> str:
        name = "no game" if self.game_id is None else f"game {shown(self.game_id)}"
        return f"{name}, phase {self.phase.value}, after {len(self.plies)} plies"


EMPTY = Game()
"""A board to which no game was ever given."""

"""What a board tells the small screen that stands beside it, over its socket on the same machine.

Nothing here travels over a broker. What players may not see is not in it: the board leaves it out, so that
no page can show it by mistake (house law 8). Reading never trusts, as everywhere on the wire.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from firmware_bridge.wire.parts import (
    ClockPart,
    Code,
    Count,
    Id,
    Name,
    Part,
    ResultPart,
    Sensed,
    SideName,
    Words,
)

MAX_VIEW_BYTES: Final = 65_536
"""One line of the stream; a real one has some hundred bytes."""
MAX_ALERTS: Final = 16
MAX_CARRIES: Final = 40
MAX_FAULTS: Final = 8

Place = Annotated[int, Field(ge=0, le=19)] | Literal["hand", "beside"]
"""0..17 the pits by index, 18 and 19 the kazans, a hand that holds stones, or the table beside the board."""


class CarryPart(Part):
    """Some stones to be carried.

    Attributes:
        source: Where they lie.
        target: Where they belong.
        stones: How many.
    """

    source: Place
    target: Place
    stones: Annotated[int, Field(ge=1, le=999)]


class AlertPart(Part):
    """Something that the players are told of.

    Attributes:
        kind: What, such as `call` or `infraction`.
        side: Whom it is about; None: nobody, or both.
        faults: What was done, as codes, the gravest first; empty where that is not what it is about.
        goal: What the stones are to be brought to: the move that was `due`, the position `before` it, the
            position an arbiter `ruled`, the `start`; empty where no stones are to be carried.
        move: The move that was due, in the official short notation; empty where none is.
        way: Which stones to carry to get there; empty: none, or it cannot be told.
        known: Whether the way is all there is to do; False where places cannot be read.
    """

    kind: Code
    side: SideName | None = None
    faults: Annotated[tuple[Code, ...], Field(max_length=MAX_FAULTS)] = ()
    goal: Literal["", "due", "before", "ruled", "start"] = ""
    move: Annotated[str, Field(max_length=40)] = ""
    way: Annotated[tuple[CarryPart, ...], Field(max_length=MAX_CARRIES)] = ()
    known: bool = True


class TableView(Part):
    """The whole table as its small screen may show it.

    Attributes:
        v: Version of this form.
        board: Id of the board.
        phase: Phase of the table, as in a state.
        names: The players, bastaushy first.
        starter_seat: At which side of the board bastaushy sits.
        to_move: Whose turn the confirmed position says it is.
        ply: Plies played.
        last: The last move in the official short notation; empty before the first.
        ready: Who has confirmed to be ready.
        clock: The clocks as they stood when this was sent; None: the game has none.
        result: How the game ended; None: it has not.
        confirmed: Who has accepted the result.
        pause: Why the game rests; None: it does not.
        sensed: What the board sees, as far as players may know: where they may not, `moving`.
        draw: Whose offer of a draw waits for an answer; None: nobody's.
        alerts: What the players are told of, the most urgent first.
    """

    v: Literal[1] = 1
    board: Id
    phase: Code
    names: tuple[Name, Name]
    starter_seat: Literal["a", "b"]
    to_move: SideName
    ply: Count
    last: Annotated[str, Field(max_length=40)]
    ready: tuple[bool, bool]
    clock: ClockPart | None
    result: ResultPart | None
    confirmed: tuple[bool, bool]
    pause: Words | None
    sensed: Sensed
    draw: SideName | None
    alerts: Annotated[tuple[AlertPart, ...], Field(max_length=MAX_ALERTS)]


class TableLine(Part):
    """One line of the stream.

    Attributes:
        age_ms: How long ago the board made the view: what its clocks show is so old.
        view: The newest view.
    """

    age_ms: Count
    view: TableView

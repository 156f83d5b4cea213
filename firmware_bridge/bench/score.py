"""What one game on the bench has shown, as values that go through JSON and back (pure)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(slots=True)
class Wrong:
    """A position that was reported as final and is not the one on the board.

    Attributes:
        ply: Which ply of the game, from 1.
        claimed: The move the board believed.
        played: The move really played, or the offence.
        detail: Each place that differs, `place: claimed/lying`.
    """

    ply: int
    claimed: str
    played: str
    detail: str


@dataclass(slots=True)
class Ask:
    """A stretch in which the board needed a person after a press.

    Attributes:
        ply: The ply that was waited for, from 1.
        reason: Code of the note; `silent` where the board said nothing and confirmed nothing.
        places: The places it named.
        since_us: Device time when it was first shown.
        until_us: When it was over; None: never.
        ended: `confirmed`, `matches` or `entered` (an arbiter had to); empty while it is open.
        chain: Number of its chain in this game, from 1.
    """

    ply: int
    reason: str
    places: tuple[int, ...]
    since_us: int
    until_us: int | None = None
    ended: str = ""
    chain: int = 0


@dataclass(slots=True, kw_only=True)
class Told:
    """What the table told of a fault, and how well.

    Attributes:
        faults: The codes.
        named: `exact`, `alike` (as one of its class), `second` or `wrong`.
        corrected: The list of corrections leads exactly to the board that was due.
        seen: The stones it saw are those that lay there.
        after_ms: From the press; None: there was none.
    """

    faults: tuple[str, ...]
    named: str
    corrected: bool
    seen: bool
    after_ms: int | None


@dataclass(slots=True, kw_only=True)
class Alarm:
    """A fault that the table told though there was none, or once more.

    Attributes:
        ply: Which ply was played, from 1.
        faults: The codes.
    """

    ply: int
    faults: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Offended:
    """What became of one ply that was played against the rules.

    Attributes:
        ply: Which, from 1.
        kind: The offence.
        legal_too: The board it ends on is also one that a legal ply, or the ply due and a legal answer, leads
            to: no weight can tell.
        outcome: `asked`, `claimed` (a legal position was reported) or `silent` (neither, until the end).
        after_ms: From the press to the ask or the claim; None: silent.
        mended: The players put it right, and the ply due became final in the end; None: they did not.
        as_due: The stones end as they should: hands, clock or a mark offend.
        must: Stones or presses are others than due, so that it has to be detected.
        told: What the table told of it; None: nothing.
    """

    ply: int
    kind: str
    legal_too: bool
    outcome: str = "silent"
    after_ms: int | None = None
    mended: bool | None = None
    as_due: bool = False
    must: bool = True
    told: Told | None = None


@dataclass(slots=True, kw_only=True)
class Score:
    """What one scene has shown.

    Attributes:
        plies: Plies played by the hands.
        confirmed: Plies that became final without an arbiter.
        together: Of these, plies that became final only together with the next.
        entered: Plies an arbiter had to enter.
        never: Plies that never became final.
        wrong: Silent wrong positions.
        asks: Every ask.
        to_sure_ms: From the later of last stone, hand gone, table at rest and press to the commit, a value a
            ply; without plies on which the next hand came down first.
        overtaken: Those plies.
        settled_ms: The same for plies that end the game, which nobody presses for.
        offended: What became of plies against the rules.
        baselines: Wrong plies of each baseline.
        baseline_plies: Plies on which the baselines were judged.
        ended: Whether the session saw the end that the stones have; None: the record stops before it.
        samples: Samples taken.
        cpu_s: Processor seconds that it cost.
        notes: Anything else worth a look.
        alarms: Faults told though there were none.
    """

    plies: int = 0
    confirmed: int = 0
    together: int = 0
    entered: int = 0
    never: int = 0
    wrong: list[Wrong] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    to_sure_ms: list[int] = field(default_factory=list)
    overtaken: int = 0
    settled_ms: list[int] = field(default_factory=list)
    offended: list[Offended] = field(default_factory=list)
    baselines: dict[str, int] = field(default_factory=dict)
    baseline_plies: int = 0
    ended: bool | None = None
    samples: int = 0
    cpu_s: float = 0.0
    notes: list[str] = field(default_factory=list)
    alarms: list[Alarm] = field(default_factory=list)

    @property
    def chains(self) -> int:
        """How many causes the asks had; a chain of asks from one cause counts once."""
        return len({ask.chain for ask in self.asks})


def score_to_json(score: Score) -> dict[str, Any]:
    """Return a score as plain JSON values."""
    return asdict(score)


def score_from_json(value: dict[str, Any]) -> Score:
    """Return the score that `score_to_json` wrote.

    Raises:
        TypeError: A field is unknown.
        KeyError: A list is missing.
    """
    asks = [Ask(**{**ask, "places": tuple(ask["places"])}) for ask in value["asks"]]
    wrong = [Wrong(**wrong) for wrong in value["wrong"]]
    offended = [_offended_from_json(offended) for offended in value["offended"]]
    alarms = [Alarm(**{**alarm, "faults": tuple(alarm["faults"])}) for alarm in value.get("alarms", ())]
    return Score(**{**value, "wrong": wrong, "asks": asks, "offended": offended, "alarms": alarms})


def _offended_from_json(value: dict[str, Any]) -> Offended:
    told = value.get("told")
    if told is not None:
        told = Told(**{**told, "faults": tuple(told["faults"])})
    return Offended(**{**value, "told": told})


def number_chains(asks: list[Ask]) -> None:
    """Give every ask the number of its chain.

    An ask belongs to the chain of the one before it when at most one ply lies between the two, or when both
    name the same place and at most four do: a bad zero asks again whenever its place is used.
    """
    chain = 0
    before: Ask | None = None
    for ask in asks:
        apart = ask.ply - before.ply if before else 0
        same = before is not None and bool(set(ask.places) & set(before.places))
        if before is None or not (apart <= 2 or (same and apart <= 5)):
            chain += 1
        ask.chain = chain
        before = ask

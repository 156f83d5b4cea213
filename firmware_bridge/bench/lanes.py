"""The lanes of the bench: what each of them plays (pure but for reading games).

`games` plays whole games. The others take a board apart: plies against the rules, watched or not; cells that
are dead or die; cables that are pulled; the ends of games and what players do after them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from firmware_bridge.bench.expected import KINDS
from firmware_bridge.bench.games import game, names, real_games
from firmware_bridge.bench.made import MADE, games_ending
from firmware_bridge.bench.scene import CELLS, Broken, Mishaps, Scene
from firmware_bridge.emulator.offences import Offence, is_possible
from firmware_bridge.emulator.pace import MANNERS, PACES
from firmware_bridge.layout import PITS
from rules.position import Sowing, outcome
from sensors.simulator.profile import PROFILES
from sensors.simulator.world import ChannelFault

OFFENCES = tuple(Offence)

TRIES = 2000
"""Plies looked at for one that allows an offence: one in a hundred wins a tuzdyk, the rarest condition."""

REFEREED_TRIES = 20_000
"""The same where any kind of fault is injected: three stones on a ninth pit are rarer still."""

REFEREED_MEND_S = 15.0
"""How long they take where the table is to tell them what is wrong: it waits for who leans on the board."""

LEADING_IN = 2
"""Fair plies before a fault that is to be refereed."""

PLAYED_ON = 3
"""Plies after it."""

TALKED_OVER = 2
"""Scenes of what players do with the stones after a legal game, in which nothing may be said either."""

MENDED_EVERY = 4
"""In every so many offended scenes the players put the ply right after a while."""

MEND_AFTER_S = 8.0
"""How long they take to notice: longer than the board takes to ask."""

LED_IN_EVERY = 3
"""In every so many scenes a fair ply is played first; the others begin at once."""

DYING_PLIES = (6, 12)
"""How long a cell that dies stays dead."""

UNPLUGGED_EVERY = 5
"""The cable is pulled in every so many plies."""

ENDS = ("82", "sweep", "draw")

LAST_PLIES = 3
"""How much of a game is played before its end."""


class NoPlyError(ValueError):
    """Raised when no ply of the games allows a fault; says which, and how many games were looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One scene to be played, or one piece of a sweep.

    Attributes:
        lane: Which lane of this file, or `sweep`.
        profile: Name of the profile.
        pace: Name of the pace.
        manners: Name of the manners.
        seed: Of everything random; in the lanes of offences it also chooses the ply.
        game: Name of the game; empty where the seed chooses it.
        games_file: File of tournament games; None: there is none.
        axis: What a sweep stretches; empty elsewhere.
        factor: By how much.
        plies: How many plies of it.
        sensors: What the board has, a key of `scene.WIRINGS`; a sweep is always of cells.
        kind: The fault that is injected, a key of `expected.KINDS`; empty but in the lane `referee`.
    """

    lane: str
    profile: str
    pace: str = ""
    manners: str = "plain"
    seed: int = 1
    game: str = ""
    games_file: str | None = None
    axis: str = ""
    factor: float = 1.0
    plies: int = 0
    sensors: str = CELLS
    kind: str = ""

    @property
    def key(self) -> str:
        """Name this task for ever, so that a second run knows that it is done."""
        words = (self.lane, self.kind, self.game, self.profile, self.pace, self.manners, str(self.seed))
        swept = (self.axis, f"x{self.factor:g}", str(self.plies)) if self.axis else ()
        # Boards of cells alone are not named: they were measured before there were others.
        sensors = "" if self.sensors == CELLS else self.sensors
        return " ".join(word for word in (*words, *swept, sensors) if word)


def scene_of(task: Task) -> Scene:
    """Return what a task plays."""
    return LANES[task.lane](task)


def _sowings(task: Task, name: str = "") -> tuple[Sowing, ...]:
    return game(name or task.game, None if task.games_file is None else Path(task.games_file))


def _plain(task: Task) -> Scene:
    return Scene(
        name=task.game,
        sowings=_sowings(task),
        profile=PROFILES[task.profile],
        pace=PACES[task.pace],
        manners=MANNERS[task.manners],
        seed=task.seed,
        sensors=task.sensors,
    )


def _offended(task: Task) -> Scene:
    """Return a ply against the rules, of a game and at a place that the seed chooses."""
    rng = Random(f"offence {task.seed}")
    offence = OFFENCES[task.seed % len(OFFENCES)]
    path = None if task.games_file is None else Path(task.games_file)
    known = names(None, path, MADE)
    for _ in range(TRIES):
        name = rng.choice(known)
        sowings = _sowings(task, name)
        ply = rng.randrange(1, len(sowings)) + 1
        if is_possible(offence, sowings[ply - 1]) and outcome(sowings[ply - 1].after) is None:
            break
    else:
        raise ValueError(f"no ply of {len(known)} games allows the offence {offence.value}")
    led_in = task.seed // len(OFFENCES) % LED_IN_EVERY == 0 and ply > 2
    mended = task.seed // len(OFFENCES) % MENDED_EVERY == 1
    manners = replace(MANNERS[task.manners], mend_after_s=MEND_AFTER_S if mended else None, early=0.0)
    return Scene(
        name=name,
        sowings=sowings,
        profile=PROFILES[task.profile],
        pace=PACES[task.pace],
        manners=manners,
        # Twenty-four scenes share a board: calibrating one costs as much as playing on it.
        seed=task.seed // len(OFFENCES),
        first=ply - 2 if led_in else ply - 1,
        last=ply,
        offences={ply: offence},
        sensors=task.sensors,
    )


def _refereed(task: Task) -> Scene:
    """Return fair plies with one fault among them; the seed chooses the position, of real games if there are.

    Where the fault allows it the stones end on a board that no legal ply leads to.
    """
    kind = KINDS[task.kind]
    rng = Random(f"referee {task.kind} {task.seed}")
    path = None if task.games_file is None else Path(task.games_file)
    real = real_games(path)
    known = names(real or None, path, 0 if real else MADE)
    for _ in range(REFEREED_TRIES):
        name = rng.choice(known)
        sowings = _sowings(task, name)
        ply = rng.randrange(1, len(sowings)) + 1
        if ply > LEADING_IN and ply + PLAYED_ON <= len(sowings) and is_possible(kind, sowings[ply - 1]):
            break
    else:
        raise NoPlyError(f"no ply of {len(known)} games allows the fault {task.kind}")
    return Scene(
        name=name,
        sowings=sowings,
        profile=PROFILES[task.profile],
        pace=PACES[task.pace],
        manners=replace(MANNERS[task.manners], mend_after_s=REFEREED_MEND_S, early=0.0),
        # All kinds share a board: calibrating one costs as much as playing on it.
        seed=task.seed,
        first=ply - 1 - LEADING_IN,
        last=ply + PLAYED_ON,
        offences={ply: kind},
        sensors=task.sensors,
    )


def _legal(task: Task) -> Scene:
    """Return a fair game and what is done with the stones after it: nobody is to be accused of anything."""
    scene = _plain(task)
    manners = replace(scene.manners, post_mortem=TALKED_OVER, confirm_after_s=4.0)
    return replace(scene, manners=manners)


def _unwatched(task: Task) -> Scene:
    scene = _offended(task)
    manners = replace(scene.manners, mend_after_s=None)
    return replace(scene, manners=manners, mishaps=Mishaps(unwatched=frozenset(scene.offences)))


def _unseen(task: Task) -> Scene:
    """Return a fair game of which every seventh ply or so is played while the process is down."""
    scene = _plain(task)
    rng = Random(f"unseen {task.seed}")
    plies = frozenset(ply for ply in range(2, len(scene.sowings)) if rng.random() < 1 / 7)
    return replace(scene, mishaps=Mishaps(unwatched=plies))


def _dead(task: Task) -> Scene:
    """Return a game with one pit that cannot be read from its first ply on."""
    rng = Random(f"dead {task.seed}")
    faults = tuple(ChannelFault)
    broken = Broken(place=rng.randrange(PITS), fault=faults[task.seed % len(faults)])
    return replace(_plain(task), mishaps=Mishaps(broken=(broken,)))


def _dying(task: Task) -> Scene:
    """Return a game in which a pit's cell dies and comes back, again and again."""
    scene = _plain(task)
    rng = Random(f"dying {task.seed}")
    broken, ply = [], rng.randint(2, 8)
    while ply < len(scene.sowings):
        back = ply + rng.randint(*DYING_PLIES)
        fault = rng.choice(tuple(ChannelFault))
        broken.append(Broken(place=rng.randrange(PITS), fault=fault, from_ply=ply, until_ply=back))
        ply = back + rng.randint(*DYING_PLIES)
    return replace(scene, mishaps=Mishaps(broken=tuple(broken)))


def _unplugged(task: Task) -> Scene:
    scene = _plain(task)
    plies = frozenset(range(1 + task.seed % UNPLUGGED_EVERY, len(scene.sowings) + 1, UNPLUGGED_EVERY))
    return replace(scene, mishaps=Mishaps(unplugged=plies))


def _end(task: Task) -> Scene:
    """Return the end of a game, and three scenes of what players do with the stones afterwards."""
    scene = _plain(task)
    manners = replace(scene.manners, post_mortem=3, confirm_after_s=4.0)
    return replace(scene, manners=manners, first=max(0, len(scene.sowings) - LAST_PLIES))


LANES: Mapping[str, Callable[[Task], Scene]] = {
    "games": _plain,
    "offences": _offended,
    "unwatched": _unwatched,
    "referee": _refereed,
    "legal": _legal,
    "unseen": _unseen,
    "dead": _dead,
    "dying": _dying,
    "unplugged": _unplugged,
    "ends": _end,
}


def ends(how_many: int) -> list[str]:
    """Return the names of made games for the lane of ends, every kind of ending in turn."""
    found = [games_ending(kind, -(-how_many // len(ENDS))) for kind in ENDS]
    numbers = [number for several in zip(*found, strict=True) for number in several]
    return [f"made:{number}" for number in numbers[:how_many]]

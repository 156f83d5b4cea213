"""What players do with the stones when the game is over: they pour them, lay positions, play on.

Pure and seeded. None of it is part of the game, and nothing of it may be taken for a move.
"""

from collections.abc import Sequence

from firmware_bridge.emulator.actions import Drop, Lift, PlaceMark, PostMortem, RemoveMark
from firmware_bridge.emulator.fingers import Fingers
from firmware_bridge.emulator.pace import Span
from firmware_bridge.emulator.steps import Motion
from firmware_bridge.emulator.strokes import marked_pits
from firmware_bridge.emulator.turns import Turn
from firmware_bridge.layout import PITS
from rules.position import START, Position, apply, board_of, legal_moves

BETWEEN_SCENES_S: Span = (2.0, 8.0)
"""From one thing to the next (estimate: they talk)."""

GRASP_S: Span = (0.15, 0.6)
"""From one handful to the next when nobody counts (estimate)."""

LARGEST_HANDFUL = 25
"""Most stones of 15 mm that a hand takes at once (estimate)."""

MOST_TRIED = 6
"""Most moves of a line that is tried out."""

PRESSED = 0.3
"""How often somebody hits the clock along with a move that is tried out: a share of 1 (estimate)."""


class Aftermath:
    """The board after the game, as the hands go on with it.

    Args:
        fingers: of both players.
        stones: what lies on the twenty places now.
        marks: the pit indexes that carry a mark.
        played: the positions of the game, to go back to.
    """

    def __init__(
        self, fingers: Fingers, stones: Sequence[int], marks: frozenset[int], played: Sequence[Position]
    ) -> None:
        self._fingers = fingers
        self._stones = list(stones)
        self._marks = set(marks)
        self._played = [START, *played]

    def scenes(self, how_many: int) -> Motion:
        """Do one thing after another."""
        for _ in range(how_many):
            yield self._fingers.pause(BETWEEN_SCENES_S)
            scene = self._fingers.rng.choice(("pour", "lay", "play on"))
            yield PostMortem(scene)
            if scene == "pour":
                yield from self._pour()
                continue
            position = self._fingers.rng.choice(self._played)
            yield from self._lay(position)
            if scene == "play on":
                yield from self._play_on(position)

    def _pour(self) -> Motion:
        """Gather everything from a few places into one."""
        rng = self._fingers.rng
        filled = [place for place, stones in enumerate(self._stones) if stones]
        target = rng.randrange(PITS, PITS + 2)
        for place in rng.sample(filled, rng.randint(1, len(filled))):
            if place != target:
                yield from self._shift(place, target, self._stones[place])

    def _lay(self, position: Position) -> Motion:
        """Bring the stones and marks into a position."""
        due = board_of(position)
        for place, wanted in enumerate(due):
            for other, enough in enumerate(due):
                spare = min(self._stones[other] - enough, wanted - self._stones[place])
                if spare > 0:
                    yield from self._shift(other, place, spare)
        won = set(marked_pits(position))
        for index in sorted(self._marks - won):
            yield RemoveMark(self._fingers.wiring.pits[index])
        for index in sorted(won - self._marks):
            yield PlaceMark(self._fingers.wiring.pits[index])
        self._marks = won

    def _play_on(self, position: Position) -> Motion:
        """Try a few moves out, quickly, some of them with the clock."""
        fingers = self._fingers
        for _ in range(fingers.rng.randint(1, MOST_TRIED)):
            numbers = legal_moves(position)
            if not numbers:
                return
            sowing = apply(position, fingers.rng.choice(numbers))
            turn = Turn(sowing, fingers)
            yield fingers.pause(fingers.pace.carry_s)
            yield from turn.gather()
            yield from turn.sow()
            yield from turn.capture()
            if sowing.tuzdyk is not None:
                yield from turn.mark()
                self._marks.add(sowing.last_index)
            if fingers.happens(PRESSED):
                yield from fingers.press(sowing.side)
            position = sowing.after
            self._stones = list(board_of(position))

    def _shift(self, source: int, target: int, stones: int) -> Motion:
        """Carry stones from a place to another, as many at a time as a hand holds."""
        fingers = self._fingers
        hand = fingers.rng.randrange(4)
        self._stones[source] -= stones
        self._stones[target] += stones
        while stones:
            handful = min(stones, fingers.rng.randint(1, LARGEST_HANDFUL))
            yield fingers.pause(GRASP_S)
            yield Lift(fingers.wiring.channel(source), hand, handful)
            yield fingers.pause(GRASP_S)
            yield Drop(fingers.wiring.channel(target), hand, handful)
            stones -= handful

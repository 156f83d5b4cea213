"""One ply under the hands, stone by stone, with everything that people do on the way.

Pure and seeded; nobody is asked anything here. Whatever the habits, the stones of a ply end where
`Sowing.after` has them, before the press: stones are put right, and a tuzdyk is emptied.
"""

from firmware_bridge.emulator.actions import Drop, Lift, Perch, PlaceMark, Touch, Unperch
from firmware_bridge.emulator.fingers import Fingers
from firmware_bridge.emulator.pace import Span
from firmware_bridge.emulator.steps import Motion, Pause
from firmware_bridge.layout import PITS, PLACES
from rules.position import Side, Sowing, number_of, pit_index, tuzdyk_owner

FETCH_S: Span = (0.12, 0.35)
"""How long a stone touches a pit before it is fetched again (estimate)."""

NOTICE_S: Span = (0.3, 1.2)
"""From a stone that fell wrongly to the finger that puts it right (estimate)."""

SLIP_S: Span = (0.0, 0.05)
"""Between two stones that leave the fingers together (estimate: they fall a few centimetres)."""

OTHER_HAND_S: Span = (0.15, 0.5)
"""From the one hand's grasp to the other's in the same pit (estimate)."""

REST_S: Span = (0.3, 1.5)
"""How long a resting hand keeps one firmness (estimate)."""

PEN_S: Span = (0.2, 0.7)
"""How long a pen pushes (estimate)."""

LIGHTLY = (0.02, 0.4)
"""How hard a resting hand or a pen presses: a share of the same."""

SHARE = (0.1, 0.9)
"""How much of a stone on a rim its own pit carries: a share of its weight (estimate)."""

BRIDGES = 0.5
"""How often a stone that lies badly leans on the next pit too, not on the rim: a share of 1 (estimate)."""

AT_ONCE = 0.5
"""How often a stone that fell wrongly is put right at once, not after the last: a share of 1 (estimate)."""


class Turn:
    """The movements of one ply.

    Args:
        sowing: what is played.
        fingers: of both players.
    """

    def __init__(self, sowing: Sowing, fingers: Fingers) -> None:
        self._sowing = sowing
        self._fingers = fingers
        self._wiring = fingers.wiring
        self._pace = fingers.pace
        self._manners = fingers.manners
        self._rng = fingers.rng
        self._hand = sowing.side.index
        self._free = sowing.side.index + 2
        self._in_hand = {self._hand: sowing.stones, self._free: 0}
        self._perched: list[int] = []
        self._strayed: list[tuple[int, int]] = []
        self._waiting: dict[int, int] = {}
        self._held = [0, 0]

    @property
    def origin(self) -> int:
        """The channel that the stones of this ply are taken from."""
        return self._wiring.pits[pit_index(self._sowing.side, self._sowing.number)]

    @property
    def last(self) -> int:
        """The channel where the last stone falls."""
        return self._wiring.pits[self._sowing.last_index]

    # -- before ------------------------------------------------------------------------------------

    def think(self) -> Motion:
        """Sit over the board; now and then a hand rests on it."""
        thinking = self._fingers.pause(self._pace.think_s)
        if not self._fingers.happens(self._manners.rest):
            yield thinking
            return
        before = self._rng.uniform(0.0, thinking.seconds)
        yield Pause(before)
        channel = self._wiring.channel(self._rng.randrange(PLACES))
        for _ in range(self._rng.randint(1, 4)):
            yield Touch(channel, self._rng.uniform(*LIGHTLY))
            yield self._fingers.pause(REST_S)
        yield Touch(channel, 0.0)
        yield Pause(thinking.seconds - before)

    def adjust(self) -> Motion:
        """Push stones in a few pits with a pen, if that is to be; no stone leaves its pit."""
        if not self._fingers.happens(self._manners.adjust):
            return
        filled = [index for index, stones in enumerate(self._sowing.before.pits) if stones]
        for index in self._rng.sample(filled, min(len(filled), self._rng.randint(1, 3))):
            yield Touch(self._wiring.pits[index], self._rng.uniform(*LIGHTLY))
            yield self._fingers.pause(PEN_S)
            yield Touch(self._wiring.pits[index], 0.0)
            yield self._fingers.pause(PEN_S)

    def gather(self) -> Motion:
        """Take up the stones, with one hand or both."""
        stones, manners = self._sowing.stones, self._manners
        yield Touch(self.origin, self._fingers.firmness())
        yield self._fingers.pause(self._pace.lift_s)
        if stones > manners.both_hands and self._fingers.happens(manners.two_handed):
            first = self._rng.randint(stones // 3, stones - stones // 3)
            self._in_hand = {self._hand: first, self._free: stones - first}
            yield Lift(self.origin, self._hand, first)
            yield self._fingers.pause(OTHER_HAND_S)
            yield Lift(self.origin, self._free, stones - first)
        else:
            yield Lift(self.origin, self._hand, stones)
        yield Touch(self.origin, 0.0)

    # -- the sowing --------------------------------------------------------------------------------

    def sow(self) -> Motion:
        """Let every stone fall and put right what fell wrongly; what was won still lies there."""
        manners = self._manners
        in_pairs = self._fingers.happens(manners.pairs)
        banking = self._rng.random()
        late = banking < manners.tuzdyk_late
        held = not late and banking < manners.tuzdyk_late + manners.tuzdyk_held
        for nth, index in enumerate(self._sowing.path):
            together = nth > 0 and ((in_pairs and nth % 2 == 1) or self._fingers.happens(manners.slips))
            yield self._fingers.pause(SLIP_S if together else self._pace.stone_s)
            owner = tuzdyk_owner(index, self._sowing.before.tuzdyks)
            if owner is None:
                yield from self._let_fall(index)
            elif late:
                yield self._drop(index)
                self._waiting[index] = self._waiting.get(index, 0) + 1
            elif held:
                self._held[owner.index] += 1
            else:
                yield from self._bank(index, owner)
        yield from self._put_right()
        yield from self._bank_the_rest()

    def _let_fall(self, index: int) -> Motion:
        """Let one stone fall into an ordinary pit, by whichever way it gets there."""
        manners, channel = self._manners, self._wiring.pits[index]
        chance = self._rng.random()
        if chance < manners.overshoot:
            stray = (index + 1) % PITS
            yield self._drop(stray)
            self._strayed.append((stray, index))
        elif chance < manners.overshoot + manners.rim:
            yield Perch(channel, self._next_hand(), self._beside(index), self._rng.uniform(*SHARE))
            self._perched.append(channel)
        else:
            yield self._drop(index)
            if chance > 1 - manners.relay:
                yield from self._fetch(channel, channel, self._hand, 1)
            return
        if self._fingers.happens(AT_ONCE):
            yield from self._put_right()

    def _beside(self, index: int) -> int | None:
        """Return the channel of the next pit of the same row, or None for a rim, as it happens."""
        if number_of(index) == 9 or not self._fingers.happens(BRIDGES):
            return None
        return self._wiring.pits[index + 1]

    def _put_right(self) -> Motion:
        for channel in self._perched:
            yield self._fingers.pause(NOTICE_S)
            yield Touch(channel, self._fingers.firmness())
            yield self._fingers.pause(FETCH_S)
            yield Unperch(channel)
            yield Touch(channel, 0.0)
        for strayed, due in self._strayed:
            yield self._fingers.pause(NOTICE_S)
            yield from self._fetch(self._wiring.pits[strayed], self._wiring.pits[due], self._hand, 1)
        self._perched.clear()
        self._strayed.clear()

    def _bank(self, index: int, owner: Side) -> Motion:
        """Bring a tuzdyk's stone to its owner at once, straight from the hand or after a touch of the pit."""
        kazan = self._wiring.kazans[owner.index]
        if self._fingers.happens(self._manners.tuzdyk_touch):
            yield self._drop(index)
            yield from self._fetch(self._wiring.pits[index], kazan, self._hand, 1)
        else:
            yield Drop(kazan, self._next_hand(), 1)

    def _bank_the_rest(self) -> Motion:
        """Empty the tuzdyks, and the hand of what belongs to their owners."""
        by_owner = self._fingers.happens(self._manners.tuzdyk_by_owner)
        for index, stones in self._waiting.items():
            owner = tuzdyk_owner(index, self._sowing.before.tuzdyks)
            assert owner is not None
            yield self._fingers.pause(self._pace.carry_s)
            side = owner.index if by_owner else self._hand
            yield from self._fetch(self._wiring.pits[index], self._wiring.kazans[owner.index], side, stones)
        for kazan, stones in zip(self._wiring.kazans, self._held, strict=True):
            if stones:
                yield self._fingers.pause(self._pace.carry_s)
                for hand, from_it in self._let_go(stones):
                    yield Drop(kazan, hand, from_it)
        self._waiting.clear()
        self._held = [0, 0]

    def _fetch(self, source: int, target: int, side: int, stones: int) -> Motion:
        """Take stones from one channel to another with the other hand of the player `side` 0 or 1."""
        yield self._fingers.pause(FETCH_S)
        yield Lift(source, side + 2, stones)
        yield self._fingers.pause(FETCH_S)
        yield Drop(target, side + 2, stones)

    def _drop(self, index: int) -> Drop:
        return Drop(self._wiring.pits[index], self._next_hand(), 1)

    def _next_hand(self) -> int:
        """Return the hand that the next stone falls from."""
        return self._let_go(1)[0][0]

    def _let_go(self, stones: int) -> list[tuple[int, int]]:
        """Return how many stones leave which hand: the sowing hand first, then the other that helped."""
        gone = []
        for hand, there in self._in_hand.items():
            from_it = min(stones, there)
            if from_it:
                self._in_hand[hand] -= from_it
                stones -= from_it
                gone.append((hand, from_it))
        return gone

    # -- after -------------------------------------------------------------------------------------

    def capture(self) -> Motion:
        """Carry what was won to the own kazan."""
        if self._sowing.captured:
            yield from self._fingers.carry(self.last, self._sowing.captured, self._sowing.side)

    def mark(self) -> Motion:
        """Lay the mark of the tuzdyk that was won."""
        yield self._fingers.pause(self._pace.carry_s)
        yield PlaceMark(self.last)

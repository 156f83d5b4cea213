"""What came of the inputs of one run: how many games, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware_bridge.commands.common import EXIT_FAILED, EXIT_UNUSABLE, complaints, fail
from firmware_bridge.commands.record.reading import Faulty, Foreign, Found, Game, foreign_told
from firmware_bridge.commands.record.sources import UnusableError
from firmware_bridge.commands.record.words import fault_told


@dataclass(slots=True)
class Tally:
    """Counts what was found.

    Attributes:
        games: Games that are sound.
        plies: Their plies.
        faults: Games that are not.
        unusable: Inputs that cannot be used, or not to their end.
    """

    games: int = 0
    plies: int = 0
    faults: int = 0
    unusable: int = 0

    @property
    def code(self) -> int:
        """The exit code: 0 all is well, 1 games are faulty, 2 an input could not be used."""
        if self.unusable:
            return EXIT_UNUSABLE
        return EXIT_FAILED if self.faults else 0

    def add(self, found: Found) -> None:
        """Count what was found."""
        if isinstance(found, Game):
            self.games += 1
            self.plies += len(found.record.plies)
        elif isinstance(found, Faulty):
            self.faults += 1
        elif isinstance(found, UnusableError):
            self.unusable += 1

    def sound(self, found: Iterable[Found]) -> Iterator[Game]:
        """Yield the games that are sound, count everything, and complain of the rest on standard error."""
        for one in found:
            self.add(one)
            if isinstance(one, Game):
                yield one
            elif isinstance(one, Foreign):
                complaints.print(foreign_told(one), markup=False, soft_wrap=True)
            else:
                fail(str(one) if isinstance(one, UnusableError) else fault_told(one))

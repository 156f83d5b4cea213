"""What an event chooses about its pairings where the regulations give no number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rules.errors import TournamentError, shown

MOST_ENTRIES = 2000
"""More than any hall holds."""

MOST_SWISS_ROUNDS = 15
"""2.1.4."""

MissedRounds: TypeAlias = Literal["total", "running"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The options.

    Attributes:
        round_robin_most: Up to how many entries everybody meets everybody; ten is said for one kind of event
            (2.1.7), and taken for all.
        swiss_rounds: How many rounds a Swiss has, 1..MOST_SWISS_ROUNDS; None: as many as part the field by
            halves, 5 to 15 (2.1.4).
        missed_rounds: Whether two missed rounds count wherever they are, or only one behind the
            other (requirement 49).

    Raises:
        TournamentError: A number is out of its range.
    """

    round_robin_most: int = 10
    swiss_rounds: int | None = None
    missed_rounds: MissedRounds = "total"

    def __post_init__(self) -> None:
        if not 0 <= self.round_robin_most <= MOST_ENTRIES:
            raise TournamentError(
                f"tournament.round_robin_most is {shown(self.round_robin_most)}: 0 to {MOST_ENTRIES}"
            )
        if self.swiss_rounds is not None and not 1 <= self.swiss_rounds <= MOST_SWISS_ROUNDS:
            raise TournamentError(
                f"tournament.swiss_rounds is {shown(self.swiss_rounds)}: 1 to {MOST_SWISS_ROUNDS} (2.1.4)"
            )


DEFAULTS = Tournament()
"""What holds where nothing was chosen."""

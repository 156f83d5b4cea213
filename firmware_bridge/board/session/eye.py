"""From raw samples to what the session looks at, and a session from what is durable: one code path (pure).

The running board and the replay of its trace both go through here, so that they cannot drift apart.
Whatever judges samples is set up anew by `Eye`, whatever judges boards by `session_of`; neither may depend on
anything that a trace's header and rows do not hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_bridge.board.counting.belief import Belief, Units
from firmware_bridge.board.inputs import Looked
from firmware_bridge.board.session.session import Session
from firmware_bridge.layout import Wiring
from rules.conduct.options import Conducts
from rules.game import Game
from sensors.calibration import Calibration
from sensors.samples import RawSample
from sensors.senses import Senses


class Eye:
    """Turns the samples of one device into looks."""

    def __init__(self, calibration: Calibration) -> None:
        """Judge the samples of a board calibrated so; none is judged before its device has arrived."""
        self._calibration = calibration
        self._rate_hz = 0.0
        self._senses = Senses(calibration, 0.0)

    def arrived(self, rate_hz: float, *, restarted: bool) -> None:
        """Begin anew where the device's time does, or where it samples at another rate.

        Args:
            rate_hz: Samples a second as its hello names them.
            restarted: No time before this one can be compared with one after it.
        """
        if restarted or rate_hz != self._rate_hz:
            self._rate_hz = rate_hz
            self._senses = Senses(self._calibration, rate_hz)

    def look(self, at_us: int, sample: RawSample) -> Looked:
        """Take one sample at table time `at_us`; return what the board is like after it."""
        return Looked(at_us, self._senses.update(at_us, sample))


class EvidenceError(ValueError):
    """Raised when what was known of the cells cannot be read: another version or somebody else wrote it."""


def units_of(calibration: Calibration) -> Units:
    """Return the masses of the stones, and what each channel reads when its converter reads 0."""
    cut_off_g = tuple(-channel.zero_raw / channel.raw_per_g for channel in calibration.channels)
    return Units(calibration.unit_g, calibration.mark_g, cut_off_g)


def belief_of(evidence: Mapping[str, Any]) -> Belief | None:
    """Return what was known of the cells at the newest evidence; None: it does not tell.

    Raises:
        EvidenceError: It is no belief.
    """
    cells = evidence.get("cells")
    if cells is None:
        return None
    try:
        return Belief.from_json(cells)
    except (KeyError, TypeError, ValueError) as error:
        raise EvidenceError(
            f"the evidence of the last position cannot be read ({error}): it was written by another "
            "version, or by hand"
        ) from error


def session_of(
    *,
    wiring: Wiring,
    calibration: Calibration,
    conducts: Conducts,
    game: Game,
    evidence: Mapping[str, Any],
    start_when_ready: bool | None = None,
) -> Session:
    """Return the table as a program started now sets it up.

    Args:
        wiring: Channels and buttons.
        calibration: Of the cells.
        conducts: What the event has chosen where the regulations leave a choice.
        game: The game as the journal has it.
        evidence: The newest in the journal that says what the board is counted from; empty before any.
        start_when_ready: Whether bastaushy's clock starts by itself; None: as the event has chosen.

    Raises:
        EvidenceError: The evidence is none.
    """
    return Session(
        wiring=wiring,
        units=units_of(calibration),
        start_when_ready=start_when_ready,
        conducts=conducts,
        game=game,
        belief=belief_of(evidence),
    )

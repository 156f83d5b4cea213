"""What count sensors count of a ply, drawn stone by stone; written without the product's own model."""

from __future__ import annotations

from random import Random

from rules.position import Sowing, pit_index, tuzdyk_owner
from sensors.simulator.beams import Beam
from sensors.simulator.profile import CLEAN, Profile


def pulses_of(ply: Sowing, rng: Random, profile: Profile = CLEAN) -> list[int]:
    """Return the pulses of the twenty places when a ply is played on a board with such beams."""
    beams = [Beam(profile, rng) for _ in range(20)]
    for beam in beams:
        beam.pulses = 0
    beams[pit_index(ply.side, ply.number)].reach_in()
    for index in ply.path:
        owner = tuzdyk_owner(index, ply.before.tuzdyks)
        beams[index if owner is None else 18 + owner.index].fall(1)
    if ply.captured:
        beams[ply.last_index].reach_in()
        beams[18 + ply.side.index].fall(ply.captured)
    return [beam.pulses for beam in beams]

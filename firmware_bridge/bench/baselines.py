"""What a simple scale would say of the same quiet loads: the two methods the board is compared with (pure).

Both round each channel to the nearest whole stone. `tare` keeps the zeros of the start of the game;
`tracked` takes new zeros from every ply's true position, which no real scale knows: it is the best that
rounding can do. Both are told where a mark may lie, and are right when either way of reading it is.

`sweep.Rounding` counts with the same zeros and is asked for a whole board: it must decide whether a mark lies
there, shows no fewer than no stones, and may know the rules. So the two judge alike and not the same.
"""

from __future__ import annotations

from collections.abc import Sequence

METHODS = ("tare", "tracked")


def zeros_g(
    loads_g: Sequence[float], stones: Sequence[int], marked: frozenset[int], unit_g: float, mark_g: float
) -> tuple[float, ...]:
    """Return the zero of each place in grams, where `stones` lie, with a mark on each of the places `marked`.

    Args:
        loads_g: What each place weighs.
        stones: What lies there.
        marked: Places that carry a mark.
        unit_g: Mass of a stone.
        mark_g: Mass of a mark.
    """
    return tuple(
        load_g - count * unit_g - (mark_g if place in marked else 0.0)
        for place, (load_g, count) in enumerate(zip(loads_g, stones, strict=True))
    )


class Baselines:
    """Counts by rounding.

    Args:
        unit_g: Mass of a stone.
        mark_g: Mass of a mark.

    Attributes:
        wrong: Wrong plies of each method so far.
        plies: Plies judged.
    """

    def __init__(self, unit_g: float, mark_g: float) -> None:
        self._unit_g, self._mark_g = unit_g, mark_g
        self._zeros: dict[str, list[float]] = {}
        self.wrong = dict.fromkeys(METHODS, 0)
        self.plies = 0

    def tare(self, loads_g: Sequence[float], stones: Sequence[int], marked: frozenset[int]) -> None:
        """Take the zeros of the start, where `stones` lie, with a mark on each of the places `marked`."""
        zeros = zeros_g(loads_g, stones, marked, self._unit_g, self._mark_g)
        self._zeros = {method: list(zeros) for method in METHODS}

    def judge(
        self, loads_g: Sequence[float | None], stones: Sequence[int], marks: frozenset[int]
    ) -> dict[str, int]:
        """Count one ply, and let `tracked` follow.

        Args:
            loads_g: What each place weighs, None where it is not quiet.
            stones: What truly lies there.
            marks: Places that may carry a mark.

        Returns:
            Places that each method has wrong.
        """
        found = {}
        for method, zeros in self._zeros.items():
            found[method] = sum(
                not self._is_right(load_g, zeros[place], stones[place], place in marks)
                for place, load_g in enumerate(loads_g)
                if load_g is not None
            )
            self.wrong[method] += found[method] > 0
        self.plies += 1
        self._track(loads_g, stones, marks)
        return found

    def _is_right(self, load_g: float, zero_g: float, stones: int, may_bear: bool) -> bool:  # noqa: FBT001 - private
        weight = (load_g - zero_g) / self._unit_g
        if round(weight) == stones:
            return True
        return may_bear and round(weight - self._mark_g / self._unit_g) == stones

    def _track(self, loads_g: Sequence[float | None], stones: Sequence[int], marks: frozenset[int]) -> None:
        zeros = self._zeros["tracked"]
        for place, load_g in enumerate(loads_g):
            if load_g is None:
                continue
            zero = load_g - stones[place] * self._unit_g
            if place in marks and abs(zero - self._mark_g - zeros[place]) < abs(zero - zeros[place]):
                zero -= self._mark_g
            zeros[place] = zero

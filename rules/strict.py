"""Questions to a value that came from JSON: each answers with the value in its type, or refuses by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, Protocol

from rules.errors import Due, due


def only_fields(names: tuple[str, ...]) -> Due:
    """Return what is expected of an object that has a field too many."""
    told = ", ".join(names)
    return due("fields", f"only the fields {told}", names=told)


class _FormatError(Protocol):
    """An error of the family that names a path, the value there and what was expected."""

    def __call__(self, where: str, value: object, expected: str) -> Exception: ...


class Strict:
    """The questions, refusing with an error of one class.

    Every question takes the value and the path to it, such as `record.plies[3]`.

    Args:
        error: The class of the errors, made of path, value and what was expected.
    """

    __slots__ = ("_error",)

    def __init__(self, error: _FormatError) -> None:
        self._error = error

    def mapping(self, value: object, where: str, names: tuple[str, ...]) -> Mapping[str, object]:
        """Return an object that has the keys `names` and perhaps others."""
        if not isinstance(value, Mapping):
            self._refuse(where, value, due("object", "an object"))
        for name in names:
            if name not in value:
                self._refuse(where, value, due("field", f"the field {name}", name=name))
        return value

    def exactly(self, value: object, where: str, names: tuple[str, ...]) -> Mapping[str, object]:
        """Return an object that has exactly the keys `names`."""
        found = self.mapping(value, where, names)
        for name in found:
            if name not in names:
                self._refuse(where, name, only_fields(names))
        return found

    def items(self, value: object, where: str, least: int, most: int) -> list[tuple[object, str]]:
        """Return the `least` to `most` items of a list, each with the path to it."""
        if not isinstance(value, list) or not least <= len(value) <= most:
            count = f"{most}" if least == most else f"{least} to {most}"
            self._refuse(where, value, f"a list of {count} items")
        return [(item, f"{where}[{place}]") for place, item in enumerate(value)]

    def integer(self, value: object, where: str, low: int, high: int, expected: str = "") -> int:
        """Return an integer from `low` to `high`; `expected` says so otherwise."""
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self._refuse(where, value, expected or f"an integer from {low} to {high}")
        return value

    def boolean(self, value: object, where: str) -> bool:
        """Return true or false."""
        if not isinstance(value, bool):
            self._refuse(where, value, "true or false")
        return value

    def text(self, value: object, where: str) -> str:
        """Return a text of any length."""
        if not isinstance(value, str):
            self._refuse(where, value, "a text")
        return value

    def choice(self, value: object, where: str, alternatives: tuple[str, ...]) -> str:
        """Return one of several texts; in the error an empty one is written `''`."""
        if not isinstance(value, str) or value not in alternatives:
            self._refuse(where, value, "one of " + ", ".join(each or "''" for each in alternatives))
        return value

    def _refuse(self, where: str, value: object, expected: str) -> NoReturn:
        raise self._error(where, value, expected)

"""What pure code needs of a language: its texts. `firmware_bridge.language.Texts` is one."""

from __future__ import annotations

from typing import Protocol


class Texts(Protocol):
    """The texts of one language."""

    def text(self, key: str, /, **values: object) -> str:
        """Return the text of `key` with its gaps filled."""
        ...

    def plural(self, key: str, n: int, /, **values: object) -> str:
        """Return the text of `key` in the form that goes with `n`."""
        ...

    def of(self, family: str, code: str) -> str:
        """Return a code in words; one that has none shows itself."""
        ...

    def knows(self, key: str) -> bool:
        """Tell whether there is a text of this key."""
        ...

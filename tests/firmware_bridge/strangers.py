"""Being another user for a moment: what is closed to others is open to root, who often runs tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

NOBODY = 65534
"""The user of no rights, on Linux."""


@contextmanager
def as_a_stranger() -> Iterator[None]:
    """Act as a user to whom what has mode 0 is closed; whoever is not root is one already."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)

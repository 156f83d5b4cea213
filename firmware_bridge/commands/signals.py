"""Who hears the signals that ask a program to end, while something is under way."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], None]


@contextmanager
def heard_by(handler: Handler, numbers: Sequence[signal.Signals]) -> Iterator[None]:
    """Give these signals to a handler, and back to whoever heard them before; for the main thread alone."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)

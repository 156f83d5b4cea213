"""Who hears the signals that ask a program to end, while something is under way."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

Handler = Callable[[int, FrameType | None], None]

ENDING: Final = (signal.SIGTERM, signal.SIGINT)
"""What a service manager and a person at a terminal send to end a program."""


@contextmanager
def heard_by(handler: Handler, numbers: Sequence[signal.Signals] = ENDING) -> Iterator[None]:
    """Give these signals to a handler, and back to whoever heard them before.

    Python hands signals to the main thread alone: in any other nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)

"""A file that is there as a whole or not at all."""

from __future__ import annotations

import os
import secrets
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from firmware_bridge.signals import heard_by

EXIT_STOPPED = 130
"""What a program ends with that Ctrl-C has ended: 128 and the number of the signal."""

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end a program: Ctrl-C, a service manager, a terminal that is closed."""


def refuse_if_there(out: Path) -> None:
    """Let nothing be written over.

    Raises:
        FileExistsError: There is something called so, be it a link that leads nowhere.
    """
    if os.path.lexists(out):
        raise FileExistsError(out)


@contextmanager
def appearing_whole(out: Path, refuse: Callable[[Path], None] = refuse_if_there) -> Iterator[BinaryIO]:
    """Give a file that becomes `out` at the end; whatever goes wrong, nothing of it stays.

    It is written beside `out`, for only within a folder is a file renamed at one stroke. While it is, every
    signal that would end the program raises KeyboardInterrupt. `refuse` is asked before and afterwards, and
    raises where what is called so now may not be replaced.

    Raises:
        FileExistsError: There is something called so that may not be replaced, before or afterwards.
        OSError: The folder is missing, or the disk refuses.
    """
    refuse(out)
    beside = out.with_name(f".togyz-{secrets.token_hex(4)}.part")
    heard = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]  # `nohup`, `&`
    with heard_by(signal.default_int_handler, heard):
        try:
            with beside.open("xb") as target:
                yield target
            refuse(out)
            beside.replace(out)
        finally:
            beside.unlink(missing_ok=True)

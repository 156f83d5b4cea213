"""Many tasks on many cores: processes of their own, started afresh, that end cleanly on Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from typing import Any

from firmware_bridge.bench.lanes import Task
from firmware_bridge.bench.tasks import perform

CHUNK = 1
"""Tasks handed out at a time: a game is long enough, and what is done is never lost in a chunk."""


def _deaf() -> None:
    """Leave Ctrl-C to the parent, which ends the workers in order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def perform_all(tasks: Sequence[Task], jobs: int) -> Iterator[dict[str, Any]]:
    """Yield the line of each task as it is done; in any order when there are several jobs.

    Args:
        tasks: What to do.
        jobs: How many processes; 1: in this one.
    """
    if jobs <= 1 or len(tasks) <= 1:
        yield from map(perform, tasks)
        return
    # "spawn": a fork would copy threads' locks, such as those of a progress bar, in any state.
    with get_context("spawn").Pool(min(jobs, len(tasks)), initializer=_deaf) as pool:
        yield from pool.imap_unordered(perform, tasks, chunksize=CHUNK)

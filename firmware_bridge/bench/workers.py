"""Many tasks on many cores: processes of their own, started afresh, that end cleanly on Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.pool import Pool
from typing import Any

from firmware_bridge.bench.lanes import Task
from firmware_bridge.bench.tasks import perform

CHUNK = 1
"""Tasks handed out at a time: a game is long enough, and what is done is never lost in a chunk."""


def perform_all(tasks: Sequence[Task], jobs: int) -> Iterator[dict[str, Any]]:
    """Yield the line of each task as it is done; in any order when there are several jobs.

    Args:
        tasks: What to do.
        jobs: How many processes; 1: in this one.
    """
    if jobs <= 1 or len(tasks) <= 1:
        yield from map(perform, tasks)
        return
    with _deaf_pool(min(jobs, len(tasks))) as pool:
        yield from pool.imap_unordered(perform, tasks, chunksize=CHUNK)


def _deaf_pool(jobs: int) -> Pool:
    """Return workers that leave Ctrl-C to this process, from their first moment on.

    A terminal sends it to all of them. What is ignored when a program is started stays ignored in it.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        # "spawn": a fork would copy threads' locks, such as those of a progress bar, in any state.
        return get_context("spawn").Pool(jobs)
    finally:
        signal.signal(signal.SIGINT, before)

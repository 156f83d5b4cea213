"""Signals are heard by whoever is at work, and by the former one afterwards."""

from __future__ import annotations

import signal
import threading

import pytest

from firmware_bridge.signals import heard_by


def raise_and_fail(heard: list[int]) -> None:
    """Be at work, hear a signal that no test runner needs, and fail."""
    with heard_by(lambda number, _frame: heard.append(number), [signal.SIGUSR1]):
        signal.raise_signal(signal.SIGUSR1)
        raise RuntimeError("trouble")


def test_the_former_handler_comes_back_even_after_an_error() -> None:
    """Until then the new one hears."""
    heard: list[int] = []
    former = signal.getsignal(signal.SIGUSR1)
    with pytest.raises(RuntimeError, match="trouble"):
        raise_and_fail(heard)
    assert heard == [signal.SIGUSR1]
    assert signal.getsignal(signal.SIGUSR1) is former


def test_off_the_main_thread_nobody_is_given_signals() -> None:
    """Python hands them to the main thread alone; a program under test runs beside it."""
    former = signal.getsignal(signal.SIGUSR1)
    found: list[object] = []

    def work() -> None:
        with heard_by(lambda _number, _frame: None, [signal.SIGUSR1]):
            found.append(signal.getsignal(signal.SIGUSR1))

    beside = threading.Thread(target=work)
    beside.start()
    beside.join()
    assert found == [former]

"""Signals are heard by whoever is at work, and by the former one afterwards."""

from __future__ import annotations

import signal

import pytest

from firmware_bridge.commands.signals import heard_by


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

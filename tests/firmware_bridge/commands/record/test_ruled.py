"""The verbs on a game in which an illegal sowing stands and a position was set."""

from __future__ import annotations

import pytest

from tests.firmware_bridge.commands.record.games import NOTED, RULED, run


@pytest.mark.parametrize("form", ["playstrategy", "playok", "moves"])
def test_a_sowing_that_stands_cannot_be_told_in_other_forms(form: str) -> None:
    """The games around it can."""
    told = run("convert", "--to", form, text=f"{NOTED}\n{RULED}\n{NOTED}")
    assert told.exit_code == 1
    assert told.stdout.count("1-0\n") >= 2
    assert "/?" not in told.stdout
    assert f"“illegal_stands”: expected only legal moves; {form} cannot say where" in told.stderr


@pytest.mark.parametrize(("form", "lines"), [("text", 9), ("json", 1), ("fen", 1)])
def test_a_sowing_that_stands_is_kept_in_our_own_forms(form: str, lines: int) -> None:
    """And read back from them."""
    told = run("convert", "--to", form, text=RULED)
    assert (told.exit_code, told.stderr, len(told.stdout.splitlines())) == (0, "", lines)
    if form != "fen":
        assert run("convert", text=told.stdout).stdout == RULED
    assert run("check", text=RULED).exit_code == 0
    assert run("merge", "-", "-", text=RULED).exit_code == 2


def test_diagram_draws_what_an_arbiter_set() -> None:
    """With the number that follows, and without the way of a move that did not lead there."""
    for ply, fen in (("2", " 10 2 S 2"), ("3", " 10 2 S 3"), ("4", " 12 2 N 3")):
        assert run("diagram", "--ply", ply, "--form", "fen", text=RULED).stdout.endswith(f"{fen}\n")
    assert "○" not in run("diagram", "--ply", "3", text=RULED).stdout
    assert "○" in run("diagram", "--ply", "4", text=RULED).stdout

"""What the rulebook offers to others."""

import doctest

import pytest

import rules
import rules.game


@pytest.mark.parametrize("module", [rules, rules.game])
def test_every_public_name_exists_once(module: object) -> None:
    """A name that is promised can be imported."""
    names: list[str] = vars(module)["__all__"]
    assert len(set(names)) == len(names)
    assert [name for name in names if not hasattr(module, name)] == []


def test_the_package_offers_all_that_the_game_does() -> None:
    """One import is enough."""
    assert set(rules.game.__all__) <= set(rules.__all__)


def test_what_is_done_with_a_dial_has_no_bare_name_in_the_package() -> None:
    """`rules.press` would say of nothing what is pressed; `rules.clock.press` does."""
    assert {"press", "start", "stop", "resume"}.isdisjoint(rules.__all__)
    assert {"TimeControl", "ClockState", "PRESETS", "parse_control", "flag_verdict"} <= set(rules.__all__)


def test_the_session_in_the_package_s_docstring_runs() -> None:
    """What is shown is what happens."""
    outcome = doctest.testmod(rules)
    assert outcome.attempted == 3
    assert outcome.failed == 0

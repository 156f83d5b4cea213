"""What an infraction of a board is called by the law of conduct."""

import pytest

from rules.conduct.faults import OF_PEOPLE, SOWINGS, by_people, offence_of
from rules.conduct.offences import Offence
from rules.conduct.proposal import protocol_score
from rules.infractions.kinds import Fault


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_of_a_board_has_its_offence(fault: Fault) -> None:
    """None of them is what people said."""
    assert offence_of(fault.value) not in OF_PEOPLE


@pytest.mark.parametrize("offence", [each for each in Offence if each in OF_PEOPLE])
def test_what_people_did_is_called_by_its_own_code(offence: Offence) -> None:
    """And is no sowing, for which the event has a policy."""
    assert offence_of(offence.value) is offence
    assert offence not in SOWINGS


@pytest.mark.parametrize(
    ("code", "offence"),
    [
        ("stone_skipped", Offence.ILLEGAL_SOWING),
        ("capture_not_taken", Offence.ILLEGAL_CAPTURE),
        ("kazan_added", Offence.ILLEGAL_CAPTURE),
        ("tuzdyk_on_nine", Offence.ILLEGAL_TUZDYK),
        ("tuzdyk_stones_left", Offence.STONES_IN_TUZDYK),
        ("touch_move_broken", Offence.TOUCH_MOVE),
        ("both_pressed", Offence.PRESSED_WITHOUT_MOVE),
        ("of_a_later_version", Offence.ILLEGAL_SOWING),
    ],
)
def test_a_fault_is_called_by_what_it_offends_against(code: str, offence: Offence) -> None:
    """By its first article, or by what hands did."""
    assert offence_of(code) is offence


def test_the_protocol_writes_two_losses_as_two_minuses() -> None:
    """2.6.4; any other score as it is."""
    assert protocol_score("0-0") == "-/-"
    assert protocol_score("1/2-1/2") == "1/2-1/2"


def test_an_infraction_of_people_is_one_that_no_stone_tells() -> None:
    """The first of its faults says so; where none is known it is the stones'."""
    assert all(by_people([offence.value, "skipped_pit"]) for offence in OF_PEOPLE)
    assert not by_people(["skipped_pit", next(iter(OF_PEOPLE)).value])
    assert not by_people([])

"""The buttons of an infraction: the rulebook's proposal first, each a command the board takes; and undo."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.requests.commands import parse_command
from firmware_bridge.hall.console.attention import Infraction
from firmware_bridge.hall.console.offers import Offer, Scene, drawn
from firmware_bridge.hall.console.undo import undo_of
from rules.conduct.ladder import LADDER
from rules.conduct.options import BLITZ, CLASSICAL
from rules.infractions.kinds import Fault
from rules.position import START, play
from rules.position_json import position_to_json
from tests.firmware_bridge.hall.console.scenes import DUE, SEEN, shown

MISSED = Infraction(1, "bastaushy", ("capture_not_taken",), SEEN["evidence"], 0, 1000)
SCENE = Scene(
    position=position_to_json(START), ply=0, phase="playing", nth=1, step=LADDER[0], conduct=CLASSICAL
)


def offers(seen: Infraction = MISSED, scene: Scene = SCENE) -> list[Offer]:
    """Return the buttons; every command of theirs is one that a board takes."""
    found = list(drawn(seen, scene).offers)
    for offer in found:
        for command in offer.commands:
            parse_command(dict(command), 0)
    return found


def test_a_missed_capture_is_corrected_with_one_tap() -> None:
    """The clocks stop, the move counts as due, a warning goes with it, ten stones are carried."""
    first = offers()[0]
    assert (first.code, first.warns, first.carries) == ("corrected", True, [[14, 18, 10]])
    assert [command["do"] for command in first.commands] == ["suspend", "rule"]
    assert first.commands[1] | {"reason": ""} == {
        "do": "rule", "decision": "corrected", "number": 7, "infraction": 1, "reason": "",
    }  # fmt: skip
    assert first.position == position_to_json(DUE.after)
    assert "1.3.2" in first.articles
    assert [offer.code for offer in offers()] == ["corrected", "restored", "warned", "stands", "dismissed"]


def test_in_blitz_the_position_is_restored_and_the_clock_runs() -> None:
    """On the offender's own time (2.9.7)."""
    first = offers(scene=replace(SCENE, conduct=BLITZ))[0]
    assert first.code == "restored"
    assert [command["do"] for command in first.commands] == ["rule"]


def test_a_legal_ply_under_the_wrong_one_is_entered_first() -> None:
    """It was pressed, and could not become final by itself."""
    evidence = {**SEEN["evidence"], "before": position_to_json(play(START, 9).after), "due": "9-8"}
    first = offers(replace(MISSED, side="qostaushy", evidence=evidence))[0]
    assert [command["do"] for command in first.commands] == ["suspend", "enter", "rule"]
    assert first.commands[1]["moves"] == "9:8"


def test_a_claim_after_the_reply_was_pressed_is_late_and_the_sowing_stands_first() -> None:
    """While an infraction waits no ply becomes final: presses alone say that it was replied to (94)."""
    scene = drawn(replace(MISSED, presses=2), SCENE)
    assert scene.late
    assert [offer.code for offer in scene.offers][:2] == ["stands", "restored"]
    assert offers(replace(MISSED, presses=2))[0].commands[-1]["decision"] == "stands"
    assert not drawn(MISSED, SCENE).late


def test_a_late_claim_that_cannot_stand_as_it_lies_is_dismissed_first() -> None:
    """A pit was not read: nobody knows what would stand."""
    evidence = {**SEEN["evidence"], "seen": [None, *SEEN["evidence"]["seen"][1:]]}
    assert offers(replace(MISSED, evidence=evidence, presses=1))[0].code == "dismissed"


def test_who_presses_back_after_a_press_without_a_move_has_not_replied() -> None:
    """He gives the turn back, and the claim is in time."""
    evidence = {**SEEN["evidence"], "due": None, "seen": [*START.pits, *START.kazans]}
    seen = replace(MISSED, faults=("pressed_without_move",), evidence=evidence, presses=1)
    assert not drawn(seen, SCENE).late
    assert offers(seen)[0].code == "restored"


def test_what_was_played_since_is_taken_back_with_it_and_never_corrected() -> None:
    """A sowing under later plies can be restored; the claim may be late."""
    codes = [offer.code for offer in offers(scene=replace(SCENE, ply=2))]
    assert "corrected" not in codes
    assert "stands" not in codes
    restored = next(offer for offer in offers(scene=replace(SCENE, ply=2)) if offer.code == "restored")
    assert restored.commands[-1]["take_back"] == 2


def test_a_sowing_stands_as_it_was_seen_whatever_was_played_on_it_since() -> None:
    """The board is told the position that the arbiter was shown; where a place was unread, none."""
    (stands,) = (offer for offer in offers() if offer.code == "stands")
    seen = SEEN["evidence"]["seen"]
    assert stands.commands[-1]["position"] == {
        "pits": seen[:18], "kazans": seen[18:], "tuzdyks": [None, None], "to_move": "qostaushy",
    }  # fmt: skip
    lost = replace(MISSED, evidence={**SEEN["evidence"], "seen": [*seen[:5], seen[5] - 1, *seen[6:]]})
    (stands,) = (offer for offer in offers(lost) if offer.code == "stands")
    assert "position" not in stands.commands[-1]


def test_after_an_undo_the_ruling_names_no_infraction() -> None:
    """Its number is used up, and nothing can be closed under it."""
    found = offers(replace(MISSED, reopened=True))
    assert [offer.code for offer in found] == ["corrected", "restored", "stands"]
    assert all("infraction" not in command for offer in found for command in offer.commands)


def test_a_press_without_a_move_gives_the_dial_back() -> None:
    """2.7.9: the position is as it was, and its player is to move."""
    evidence = {**SEEN["evidence"], "due": None, "seen": [9] * 18 + [0, 0], "to_due": [], "to_before": []}
    first = offers(replace(MISSED, faults=("pressed_without_move",), evidence=evidence))[0]
    assert (first.code, first.carries) == ("restored", ())


@pytest.mark.parametrize("evidence", [{}, {"before": 7}, {"before": {"pits": [1]}, "seen": "x", "due": 3}])
def test_evidence_without_sense_still_lets_the_arbiter_decide(evidence: dict[str, Any]) -> None:
    """It is restored or dismissed on his word."""
    codes = [offer.code for offer in offers(replace(MISSED, evidence=evidence))]
    assert "restored" in codes
    assert codes[-1] == "dismissed"


@given(
    st.sampled_from(list(Fault)),
    st.sampled_from(["playing", "suspended"]),
    st.integers(0, 3),
    st.sampled_from([True, False]),
)
def test_every_fault_has_buttons_that_a_board_takes(
    fault: Fault,
    phase: str,
    ply: int,
    reopened: bool,  # noqa: FBT001 - drawn
) -> None:
    """Whatever it is, whenever it is decided."""
    seen = replace(MISSED, faults=(fault.value,), reopened=reopened)
    assert offers(seen, replace(SCENE, phase=phase, ply=ply))


# --- undo -------------------------------------------------------------------------------------------


def test_a_correction_is_taken_back_with_the_dials_as_they_were() -> None:
    """The clocks stay stopped: the stones lie wrongly again."""
    commands = [*offers()[0].commands, {"do": "warn", "side": "bastaushy", "level": 1}]
    undo = undo_of(commands, shown())
    assert undo == [{"do": "rule", "decision": "taken_back", "take_back": 1, "dials": ["10m", "500500ms"]}]
    for command in undo:
        parse_command(command, 0)


@pytest.mark.parametrize(
    ("command", "due"),
    [
        ({"do": "suspend", "reason": "x"}, [{"do": "resume"}]),
        ({"do": "resume"}, [{"do": "suspend", "reason": "arbiter"}]),
        (
            {"do": "adjust", "side": "both", "seconds": 60, "reason": "2.7.14"},
            [{"do": "adjust", "side": "both", "seconds": -60, "reason": "2.7.14"}],
        ),
        (
            {"do": "clock", "bastaushy": "5m"},
            [{"do": "clock", "bastaushy": "10m", "qostaushy": "500500ms", "reason": "undo"}],
        ),
        ({"do": "end", "score": "1-0"}, None),
        ({"do": "close", "closing": "dismissed"}, None),
        ({"do": "warn", "side": "bastaushy"}, None),
    ],
)
def test_what_takes_each_command_back(command: dict[str, Any], due: list[dict[str, Any]] | None) -> None:
    """None: nothing does, and the page asks twice."""
    assert undo_of([command], shown()) == due

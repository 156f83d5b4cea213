"""What the law of conduct proposes at a table, from the stones on: through a session, and as a state."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.incident_inputs import Close, Warn
from firmware_bridge.board.inputs import Suspend
from firmware_bridge.board.memory.telling import Identity, Moment, state_payload, watch_part
from firmware_bridge.board.refereeing.telling import advised
from firmware_bridge.wire.payloads import StatePayload, decode_state, encode
from rules.conduct.codes import Code
from rules.conduct.options import BLITZ, CLASSICAL, RAPID, Conduct, SowingPolicy
from rules.game import InfractionSeen, Phase
from rules.position import START, Side, play
from tests.firmware_bridge.board.paper import PaperBoard, playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def offended(conduct: Conduct = CLASSICAL) -> PaperBoard:
    """Return a board on which bastaushy has pressed with his capture left lying."""
    board = playing(conduct=conduct)
    stones = list(stones_due(play(START, 7).after))
    stones[14] += 10
    stones[18] -= 10
    board.put(stones)
    board.wait(1)
    board.press(B)
    board.wait(5)
    assert board.session.game.open_incidents != ()
    return board


def state_of(board: PaperBoard) -> StatePayload:
    """Return the table as it is published."""
    session = board.session
    told = advised(session.advice(board.now_us))
    when = Moment(1, board.now_us, 1, 1.0, 1)
    watch = watch_part(session.watch)
    return state_payload(Identity("e", "b", 1), when, session.game, watch, None, told)


def test_requirement_94_classical_stops_the_clock_and_corrects_the_sowing() -> None:
    """With a warning, and what else the arbiter can do beside it; nothing of it is done by itself."""
    board = offended()
    first, other, stands = advised(board.session.advice(board.now_us))
    assert (first.about, first.code, first.infraction) == ("infraction", "sowing_corrected", 1)
    assert (first.side, first.warns, first.clock, first.ends) == (
        "bastaushy",
        ("bastaushy",),
        "stop",
        "correct",
    )
    assert first.articles == ("1.3.2", "2.4.5", "2.4.6")
    assert (other.code, other.instead, other.ends) == ("sowing_restored", True, "restore")
    assert (stands.code, stands.instead, stands.ends) == ("sowing_stands", True, "let_stand")
    assert board.session.game.phase is Phase.PLAYING


def test_requirement_94_a_claim_behind_the_reply_comes_too_late() -> None:
    """The reply is pressed; no ply becomes final while the board lies wrong."""
    board = offended()
    board.press(Q)
    first, *_ = advised(board.session.advice(board.now_us))
    assert (first.code, first.about) == ("sowing_claimed_late", "infraction")


def test_an_infraction_with_a_name_that_this_program_does_not_know_is_advised_about() -> None:
    """A journal of another version: it is an illegal sowing, whatever it is called."""
    board = offended()
    game = board.session.game
    strange = replace(game.incidents[0], faults=("early_move",))
    board.session.game = replace(game, incidents=(strange,))
    board.press(Q)
    first, *_ = advised(board.session.advice(board.now_us))
    assert (first.about, first.code) == ("infraction", "sowing_claimed_late")


def test_who_presses_back_where_nobody_moved_has_not_replied() -> None:
    """2.7.9: the position before stands, and its player moves."""
    board = playing()
    board.press(B)
    board.wait(5)
    board.press(Q)
    told = advised(board.session.advice(board.now_us))
    assert "sowing_claimed_late" not in {each.code for each in told}


@pytest.mark.parametrize("conduct", [RAPID, BLITZ])
def test_requirement_94_rapid_and_blitz_let_it_run_and_restore_the_position(conduct: Conduct) -> None:
    """On the offender's own time (2.9.7)."""
    first, *_ = advised(offended(conduct).session.advice(5_000_000))
    assert (first.code, first.clock, first.runs, first.ends) == (
        "sowing_restored",
        "run",
        "bastaushy",
        "restore",
    )


def test_requirement_94_the_options_of_the_event_are_asked() -> None:
    """Remedy, clock, whose time, and what the first offence earns."""
    sowing = SowingPolicy(remedy="restore", clock="runs", on_offenders_time=False, first_warns=False)
    first, *_ = advised(offended(replace(CLASSICAL, sowing=sowing)).session.advice(5_000_000))
    assert (first.code, first.clock, first.runs, first.warns) == ("sowing_restored", None, None, ())


def test_while_the_clocks_stand_no_clock_is_proposed() -> None:
    """It stands already."""
    board = offended()
    board.take(Suspend(board.now_us, "arbiter"))
    first, *_ = advised(board.session.advice(board.now_us))
    assert first.clock is None


def test_a_decided_infraction_is_proposed_about_no_more() -> None:
    """Whoever decides it."""
    board = offended()
    board.take(Warn(at_us=board.now_us, side=B, level=1))
    board.take(Close(at_us=board.now_us, infraction=1, closing="warned"))
    assert board.session.advice(board.now_us) == ()


def test_an_offence_of_the_clock_is_a_warning_with_its_own_articles() -> None:
    """2.7.9: and the dial of who pressed without a move runs again."""
    board = playing()
    board.wait(1)
    board.press(B)
    board.wait(5)
    (first,) = advised(board.session.advice(board.now_us))
    assert (first.code, first.warns) == ("breach_warns", ("bastaushy",))
    assert first.articles[0] == "2.7.9"
    assert (first.clock, first.runs) == ("run", "bastaushy")


def test_an_offence_of_the_hands_is_a_warning() -> None:
    """Touch-move (1.3.4), as the referee names it."""
    board = playing()
    seen = InfractionSeen(at_us=board.now_us, infraction=1, side=Q, faults=("touch_move_broken",))
    board.session._take(seen)
    (first,) = advised(board.session.advice(board.now_us))
    assert (first.code, first.articles, first.warns) == ("breach_warns", ("1.3.4", "2.4.6"), ("qostaushy",))


def test_a_state_with_advice_is_read_as_it_was_written() -> None:
    """Over the wire, in four kilobytes."""
    state = state_of(offended())
    assert len(state.advice) == 3
    assert decode_state(encode(state)) == state
    assert b"decider" not in encode(state), "the arbiter's own decision goes without saying"


def test_without_anything_open_a_state_says_nothing_of_advice() -> None:
    """So that the messages of most games are as they ever were."""
    assert b"advice" not in encode(state_of(playing()))


def test_every_code_is_one_of_the_laws() -> None:
    """Whatever is told."""
    assert {each.code for each in state_of(offended()).advice} <= {code.value for code in Code}

"""What becomes of infractions, rulings, offers and calls in a record."""

from dataclasses import replace
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    START,
    ArbiterCalled,
    CallAnswered,
    ClockAdjusted,
    ClockMode,
    ClockSet,
    DrawAnswered,
    DrawOffered,
    FlagCalled,
    FlagFell,
    Game,
    GameAdjourned,
    GameEvent,
    GameRecord,
    GameResumed,
    GameSuspended,
    InfractionClosed,
    InfractionSeen,
    PlayerWarned,
    Position,
    PositionRuled,
    Ruling,
    SealOpened,
    Side,
    Stood,
    TimeControl,
    fold,
    format_fen,
    format_record,
    format_record_json,
    format_short,
    legal_moves,
    parse_record,
    parse_record_json,
    play,
    record_of,
)
from rules.incidents import Decision
from rules.record.text import format_ply
from tests.rules.occurrences import CONTROL, SECOND, STARTED, B, Q, assigned, move, pressed
from tests.rules.records import LEFT, SET, misplayed

AFTER = play(START, 7).after
DIALS_US = (50 * SECOND, 40 * SECOND)
FIRST = (*STARTED, pressed(B, 12 * SECOND), move(7, 12 * SECOND))
SEEN = InfractionSeen(at_us=13 * SECOND, infraction=1, side=Q, faults=("skipped_pit", "wrong_capture"))


def ruled(decision: Any, kept: int, position: Position, **changes: Any) -> PositionRuled:
    """Return a decision that puts the dials on 50 and 40 seconds."""
    event = PositionRuled(
        at_us=20 * SECOND,
        decision=decision,
        infraction=None,
        kept=kept,
        number=None,
        position=position,
        remaining_us=DIALS_US,
        running=position.to_move,
        by="Сәуле",
        reason="1.3.1",
    )
    return replace(event, **changes)


def played(position: Position, number: int, at_s: int, **changes: Any) -> tuple[GameEvent, ...]:
    """Return a press and the move it commits."""
    side, text = position.to_move, format_short(play(position, number))
    made = replace(move(number, at_s * SECOND, side, text), **changes)
    return pressed(side, at_s * SECOND), made


def recorded(*events: GameEvent) -> GameRecord:
    """Return the record of events, which can be written and read again."""
    record = record_of(events)
    assert parse_record(format_record(record)) == record
    assert parse_record_json(format_record_json(record)) == record
    return record


def test_an_illegal_sowing_that_stands_is_a_ply_with_its_dials() -> None:
    """And the moves after it go on from what it left."""
    stands = ruled("stands", 1, LEFT, infraction=1, number=7)
    record = recorded(*FIRST, SEEN, stands, *played(LEFT, 5, 30))
    assert [ply.move for ply in record.plies[1:2]] == [Stood(Q, 7)]
    assert record.plies[1].clock_ms == (50_000, 40_000)
    assert record.rulings == (
        Ruling(1, "infraction", Q, "skipped_pit, wrong_capture"),
        Ruling(2, "illegal_stands", Q, f"{format_fen(LEFT, 2)}: Сәуле: 1.3.1"),
    )
    assert record.position == play(LEFT, 5).after


def test_nobody_may_know_its_pit() -> None:
    """It is a ply all the same."""
    record = recorded(*FIRST, ruled("stands", 1, LEFT))
    assert record.plies[1].move == Stood(Q, None)


def test_a_sowing_put_right_is_the_legal_move() -> None:
    """With a note that it was not at first."""
    right = play(AFTER, 7)
    record = recorded(*FIRST, SEEN, ruled("corrected", 1, right.after, infraction=1, number=7))
    assert record.sowings == (play(START, 7), right)
    assert record.plies[1].clock_ms == (50_000, 40_000)
    assert record.rulings[1:] == (Ruling(2, "corrected", Q, "Сәуле: 1.3.1"),)


def test_a_sowing_undone_is_no_ply() -> None:
    """The dials it was given back with stand there, where they are others."""
    record = recorded(*FIRST, SEEN, ruled("restored", 1, AFTER, infraction=1))
    assert len(record.plies) == 1
    assert record.rulings[1:] == (
        Ruling(1, "restored", Q, "Сәуле: 1.3.1"),
        Ruling(1, "clock_set", None, "0:00:50 0:00:40, 1m+1s: Сәуле"),
    )
    shown_us = (59 * SECOND, 52 * SECOND)
    record = recorded(*FIRST, SEEN, ruled("restored", 1, AFTER, infraction=1, remaining_us=shown_us))
    assert record.rulings[1:] == (Ruling(1, "restored", Q, "Сәуле: 1.3.1"),)


def test_a_game_without_a_clock_has_no_dials_to_set() -> None:
    """Zero on both would be a lie."""
    no_clock = replace(assigned(), control=TimeControl((), ClockMode.NONE))
    record = recorded(no_clock, *FIRST[1:], ruled("restored", 1, AFTER, remaining_us=(0, 0)))
    assert [ruling.kind for ruling in record.rulings] == ["restored"]


def test_moves_taken_back_stand_in_the_ruling_and_nowhere_else() -> None:
    """A warning given meanwhile stays one; that an arbiter had entered the move goes with it."""
    warned = PlayerWarned(at_us=16 * SECOND, side=Q, level=2, article="1.3.4", by="Сәуле", reason="")
    by_arbiter = played(AFTER, 9, 15, confirmed_by="arbiter")
    record = recorded(*FIRST, *by_arbiter, warned, ruled("taken_back", 0, START))
    assert record.plies == ()
    assert record.rulings == (
        Ruling(0, "warning", Q, "2, 1.3.4: Сәуле"),
        Ruling(0, "taken_back", None, "7:6 9-8: Сәуле: 1.3.1"),
        Ruling(0, "clock_set", None, "0:00:50 0:00:40, 1m+1s: Сәуле"),
    )


def test_a_position_that_was_taken_back_places_no_stones() -> None:
    """Neither that of a sowing that stood nor one that was set."""
    stands = ruled("stands", 1, LEFT, number=7)
    record = recorded(*FIRST, stands, ruled("set", 2, SET), ruled("taken_back", 1, AFTER))
    assert record.position == AFTER
    assert record.follows_from_moves
    assert Ruling(1, "taken_back", None, "7/: Сәуле: 1.3.1") in record.rulings


@pytest.mark.parametrize(
    ("decision", "plies"), [("stands", 1), ("corrected", 1), ("restored", 0), ("set", 0)]
)
def test_a_decision_may_take_moves_away(decision: Any, plies: int) -> None:
    """They are named behind the last one that stays."""
    position = {"restored": START, "corrected": play(START, 1).after, "stands": AFTER, "set": SET}[decision]
    number = 1 if plies else None
    record = recorded(*FIRST, *played(AFTER, 9, 15), ruled(decision, 0, position, number=number))
    assert len(record.plies) == plies
    assert record.rulings[0] == Ruling(0, "taken_back", None, "7:6 9-8: Сәуле")
    assert record.rulings[1].ply == plies
    assert record.position == position


def test_the_number_behind_a_set_position_is_that_of_the_next_move() -> None:
    """Bastaushy has moved and is to move again: his second full move."""
    record = recorded(*FIRST, ruled("set", 1, SET), *played(SET, 6, 30))
    assert record.rulings[0] == Ruling(1, "position_set", None, f"{format_fen(SET, 2)}: Сәуле: 1.3.1")
    assert format_record(record).count("\n2. 6:7") == 1


def test_of_very_many_moves_taken_back_the_first_are_named() -> None:
    """A ruling has an end."""
    position, events = START, list(STARTED)
    for at_s in range(12, 112):
        number = next(
            number for number in range(1, 10) if position.pits[9 * position.to_move.index + number - 1]
        )
        events += played(position, number, at_s)
        position = play(position, number).after
    record = recorded(*events, ruled("taken_back", 0, START, at_us=200 * SECOND))
    said = record.rulings[-2].text
    assert said.endswith(" …: Сәуле: 1.3.1")
    assert 240 < len(said) < 280


def test_whatever_else_happens_is_written_down_at_its_place() -> None:
    """In the order in which it happened, with who did it in words."""
    told = (
        InfractionSeen(at_us=13 * SECOND, infraction=1, side=Q, faults=("early_move",)),
        InfractionClosed(at_us=14 * SECOND, infraction=1, closing="dismissed", by="Сәуле", reason="none"),
        PlayerWarned(at_us=15 * SECOND, side=B, level=1, article="", by="Сәуле", reason="left"),
        DrawOffered(at_us=16 * SECOND, side=B),
        DrawAnswered(at_us=17 * SECOND, side=Q, accepted=False),
        DrawOffered(at_us=17 * SECOND, side=Q),
        DrawAnswered(at_us=17 * SECOND, side=B, accepted=True),
        ArbiterCalled(at_us=18 * SECOND, side=Q, press=None),
        CallAnswered(at_us=19 * SECOND, by="Сәуле", groundless=True),
        ArbiterCalled(at_us=20 * SECOND, side=None, press=None),
        CallAnswered(at_us=21 * SECOND, by="Сәуле", groundless=False),
        FlagFell(at_us=80 * SECOND, side=Q),
        FlagCalled(at_us=81 * SECOND, side=Q, by="bastaushy"),
        GameSuspended(at_us=82 * SECOND, reason=""),
        GameAdjourned(at_us=83 * SECOND, seal="0f" * 32, by="Сәуле", reason="2.8.1"),
        SealOpened(at_us=84 * SECOND, number=None, text="7:5", by="Сәуле"),
        GameAdjourned(at_us=85 * SECOND, seal="1f" * 32, by="Сәуле", reason=""),
        SealOpened(at_us=86 * SECOND, number=9, text="9-8", by="Сәуле"),
    )
    record = recorded(*FIRST, *told)
    assert [(it.kind, it.side, it.text) for it in record.rulings] == [
        ("infraction", Q, "early_move"),
        ("infraction_closed", None, "dismissed: Сәуле: none"),
        ("warning", B, "1: Сәуле: left"),
        ("draw_offered", B, ""),
        ("draw_declined", Q, ""),
        ("draw_offered", Q, ""),
        ("draw_accepted", B, ""),
        ("arbiter_called", Q, ""),
        ("call_answered", None, "groundless: Сәуле"),
        ("arbiter_called", None, ""),
        ("call_answered", None, "Сәуле"),
        ("flag", Q, ""),
        ("flag_called", Q, "bastaushy"),
        ("suspended", None, ""),
        ("adjourned", None, f"{'0f' * 32}: Сәуле: 2.8.1"),
        ("seal_opened", None, "-: 7:5: Сәуле"),
        ("adjourned", None, f"{'1f' * 32}: Сәуле"),
        ("seal_opened", None, "9: 9-8: Сәуле"),
    ]
    assert {it.ply for it in record.rulings} == {1}
    assert all(isinstance(it.side, Side | None) for it in record.rulings)


def test_who_decided_stands_in_the_words() -> None:
    """Before why he did."""
    record = recorded(
        *FIRST,
        *played(AFTER, 9, 15, confirmed_by="arbiter", by="Сәуле"),
        ClockAdjusted(at_us=16 * SECOND, delta_us=(SECOND, 0), by="Сәуле", reason="2.4.8"),
        ClockSet(at_us=17 * SECOND, control=CONTROL, remaining_us=DIALS_US, by="Сәуле", reason="2.7.10"),
        GameSuspended(at_us=18 * SECOND, by="Сәуле", reason="tea"),
        GameResumed(at_us=19 * SECOND, running=B, by="Сәуле"),
    )
    assert [(it.kind, it.text) for it in record.rulings] == [
        ("move_by_arbiter", "Сәуле"),
        ("time_adjusted", "+1s: Сәуле: 2.4.8"),
        ("clock_set", "0:00:50 0:00:40, 1m+1s: Сәуле: 2.7.10"),
        ("suspended", "Сәуле: tea"),
        ("resumed", "Сәуле"),
    ]


def test_that_an_arbiter_entered_a_move_stays_with_it() -> None:
    """What was said of plies that stay stays."""
    by_arbiter = played(AFTER, 9, 15, confirmed_by="arbiter")
    after = play(AFTER, 9).after
    record = recorded(*FIRST, *by_arbiter, *played(after, 1, 16), ruled("taken_back", 2, after))
    assert record.rulings[0] == Ruling(2, "move_by_arbiter", Q)


def decided(rng: Random, game: Game) -> PositionRuled:
    """Return any decision that has a place in a game."""
    decision = rng.choice(get_args(Decision))
    kept = rng.randint(max(0, len(game.plies) - 3), len(game.plies))
    base = game.position if kept == len(game.plies) else game.plies[kept].before
    if decision == "corrected" and legal_moves(base):
        number = rng.choice(legal_moves(base))
        return ruled(decision, kept, play(base, number).after, number=number)
    if decision == "stands":
        left = replace(misplayed(rng, base), to_move=base.to_move.opponent)
        return ruled(decision, kept, left, number=rng.choice((None, *range(1, 10))))
    if decision == "set":
        return ruled(decision, kept, misplayed(rng, base))
    return ruled("restored" if decision == "corrected" else decision, kept, base)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whatever_an_arbiter_decides_the_record_ends_where_the_game_does(seed: int) -> None:
    """Moves, decisions, warnings and entered moves in any order; written, and read again."""
    rng = Random(seed)
    game, events = fold(STARTED), list(STARTED)
    for at_s in range(12, 52):
        if rng.random() < 0.3:
            step: tuple[GameEvent, ...] = (replace(decided(rng, game), at_us=at_s * SECOND),)
        elif rng.random() < 0.2 or not legal_moves(game.position):
            step = (PlayerWarned(at_us=at_s * SECOND, side=B, level=1, article="", by="", reason=""),)
        else:
            who = rng.choice(("press", "arbiter"))
            step = played(game.position, rng.choice(legal_moves(game.position)), at_s, confirmed_by=who)
        game, events = fold(step, game), [*events, *step]
    record = recorded(*events)
    assert record.position == game.position
    assert [format_ply(ply) for ply in record.plies] == [ply.text for ply in game.plies]
    assert [stop.after for stop in record.course()][:-1] == [ply.before for ply in game.plies]
    warned = [ruling for ruling in record.rulings if ruling.kind == "warning"]
    assert len(warned) == sum(isinstance(event, PlayerWarned) for event in events)


def test_a_second_offer_stands_behind_no_move() -> None:
    """Only a player's first one asks anything (2.6.9)."""
    once = (DrawOffered(at_us=16 * SECOND, side=Q), DrawAnswered(at_us=17 * SECOND, side=B, accepted=False))
    again = (DrawOffered(at_us=18 * SECOND, side=Q),)
    first, second = recorded(*FIRST, *once), recorded(*FIRST, *once, *again)
    assert first.plies == second.plies

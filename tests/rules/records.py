"""Game records for the tests: one told in full, and any at all."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, get_args

from hypothesis import strategies as st

from rules import (
    REASONS,
    START,
    TAG_NAMES,
    Comment,
    GameRecord,
    MoveText,
    Position,
    RecordPly,
    Result,
    Ruling,
    Side,
    Stood,
    Tags,
    contradiction,
    format_fen,
    legal_moves,
    play,
)
from rules.notation.moves import Judgement
from rules.position import pit_index
from rules.record.model import MAX_DIAL_MS, RESERVED_TAGS
from rules.record.of_events import numbered

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def plies_of(numbers: list[int], start: Position = START) -> tuple[RecordPly, ...]:
    """Return plies without clocks from the numbers of the pits played."""
    plies = []
    position = start
    for number in numbers:
        sowing = play(position, number)
        plies.append(RecordPly(MoveText(sowing)))
        position = sowing.after
    return tuple(plies)


def random_numbers(rng: Random, most: int, start: Position = START) -> list[int]:
    """Return the pits of at most so many random legal moves."""
    numbers: list[int] = []
    position = start
    while len(numbers) < most and (moves := legal_moves(position)):
        numbers.append(rng.choice(moves))
        position = play(position, numbers[-1]).after
    return numbers


def finished_record(seed: int = 1) -> GameRecord:
    """Return a record of random moves to the end, without a result."""
    return GameRecord(plies=plies_of(random_numbers(Random(seed), 5000)))


LINES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=40)
"""Any text that fits on a line, in any script."""

WORDS = LINES.map(str.strip)
COMMENTS = st.lists(LINES, min_size=1, max_size=3).map("\n".join).map(str.strip).filter(bool)
NAMES = (
    st.from_regex(r"[^\W\d]\w{0,9}", fullmatch=True)
    .map(lambda name: name[:40])
    .filter(lambda name: name.casefold() not in RESERVED_TAGS)
)
DIAL = st.none() | st.integers(0, MAX_DIAL_MS) | st.integers(0, 7200).map(lambda seconds: seconds * 1000)
DIALS = st.none() | st.tuples(DIAL, DIAL).filter(lambda dials: dials != (None, None))
TAGS = st.builds(
    Tags,
    **{field: st.none() | LINES for field in TAG_NAMES},
    other=st.lists(st.tuples(NAMES, LINES), max_size=3, unique_by=lambda tag: tag[0]).map(tuple),
)
KINDS = st.sampled_from(("warning", "flag", "suspended")) | st.from_regex(
    "[a-z][a-z0-9_]{0,9}", fullmatch=True
)


@st.composite
def starts(draw: st.DrawFn) -> tuple[Position, int]:
    """Return where a record begins: mostly as usual, else somewhere in a game."""
    if draw(st.integers(0, 3)):
        return START, 1
    numbers = random_numbers(Random(draw(st.integers(0, 2**32))), draw(st.integers(0, 60)))
    plies = plies_of(numbers)
    return GameRecord(plies=plies).position, draw(st.integers(1, 5000))


def misplayed(rng: Random, position: Position) -> Position:
    """Return a position in which a stone lies in a wrong place, and the turn may be anybody's."""
    places = [*position.pits, *position.kazans]
    owned = {pit_index(side.opponent, won) for side in Side if (won := position.tuzdyks[side.index])}
    places[rng.choice([place for place, stones in enumerate(places) if stones])] -= 1
    places[rng.choice([place for place in range(20) if place not in owned])] += 1
    pits, kazans = tuple(places[:18]), (places[18], places[19])
    return Position(pits, kazans, position.tuzdyks, rng.choice(list(Side)))


def ruled_plies(
    rng: Random, most: int, start: Position, often: float
) -> tuple[tuple[RecordPly, ...], tuple[Ruling, ...]]:
    """Return plies some of which are illegal and stand, and rulings that place stones behind some of them.

    Args:
        rng: Decides.
        most: How many plies, at most.
        start: Where they begin.
        often: How often a ply stands or a position is set behind one; 0: never.

    The positions have the number 1 at their end; `numbered` makes the right ones of them.
    """
    plies: list[RecordPly] = []
    rulings: list[Ruling] = []
    position = start
    while len(plies) < most and (moves := legal_moves(position)):
        side, number = position.to_move, rng.choice(moves)
        if rng.random() < often:
            plies.append(RecordPly(Stood(side, rng.choice((number, None)))))
            position = replace(misplayed(rng, position), to_move=side.opponent)
            words = f"{format_fen(position)}: Сәуле" if rng.random() < 0.5 else format_fen(position)
            rulings.append(Ruling(len(plies), "illegal_stands", side, words))
        else:
            sowing = play(position, number)
            plies.append(RecordPly(MoveText(sowing)))
            position = sowing.after
        while rng.random() < often:
            position = misplayed(rng, position)
            rulings.append(Ruling(len(plies), "position_set", None, format_fen(position)))
    return tuple(plies), tuple(rulings)


def marked(ply: RecordPly, judgement: Judgement, *, draw_offered: bool, clock_ms: Any) -> RecordPly:
    """Return the ply with what stands behind it."""
    return RecordPly(replace(ply.move, judgement=judgement, draw_offered=draw_offered), clock_ms)


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """Return any record that can be."""
    start, start_number = draw(starts())
    rng = Random(draw(st.integers(0, 2**32)))
    most = draw(st.sampled_from((0, 1, 2, 5, 19, 45, 120)))
    plies, placings = ruled_plies(rng, most, start, often=draw(st.sampled_from((0.0, 0.15))))
    places = st.integers(0, len(plies))
    clocks = draw(st.lists(DIALS, max_size=8)) or [None]
    marks = draw(st.lists(st.tuples(st.sampled_from(get_args(Judgement)), st.booleans()), max_size=8))
    plies = tuple(
        marked(ply, judgement, draw_offered=offered, clock_ms=rng.choice(clocks))
        for ply in plies
        for judgement, offered in [rng.choice(marks or [("", False)])]
    )
    others = st.lists(st.builds(Ruling, places, KINDS, st.none() | st.sampled_from(Side), WORDS), max_size=4)
    comments = st.lists(st.builds(Comment, places, COMMENTS), max_size=4)
    record = GameRecord(
        tags=draw(TAGS),
        start=start,
        start_number=start_number,
        plies=plies,
        rulings=tuple(sorted((*placings, *draw(others)), key=_ply)),
        comments=tuple(sorted(draw(comments), key=_ply)),
        result=draw(st.none() | st.sampled_from(get_args(Result))),
        reason=draw(st.none() | st.sampled_from(tuple(REASONS)) | WORDS.filter(bool)),
        remaining_ms=draw(DIALS),
        recorder=draw(st.none() | LINES),
        signed=draw(st.tuples(st.booleans(), st.booleans())),
    )
    record = replace(record, rulings=tuple(numbered(record)))
    if contradiction(record):
        record = replace(record, result=None, reason=None)
    return record


def _ply(note: Any) -> int:
    return int(note.ply)


LEFT = Position(
    (10, 10, 10, 10, 10, 10, 0, 10, 10, 10, 10, 10, 10, 10, 0, 1, 10, 9), (10, 2), (None, None), B
)
"""What qostaushy left after 7:6: he lifted his seventh pit, left out the ninth and took two stones."""

SET = Position((10, 10, 10, 11, 0, 11, 1, 11, 11, 11, 11, 11, 11, 11, 0, 1, 10, 9), (10, 2), (None, None), B)
"""What an arbiter set after bastaushy's next move: he is to move again."""


def ruled_record() -> GameRecord:
    """Return a game in which an illegal sowing stands and a position was set, both in the first moves."""
    clocks = ((59_000, 60_000), (59_000, 51_000), None, None, None)
    moves: tuple[MoveText | Stood, ...] = (
        MoveText(play(START, 7)),
        Stood(Q, 7, "?", draw_offered=True),
        MoveText(play(LEFT, 5)),
        MoveText(play(SET, 6)),
        Stood(Q, None),
    )
    end = replace(play(SET, 6).after, to_move=B)
    return GameRecord(
        plies=tuple(map(RecordPly, moves, clocks)),
        rulings=(
            Ruling(2, "infraction", Q, "skipped_pit"),
            Ruling(2, "illegal_stands", Q, f"{format_fen(LEFT, 2)}: Сәуле: claimed too late"),
            Ruling(2, "warning", Q, "1, 1.3.1: Сәуле"),
            Ruling(3, "position_set", None, f"{format_fen(SET, 3)}: Сәуле: the board fell"),
            Ruling(5, "illegal_stands", Q, format_fen(end, 4)),
        ),
    )

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
    Tags,
    contradiction,
    legal_moves,
    play,
)
from rules.notation.moves import Judgement
from rules.record.model import MAX_DIAL_MS, RESERVED_TAGS

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
    return (plies[-1].move.sowing.after if plies else START), draw(st.integers(1, 5000))


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """Return any record that can be."""
    start, start_number = draw(starts())
    rng = Random(draw(st.integers(0, 2**32)))
    plies = plies_of(random_numbers(rng, draw(st.sampled_from((0, 1, 2, 5, 19, 45, 120))), start), start)
    places = st.integers(0, len(plies))
    clocks = draw(st.lists(DIALS, max_size=8)) or [None]
    marks = draw(st.lists(st.tuples(st.sampled_from(get_args(Judgement)), st.booleans()), max_size=8))
    plies = tuple(
        RecordPly(MoveText(ply.move.sowing, *rng.choice(marks or [("", False)])), rng.choice(clocks))
        for ply in plies
    )
    rulings = st.lists(st.builds(Ruling, places, KINDS, st.none() | st.sampled_from(Side), WORDS), max_size=4)
    comments = st.lists(st.builds(Comment, places, COMMENTS), max_size=4)
    record = GameRecord(
        tags=draw(TAGS),
        start=start,
        start_number=start_number,
        plies=plies,
        rulings=tuple(sorted(draw(rulings), key=_ply)),
        comments=tuple(sorted(draw(comments), key=_ply)),
        result=draw(st.none() | st.sampled_from(get_args(Result))),
        reason=draw(st.none() | st.sampled_from(tuple(REASONS)) | WORDS.filter(bool)),
        remaining_ms=draw(DIALS),
        recorder=draw(st.none() | LINES),
        signed=draw(st.tuples(st.booleans(), st.booleans())),
    )
    if contradiction(record):
        record = replace(record, result=None, reason=None)
    return record


def _ply(note: Any) -> int:
    return int(note.ply)

"""The record of one game as a value."""

from random import Random
from typing import Any

from rules import START, EndReason, GameRecord, Position, RecordPly, Side, Tags, outcome, play
from rules.record.model import OWN_TAGS, REASONS, TAG_NAMES
from tests.rules.records import finished_record, plies_of, random_numbers


def test_an_empty_record_stands_at_the_start() -> None:
    """Nothing is required."""
    record = GameRecord()
    assert (record.position, record.outcome, record.final_kazans, record.sowings) == (START, None, (0, 0), ())


def test_a_record_knows_where_its_moves_lead() -> None:
    """Positions follow from moves, so none is kept."""
    record = GameRecord(plies=plies_of([7, 9]))
    assert [sowing.number for sowing in record.sowings] == [7, 9]
    assert record.position == record.sowings[-1].after
    assert record.final_kazans == record.position.kazans


def test_the_sweep_at_atsyrau_stands_in_the_final_kazans_only() -> None:
    """It is no move; every stone is banked by who still has stones (1.5)."""
    swept = Position((0,) * 9 + (0,) * 8 + (5,), (79, 78), (None, None), Side.BASTAUSHY)
    record = GameRecord(start=swept)
    assert record.outcome is not None
    assert record.outcome.reason is EndReason.ATSYRAU
    assert (record.position.kazans, record.final_kazans) == ((79, 78), (79, 83))


def test_random_games_end_with_kazans_of_no_more_than_all_stones() -> None:
    """And the record says how."""
    for seed in range(5):
        record = finished_record(seed)
        assert record.outcome == outcome(record.position)
        assert max(record.final_kazans) >= 81
        assert sum(record.final_kazans) <= 162


def test_full_moves_are_numbered_from_the_start_on() -> None:
    """Also where qostaushy moves first, as after an adjournment."""
    plain = GameRecord()
    assert [plain.full_number(ply) for ply in (1, 2, 3, 4)] == [1, 1, 2, 2]
    later = GameRecord(start=play(START, 7).after, start_number=10)
    assert [later.full_number(ply) for ply in (1, 2, 3)] == [10, 11, 11]


def test_the_tags_that_are_there_come_in_the_order_of_the_sheet() -> None:
    """Whatever order they were given in; an empty text is a tag, too."""
    tags = Tags(arbiter="C", event="", other=(("Zz", "1"), ("Aa", "2")))
    assert list(tags.known()) == [("event", ""), ("arbiter", "C")]
    assert list(Tags().known()) == []


def test_every_field_of_the_tags_has_its_name_in_the_text() -> None:
    """In the same order, and no name twice."""
    texts: dict[str, Any] = dict.fromkeys(TAG_NAMES, "x")
    everything = Tags(**texts)
    assert [field for field, _ in everything.known()] == list(TAG_NAMES)
    names = [*TAG_NAMES.values(), *OWN_TAGS]
    assert len(set(names)) == len(names)


def test_the_reasons_of_the_stones_are_among_the_known_ones() -> None:
    """So that a journal's own reasons are codes of a record."""
    assert {reason.value for reason in EndReason} <= set(REASONS)


def test_a_record_can_be_a_key() -> None:
    """It is a value like any other."""
    numbers = random_numbers(Random(1), 10)
    assert len({GameRecord(plies=plies_of(numbers)), GameRecord(plies=plies_of(numbers))}) == 1
    assert isinstance(plies_of(numbers)[0], RecordPly)

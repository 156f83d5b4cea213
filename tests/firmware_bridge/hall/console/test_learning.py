"""What a record says of warnings and infractions, and that nothing is counted twice by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.hall.console.event import nth_offence
from firmware_bridge.hall.console.learning import offences_in, warnings_in
from firmware_bridge.hall.ledger import discipline
from rules.incidents import InfractionSeen, PlayerWarned
from rules.position import Side
from rules.record.model import GameRecord, Ruling
from tests.firmware_bridge.hall.console.desks import GAME, assigned, desk_in_play, desk_of
from tests.firmware_bridge.hall.plays import NAMES
from tests.rules.records import ruled_record

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY

RECORD = GameRecord(
    rulings=(
        Ruling(0, "infraction", B, "capture_not_taken"),
        Ruling(0, "corrected", B, "Марат: 1.3.2"),
        Ruling(0, "warning", B, "1, 1.3.2: Марат: capture_not_taken"),
        Ruling(1, "infraction", Q, "stones_skipped"),
        Ruling(1, "infraction_closed", None, "dismissed: Марат"),
        Ruling(2, "infraction", B, "capture_not_taken"),
        Ruling(2, "infraction_closed", None, "warned: Марат"),
        Ruling(2, "warning", B, "9: Марат"),
        Ruling(2, "warning", None, "2: Марат"),
        Ruling(3, "infraction", Q, "stones_skipped"),
    )
)
"""Three decided, one left open, and two warnings of which nobody can say what they are."""


def test_infractions_are_learned_with_how_they_were_decided() -> None:
    """In order, by person; one that was left open stays so."""
    assert [(each.number, each.person, each.settled) for each in offences_in(RECORD, NAMES, "g")] == [
        (1, NAMES[0], "corrected"), (2, NAMES[1], "dismissed"), (3, NAMES[0], "warned"), (4, NAMES[1], None),
    ]  # fmt: skip


def test_warnings_are_learned_with_article_and_giver_and_nonsense_is_left_out() -> None:
    """Steps are 1 to 5, and somebody was warned."""
    (warned,) = warnings_in(RECORD, NAMES, "b01", "g", 2)
    assert (warned.person, warned.level, warned.article, warned.given_by, warned.reason, warned.round) == (
        NAMES[0], 1, "1.3.2", "Марат", "capture_not_taken", 2,
    )  # fmt: skip


def test_what_a_board_writes_into_a_record_is_what_is_learned() -> None:
    """The words are those of `rules.record`; a change there would be seen here."""
    record = ruled_record()
    warnings = [each for each in record.rulings if each.kind == "warning"]
    assert warnings
    learned = warnings_in(record, NAMES, "b01", "g", 0)
    assert len(learned) == len(warnings)
    assert all(each.given_by and each.level in range(1, 6) for each in learned)


@pytest.mark.asyncio
@pytest.mark.parametrize("record_first", [True, False])
async def test_a_warning_heard_and_read_in_a_record_is_one(tmp_path: Path, *, record_first: bool) -> None:
    """Whichever comes first; so is an infraction."""
    async with desk_in_play(tmp_path) as (desk, board):
        given = warnings_in(RECORD, NAMES, "b01", GAME, 1)
        done = offences_in(RECORD, NAMES, GAME)[:1]

        async def learn() -> None:
            await desk.ledger.do(lambda db: discipline.learn(db, given, done))

        async def hear() -> None:
            await board.tell(
                InfractionSeen(at_us=1, infraction=1, side=B, faults=("capture_not_taken",), evidence={})
            )
            await board.tell(
                PlayerWarned(
                    at_us=2, side=B, level=1, article="1.3.2", by="Марат", reason="capture_not_taken"
                )
            )

        for step in (learn, hear) if record_first else (hear, learn):
            await step()
        await desk.refresh()
        assert [(each.person, each.level, each.at_ms > 0) for each in desk.warnings] == [(NAMES[0], 1, True)]
        assert len(desk.book.offences) == 1
        assert desk.view("b01")["steps"] == [2, 1]


@pytest.mark.asyncio
async def test_requirement_94_an_offence_learned_from_a_record_makes_the_next_a_repeated_one(
    tmp_path: Path,
) -> None:
    """What was dismissed there does not count."""
    desk, board = await desk_of(tmp_path)
    try:
        await desk.ledger.do(lambda db: discipline.learn(db, [], offences_in(RECORD, NAMES, "g0")))
        await assigned(board)
        await board.tell(
            InfractionSeen(at_us=1, infraction=1, side=B, faults=("capture_not_taken",), evidence={})
        )
        assert nth_offence(desk.book, NAMES[0], GAME, 1) == 3
        assert nth_offence(desk.book, NAMES[1], GAME, 2) == 1
    finally:
        desk.ledger.close()

"""People and rounds over the console: warnings, penalties, entries, missed rounds, points, papers."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.hall.ledger.accounts import Account, save_account
from firmware_bridge.hall.ledger.roles import Role
from firmware_bridge.hall.ledger.store import Ledger
from firmware_bridge.hall.settings import ConsoleSettings
from firmware_bridge.wire.payloads import encode
from firmware_bridge.wire.records import RecordOf, cut
from rules.conduct.options import BLITZ, CLASSICAL
from rules.notation.moves import MoveText
from rules.position import Side
from rules.record.json_form import format_record_json
from rules.record.model import GameRecord, RecordPly, Ruling, Tags
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.plays import EVENT, NAMES, sowings, state
from tests.firmware_bridge.hall.serving import Served, serving, settings, until
from tests.house.stage import PASSWORD, Arbiter

HEAD = "round,board,bastaushy,qostaushy\n"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """The hall's ledger with an account for each office, and a second line arbiter."""
    with Ledger(tmp_path / "ledger", EVENT) as opened:
        for name, role in (*((role.value, role) for role in Role), ("other", Role.LINE)):
            opened.apply(lambda db, name=name, role=role: save_account(db, Account(name, role), PASSWORD, 1))  # type: ignore[misc] # bound now
        yield opened


@pytest.fixture
def feed() -> FakeFeed:
    """What the hall hears."""
    feed = FakeFeed()
    feed.say(state(0))
    return feed


@pytest.fixture
def hall(ledger: Ledger, feed: FakeFeed) -> Iterator[Served]:
    """A hall that goes by the classical options."""
    with serving(feed, settings(console=ConsoleSettings(ledger=ledger.path)), FakeFeed()) as served:
        yield served


def page(hall: Served, arbiter: Arbiter, path: str) -> str:
    """Return a paper as HTML."""
    with closing(http.client.HTTPConnection(hall.host, hall.port, timeout=10)) as connection:
        connection.request("GET", f"/api/console{path}", headers={"Cookie": arbiter.cookie})
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        return answer.read().decode()


def pair(arbiter: Arbiter, *rows: str) -> tuple[int, Any]:
    """Pair games from a file."""
    return arbiter.post("/pairings", {"text": HEAD + "\n".join(rows)})


def official(arbiter: Arbiter, key: str, score: str) -> None:
    """Make a result official."""
    told = arbiter.post(f"/games/{key}/result", {"status": "official", "score": score})
    assert told[0] == 200, told


def test_requirement_46_the_list_is_announced_and_altered_by_nobody_else(hall: Served) -> None:
    """As values and as a paper; another arbiter is refused by 2.4.8, the chief may (2.4.10)."""
    line, other, chief = (Arbiter(hall.url, name) for name in ("line", "other", "chief"))
    for number in (1, 2):
        status, told = line.post(
            "/warnings", {"person": "Айдос", "round": number, "article": "2.3.9", "reason": "шу"}
        )
        assert (status, told["level"], told["given_by"]) == (200, number, "line")
    after = [line.request("GET", f"/warnings?round={number}")[1]["warnings"] for number in (0, 1, 2)]
    assert [[each["level"] for each in listed] for listed in after] == [[], [1], [1, 2]]
    paper = page(hall, line, "/papers/warnings?round=1&lang=en")
    assert "<h1>Warnings after round 1</h1>" in paper
    assert paper.count("Айдос") == 1
    assert "2.3.9" in paper

    where = f"/warnings/{after[2][0]['key']}/take_back"
    status, told = other.post(where, {"reason": "қате"})
    assert (status, told["error"], told["articles"]) == (409, "another_arbiter", ["2.4.8"])
    assert chief.post(where, {"reason": "қате"})[0] == 200
    (left,) = line.request("GET", "/warnings")[1]["warnings"]
    assert left["level"] == 2
    assert line.post(where, {})[1]["error"] == "taken_back"


def test_requirement_46_a_representative_warned_again_is_watched(hall: Served) -> None:
    """His player's fourth and the panel's own warning are two (2.4.10)."""
    line, chief = Arbiter(hall.url, "line"), Arbiter(hall.url, "chief")
    assert chief.post("/entries", {"text": "name,representative\nАйдос,Марат Әлі\nӘсел,\n"})[0] == 200
    for _ in range(4):
        told = line.post("/warnings", {"person": "Айдос"})[1]
    assert (told["level"], told["against"]) == (4, "Марат Әлі")
    assert line.request("GET", "/warnings")[1]["watched"] == []
    status, told = line.post("/warnings", {"person": "Айдос"})
    assert (status, told["error"], told["articles"]) == (403, "forbidden", ["2.4.6", "2.4.7"])
    warn = {"kind": "warn_representative", "person": "Марат Әлі", "reason": "араласты", "round": 2}
    assert chief.post("/penalties", warn)[0] == 200
    assert line.request("GET", "/warnings")[1]["watched"] == ["Марат Әлі"]
    paper = page(hall, line, "/papers/warnings?lang=en")
    assert "Specially watched (2.4.10): Марат Әлі" in paper
    assert "before the chief panel" in paper


def test_requirement_47_the_panels_penalties_are_kept_with_who_why_when_and_article(hall: Served) -> None:
    """Only the panel gives them; one on an arbiter only the chief (2.4.8); none is erased."""
    line, deputy, chief = (Arbiter(hall.url, name) for name in ("line", "deputy", "chief"))
    for kind, person, articles in (
        ("warn_representative", "Марат", "2.4.7"),
        ("expel_player", "Айдос", "2.4.7"),
        ("expel_representative", "Марат", "2.4.7"),
        ("team_loses", "Алматы", "2.4.7 2.3"),
    ):
        wish = {"kind": kind, "person": person, "reason": "дөрекілік", "round": 3}
        assert line.post("/penalties", wish) == (403, {"error": "forbidden", "needs": "panel"})
        status, told = deputy.post("/penalties", wish)
        assert (status, told["articles"], told["given_by"], told["round"]) == (200, articles, "deputy", 3)
        assert told["at_ms"] > 0
    arbiter = {"kind": "arbiter", "person": "line", "reason": "кешікті"}
    status, told = deputy.post("/penalties", arbiter)
    assert (status, told["error"], told["articles"]) == (403, "forbidden", ["2.4.8"])
    key = chief.post("/penalties", arbiter)[1]["key"]
    assert deputy.post(f"/penalties/{key}/take_back", {})[0] == 403
    assert chief.post(f"/penalties/{key}/take_back", {"reason": "қате"})[0] == 200
    assert chief.post(f"/penalties/{key}/take_back", {})[1]["error"] == "taken_back"
    assert chief.post("/penalties/none/take_back", {})[1]["error"] == "unknown_penalty"
    listed = line.request("GET", "/penalties")[1]["penalties"]
    assert [(each["kind"], each["taken_back"]) for each in listed[-2:]] == [
        ("team_loses", None), ("arbiter", "қате"),
    ]  # fmt: skip
    for wrong in ({"kind": "loss"}, {"kind": "expel_player"}, {"kind": "expel_player", "person": "А"}):
        assert chief.post("/penalties", wrong)[1]["error"] == "malformed"


def test_requirement_47_who_was_expelled_is_not_paired(hall: Served) -> None:
    """Until the penalty is taken back."""
    chief = Arbiter(hall.url, "chief")
    key = chief.post("/penalties", {"kind": "expel_player", "person": "Айдос", "reason": "x"})[1]["key"]
    status, told = pair(chief, "1,b01,Айдос,Әсел")
    assert (status, told["faults"]) == (
        422, [{"line": 2, "column": "bastaushy", "code": "expelled", "value": "Айдос"}],
    )  # fmt: skip
    chief.post(f"/penalties/{key}/take_back", {})
    assert pair(chief, "1,b01,Айдос,Әсел")[0] == 200


def test_requirement_49_who_missed_two_rounds_is_not_paired_again(hall: Served) -> None:
    """Refused with names and rounds; with a reason written down he is paired (2.3.13)."""
    deputy, secretary = Arbiter(hall.url, "deputy"), Arbiter(hall.url, "secretary")
    for number, score in ((1, "+/-"), (2, "+/-")):
        assert pair(deputy, f"{number},b01,Айдос,Әсел")[0] == 200
        official(secretary, f"r{number}-b01", score)
    rows = ("3,b02,Болат,Дана", "", "3,b01,Айдос,Әсел")
    status, told = pair(deputy, *rows)
    assert (status, told["faults"]) == (
        422, [{"line": 4, "column": "qostaushy", "code": "missed_rounds", "value": "Әсел: 1, 2"}],
    )  # fmt: skip
    assert [each["round"] for each in deputy.request("GET", "/games")[1]["games"]] == [1, 2]
    typed = {"rows": [{"round": "3", "board": "b01", "bastaushy": " Әсел ", "qostaushy": "Айдос"}]}
    assert deputy.post("/pairings", typed)[1]["faults"][0]["line"] == 1
    excuse = {"person": "Әсел", "round": 2, "reason": "ауырды"}
    assert secretary.post("/absences", excuse)[0] == 403
    assert deputy.post("/absences", {**excuse, "round": 0})[1]["error"] == "malformed"
    assert deputy.post("/absences", excuse)[0] == 200
    assert pair(deputy, *rows)[0] == 200


def test_requirement_37_the_points_for_the_next_pairing_say_what_is_provisional(hall: Served) -> None:
    """A postponed game is half a point each; only the panel postpones (2.5.6, 2.8.1)."""
    chief, secretary = Arbiter(hall.url, "chief"), Arbiter(hall.url, "secretary")
    pair(chief, "1,b01,Айдос,Әсел", "1,b02,Болат,Дана")
    official(secretary, "r1-b01", "1-0")
    status, told = secretary.post("/games/r1-b02/postpone", {"reason": "жолда"})
    assert (status, told["error"], told["articles"]) == (403, "postponed_by_panel_only", ["2.8.1"])
    assert chief.post("/games/r1-b01/postpone", {"reason": "жолда"})[1]["error"] == "played"
    assert chief.post("/games/r1-b02/postpone", {"reason": "жолда"})[0] == 200
    told = chief.request("GET", "/points")[1]
    assert (told["round"], told["for_pairing_only"], told["provisional"]) == (2, True, True)
    assert [(each["name"], each["points"], each["provisional"]) for each in told["points"]] == [
        ("Айдос", 1.0, 0.0), ("Болат", 0.5, 0.5), ("Дана", 0.5, 0.5), ("Әсел", 0.0, 0.0),
    ]  # fmt: skip
    official(secretary, "r1-b02", "0-1")
    told = chief.request("GET", "/points?round=2")[1]
    assert not told["provisional"]
    assert [each["name"] for each in told["points"][:2]] == ["Айдос", "Дана"]
    assert chief.request("GET", "/points?round=x")[1]["error"] == "malformed"


def test_requirement_38_entries_are_listed_by_rating_with_the_system_proposed(hall: Served) -> None:
    """The deputy secretary registers; a name twice is refused, and who has not entered is not paired."""
    clerk, chief = Arbiter(hall.url, "deputy_secretary"), Arbiter(hall.url, "chief")
    assert Arbiter(hall.url, "line").post("/entries", {"text": "name\nА"})[0] == 403
    text = "name;rating;team\nӘсел;1900;Алматы\nАйдос  Сейітов;2100;Астана\n"
    status, told = clerk.post("/entries", {"text": text})
    assert status == 200
    assert [each["name"] for each in told["entries"]] == ["Айдос Сейітов", "Әсел"]
    assert told["proposed"] == {
        "system": "round_robin", "rounds": 1, "articles": ["2.9.1", "2.1.4", "2.1.7"],
    }  # fmt: skip
    status, told = clerk.post("/entries", {"text": "name,rating\nБолат,x\nДана,1\nДана,2\n"})
    assert (status, [(fault["line"], fault["code"]) for fault in told["faults"]]) == (
        422, [(2, "no_rating"), (4, "entered_twice")],
    )  # fmt: skip
    status, told = pair(chief, "1,b01,Айдос Сейітов,Бөтен")
    assert (status, [fault["code"] for fault in told["faults"]]) == (422, ["not_entered"])
    assert pair(chief, "1,b01,Айдос   Сейітов,Әсел")[0] == 200  # the same name, written carelessly
    assert len(clerk.request("GET", "/entries")[1]["entries"]) == 2


@pytest.mark.parametrize(
    ("conduct", "told"),
    [
        (CLASSICAL, "Both players write score sheets (1.6.1, 2.3.5)"),
        (BLITZ, "No score sheets are written (2.9.2)"),
    ],
)
def test_requirement_38_a_rounds_paper_says_whether_sheets_are_written(
    ledger: Ledger, feed: FakeFeed, conduct: Any, told: str
) -> None:
    """Beside its boards and names, which are never taken for markup."""
    wanted = ConsoleSettings(ledger=ledger.path, conduct=conduct)
    with serving(feed, settings(console=wanted), FakeFeed()) as hall:
        chief = Arbiter(hall.url, "chief")
        pair(chief, "1,b01,<b>Айдос</b>,Әсел")
        paper = page(hall, chief, "/papers/round?round=1&lang=en")
        assert told in paper
        assert "&lt;b&gt;Айдос&lt;/b&gt;" in paper
        assert chief.request("GET", "/papers/diploma")[1]["error"] == "malformed"


def test_requirement_19_signatures_and_protests_are_noted_over_the_console(hall: Served) -> None:
    """Of games that are there, by whoever may submit results."""
    line = Arbiter(hall.url, "line")
    pair(Arbiter(hall.url, "chief"), "1,b01,Айдос,Әсел")
    assert line.post("/games/r1-b01/sign", {"side": "bastaushy"})[0] == 200
    assert line.post("/games/r1-b01/sign", {"side": "both"})[1]["error"] == "malformed"
    assert line.post("/games/r9-b09/sign", {"side": "bastaushy"})[1]["error"] == "unknown_game"
    filed = line.post("/games/r1-b01/protest", {"filed_by": "Марат", "reason": "сағат"})
    assert (filed[0], filed[1]["noted_by"]) == (200, "line")
    told = line.request("GET", "/due")[1]
    assert (told["due"], [each["filed_by"] for each in told["protests"]]) == ([], ["Марат"])


def test_requirement_45_a_hall_that_comes_late_learns_warnings_from_the_records(
    hall: Served, feed: FakeFeed
) -> None:
    """The next step goes on from what the record of an ended game says; told twice it counts once."""
    line = Arbiter(hall.url, "line")
    record = GameRecord(
        tags=Tags(bastaushy=NAMES[0], qostaushy=NAMES[1]),
        plies=tuple(RecordPly(MoveText(sowing), (1, 2)) for sowing in sowings()[:4]),
        result="1-0",
        reason="resignation",
        rulings=(
            Ruling(1, "infraction", Side.BASTAUSHY, "capture_not_taken"),
            Ruling(1, "warning", Side.BASTAUSHY, "2, 1.3.2: Марат: capture_not_taken"),
            Ruling(2, "warning", Side.QOSTAUSHY, "nonsense"),
        ),
    )
    for seq in (100, 101):
        about = RecordOf(event=EVENT, board="b01", game="g0", boot=1, seq=seq, ply=4, ts=1)
        for part in cut(about, format_record_json(record)):
            feed.say_bytes(part.topic, encode(part))
    listed = until(lambda: line.request("GET", "/warnings")[1]["warnings"], "the warning is learned")
    assert [(each["person"], each["level"], each["given_by"], each["reason"]) for each in listed] == [
        (NAMES[0], 2, "Марат", "capture_not_taken")
    ]
    assert line.post("/warnings", {"person": NAMES[0]})[1]["level"] == 3


def test_nobody_sits_at_two_boards_of_a_round(hall: Served) -> None:
    """Also where one of them was paired before, or both were typed: the other board is named."""
    chief = Arbiter(hall.url, "chief")
    assert pair(chief, "5,b05,Айдос,Әсел", "5,b06,Ерлан,Дана")[0] == 200
    status, told = pair(chief, "5,b07,Айдос,Гүлнар")
    assert (status, told["faults"]) == (
        422, [{"line": 2, "column": "bastaushy", "code": "player_twice", "value": "Айдос (b05)"}],
    )  # fmt: skip
    rows = [
        {"round": "6", "board": board, "bastaushy": "Айдос", "qostaushy": other}
        for board, other in (("b05", "Әсел"), ("b06", "Дана"))
    ]
    status, told = chief.post("/pairings", {"rows": rows})
    assert (status, [each["code"] for each in told["faults"]]) == (422, ["player_twice"])


def test_the_same_two_at_another_board_are_the_same_game(hall: Served) -> None:
    """A board has broken: their game is moved to another, and its own is free for the next."""
    chief = Arbiter(hall.url, "chief")
    assert pair(chief, "5,b05,Айдос,Әсел", "5,b06,Ерлан,Дана")[0] == 200
    assert pair(chief, "5,b07,Айдос,Әсел")[0] == 200
    there = [each for each in chief.request("GET", "/games")[1]["games"] if each["round"] == 5]
    assert [(each["board"], each["bastaushy"]) for each in there] == [("b06", "Ерлан"), ("b07", "Айдос")]


def test_a_game_that_is_being_played_is_not_paired_anew(hall: Served) -> None:
    """Its result would be that of the people who were paired instead."""
    chief = Arbiter(hall.url, "chief")
    assert pair(chief, "1,b01,Айдос,Әсел")[0] == 200
    status, told = pair(chief, "1,b01,Ерлан,Дана")
    assert (status, told["error"]) == (409, "begun")


def test_a_file_of_another_encoding_is_refused_by_its_lines(hall: Served) -> None:
    """What a browser reads of it are signs in the place of letters, and all names would look alike."""
    chief = Arbiter(hall.url, "chief")
    wrong = "name\nАйдос\n".encode("cp1251").decode("utf-8", "replace")
    status, told = chief.post("/entries", {"text": wrong})
    assert (status, [(each["line"], each["code"]) for each in told["faults"]]) == (422, [(2, "no_utf8")])
    for rating in ("0000009999", "0" * 5000):
        status, told = chief.post("/entries", {"text": f"name,rating\nАйдос,{rating}\n"})
        assert (status, told["faults"][0]["code"]) == (422, "no_rating")

"""The console's door: nobody without a login, no other site, no office beyond its rights, no guessing."""

import contextlib
import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from firmware_bridge.hall.ledger import games
from firmware_bridge.hall.ledger.accounts import Account, remove_account, save_account
from firmware_bridge.hall.ledger.roles import Role
from firmware_bridge.hall.ledger.store import Ledger
from firmware_bridge.hall.settings import ConsoleSettings
from firmware_bridge.wire.payloads import EventPayload
from rules import START
from tests.firmware_bridge.hall.console.scenes import SEEN
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.plays import EVENT, message, position_part, state
from tests.firmware_bridge.hall.serving import Served, serving, settings, until
from tests.house.stage import PASSWORD, Arbiter

ROUTES = (
    ("GET", "/me"),
    ("GET", "/boards"),
    ("GET", "/games"),
    ("POST", "/logout"),
    ("POST", "/boards/b01/orders"),
    ("POST", "/pairings"),
    ("POST", "/rounds/1/assign"),
    ("POST", "/rounds/1/start"),
    ("POST", "/games/r1-b01/flip"),
    ("POST", "/games/r1-b01/assign"),
    ("POST", "/games/r1-b01/result"),
    ("GET", "/warnings"),
    ("POST", "/warnings"),
    ("POST", "/warnings/x/take_back"),
    ("GET", "/penalties"),
    ("POST", "/penalties"),
    ("POST", "/penalties/x/take_back"),
    ("GET", "/entries"),
    ("POST", "/entries"),
    ("POST", "/absences"),
    ("GET", "/points"),
    ("GET", "/due"),
    ("POST", "/games/r1-b01/postpone"),
    ("POST", "/games/r1-b01/sign"),
    ("POST", "/games/r1-b01/protest"),
    ("GET", "/papers/warnings"),
)
ROWS = {"rows": [{"round": "1", "board": "b01", "bastaushy": "Айдос", "qostaushy": "Әсел"}]}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """The hall's ledger, open a second time, with an account for each office."""
    with Ledger(tmp_path / "ledger", EVENT) as opened:
        for role in Role:
            opened.apply(lambda db, role=role: save_account(db, Account(role.value, role), PASSWORD, 1))  # type: ignore[misc] # bound now
        yield opened


@pytest.fixture
def heard() -> FakeFeed:
    """What the console hears of the boards' games."""
    return FakeFeed()


@pytest.fixture
def hall(ledger: Ledger, heard: FakeFeed) -> Iterator[Served]:
    """A hall with a console, without keys, that shows one board in play."""
    feed = FakeFeed()
    feed.say(state(0))
    with serving(feed, settings(console=ConsoleSettings(ledger=ledger.path)), heard) as served:
        yield served


def ask(hall: Served, method: str, path: str, body: str = "{}", **headers: str) -> tuple[int, str, str]:
    """Ask without a login; return status, text and cookie."""
    with closing(http.client.HTTPConnection(hall.host, hall.port, timeout=10)) as connection:
        connection.request(method, path, body if method == "POST" else None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers.get("Set-Cookie", "")


def infraction() -> EventPayload:
    """Return what a board tells of a missed capture."""
    return EventPayload(
        event=EVENT, board="b01", game="r1-b01", boot=1, seq=20, ply=0, ts=5, data=SEEN,
        position=position_part(START), clock=None,
    )  # fmt: skip


def test_nobody_is_answered_without_a_login(hall: Served) -> None:
    """Neither with no cookie nor with one made up."""
    for method, path in ROUTES:
        for headers in ({}, {"Cookie": "togyz_console=made-up"}):
            status, told, _ = ask(hall, method, f"/api/console{path}", **headers)
            assert (status, json.loads(told)) == (401, {"error": "no_login"}), path


def test_public_pages_stay_public_and_know_nothing(hall: Served, heard: FakeFeed) -> None:
    """The board's page, its snapshot and the login tell nobody of an infraction (house law 8)."""
    heard.say(infraction())  # type: ignore[arg-type] # the feed takes any payload
    arbiter = Arbiter(hall.url, "line")
    until(lambda: arbiter.board("b01").get("need") == "infraction", "the infraction")
    for path in ("/api/boards/b01", "/api/boards", "/board/b01", "/boards", "/console"):
        status, told, _ = ask(hall, "GET", path)
        assert status == 200
        assert "capture_not_taken" not in told, path


def test_the_cookie_is_of_no_use_to_scripts_and_other_sites(hall: Served) -> None:
    """HttpOnly and SameSite=Strict."""
    body = json.dumps({"name": "chief", "password": PASSWORD})
    _, _, cookie = ask(hall, "POST", "/api/console/login", body, **{"Content-Type": "application/json"})
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_what_another_site_sends_is_not_done(hall: Served) -> None:
    """With the right cookie, and without the word that only our page knows, or from elsewhere."""
    arbiter = Arbiter(hall.url, "chief")
    for headers in (
        {"X-Togyz-Check": ""},
        {"X-Togyz-Check": "guessed"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
    ):
        assert arbiter.post("/pairings", ROWS, **headers) == (403, {"error": "csrf"}), headers
    assert arbiter.request("GET", "/games")[1]["games"] == []
    assert arbiter.post("/pairings", ROWS, Origin=hall.url)[0] == 200


def test_an_office_gives_no_more_than_its_rights(hall: Served) -> None:
    """Whoever may not pair changes no pairing, whatever his page shows."""
    for role in ("line", "secretary", "deputy_secretary"):
        arbiter = Arbiter(hall.url, role)
        assert arbiter.post("/pairings", ROWS) == (403, {"error": "forbidden", "needs": "pair"})
        assert arbiter.post("/rounds/1/start")[0] == 403
        view = until(lambda arbiter=arbiter: arbiter.board("b01"), "the board")
        panel = arbiter.order(view, {"do": "adjourn", "seal": "0" * 64})
        assert (panel[0], panel[1]["error"]) == (403, "postponed_by_panel_only")
        assert arbiter.order(view, {"do": "assign"})[1]["error"] == "no_command"


def test_a_password_cannot_be_guessed(hall: Served) -> None:
    """Five wrong ones in a minute, then the right one has to wait too; nobody learns which names are used."""
    arbiter = Arbiter(hall.url, "chief")
    wrong = [arbiter.post("/login", {"name": name, "password": "wrong"}) for name in ("chief", "nobody") * 2]
    assert wrong == [(401, {"error": "wrong_password"})] * 4
    assert arbiter.post("/login", {"name": "chief", "password": "wrong"})[0] == 401
    status, told = arbiter.post("/login", {"name": "chief", "password": PASSWORD})
    assert (status, told["error"]) == (429, "wait")
    assert 1 <= told["wait_s"] <= 61
    assert arbiter.request("GET", "/me")[0] == 200  # who is in stays in


def test_a_login_without_sense_is_refused(hall: Served) -> None:
    """And changes nothing."""
    arbiter = Arbiter(hall.url, "chief")
    wrong: tuple[object, ...] = ([], "x", {"name": 1}, {"name": "chief"})
    for body in wrong:
        assert arbiter.post("/login", body) == (400, {"error": "malformed"})
    assert arbiter.post("/login", {"name": "x" * 300_000, "password": "y"})[0] == 413


def test_an_order_without_keys_or_about_another_ply_is_refused(hall: Served, ledger: Ledger) -> None:
    """Nothing is written down of it either."""
    arbiter = Arbiter(hall.url, "line")
    view = until(lambda: arbiter.board("b01"), "the board")
    assert arbiter.order(view, {"do": "suspend"})[1]["error"] == "no_keys"
    assert arbiter.post("/boards/b01/orders", {"id": "x"})[1]["error"] == "malformed"
    assert ledger.apply(lambda db: db.execute("SELECT count(*) FROM rulings").fetchone()) == (0,)


def test_pairings_are_typed_flipped_and_made_official(hall: Served, ledger: Ledger) -> None:
    """Wrong ones are named with line and column."""
    chief, secretary = Arbiter(hall.url, "chief"), Arbiter(hall.url, "secretary")
    status, told = chief.post("/pairings", {"text": "round,board,bastaushy,qostaushy\n1,b01,x,x"})
    assert (status, told["faults"]) == (
        422, [{"line": 2, "column": "qostaushy", "code": "same_name", "value": "x"}],
    )  # fmt: skip
    assert chief.post("/pairings", ROWS)[0] == 200
    assert chief.post("/games/r1-b01/assign")[1]["error"] == "no_keys"
    official = {"status": "official", "score": "+/-", "reason": "2.6.4"}
    assert chief.post("/games/r1-b01/result", {"status": "official"})[1]["error"] == "no_score"
    assert secretary.post("/games/r1-b01/result", official)[1]["score"] == "+/-"
    assert ledger.apply(games.games)[0].status == "official"


def test_the_live_line_is_for_those_logged_in_and_ends_with_the_session(hall: Served, ledger: Ledger) -> None:
    """A board that has changed comes whole; an account that is removed closes the line."""
    where = f"{hall.url.replace('http', 'ws')}/ws/console"
    with connect(where) as line, pytest.raises(ConnectionClosed):
        line.recv(timeout=10)
    arbiter = Arbiter(hall.url, "line")
    forged = {"Cookie": arbiter.cookie, "Origin": "http://evil.example"}
    with connect(where, additional_headers=forged) as line, pytest.raises(ConnectionClosed):
        line.recv(timeout=10)
    with connect(where, additional_headers={"Cookie": arbiter.cookie}) as line:
        first = json.loads(line.recv(timeout=10))
        assert [view["board"] for view in first["boards"]] in ([], ["b01"])
        ledger.apply(lambda db: remove_account(db, "line"))
        with pytest.raises(ConnectionClosed):
            list(line)


@pytest.mark.parametrize(
    "told",
    [
        '{"do": "adjust", "seconds": NaN}',
        '{"do": "adjust", "seconds": 1e999}',
        '{"do": "suspend", "reason": "\\ud800"}',
    ],
)
def test_what_no_page_could_be_told_is_no_body(hall: Served, told: str) -> None:
    """Neither "no number" nor half a character gets into the ledger, from where every page is told of it."""
    arbiter = Arbiter(hall.url, "chief")
    body = f'{{"id": "order-0001", "game": null, "ply": 0, "commands": [{told}]}}'
    status, said, _ = ask(hall, "POST", "/api/console/boards/b01/orders", body, **{
        "Content-Type": "application/json", "Cookie": arbiter.cookie, "X-Togyz-Check": arbiter.check,
    })  # fmt: skip
    assert (status, json.loads(said)) == (400, {"error": "malformed"})


def test_a_session_that_is_over_is_told_no_more_however_much_there_is_to_tell(
    ledger: Ledger, heard: FakeFeed
) -> None:
    """In a full hall there is always news, and the line looks who listens all the same."""
    feed = FakeFeed()
    feed.say(state(0))
    over = threading.Event()

    def flood() -> None:
        for seq in range(11, 2000):
            if over.wait(0.05):
                return
            feed.say(state(seq % 2, seq=seq))

    with serving(feed, settings(console=ConsoleSettings(ledger=ledger.path)), heard) as hall:
        arbiter = Arbiter(hall.url, "line")
        line = connect(
            hall.url.replace("http", "ws", 1) + "/ws/console", additional_headers={"Cookie": arbiter.cookie}
        )
        flooding = threading.Thread(target=flood)
        flooding.start()
        try:
            line.recv(timeout=10)
            ledger.apply(lambda db: remove_account(db, "line"))
            deadline_s = time.monotonic() + 10
            with contextlib.suppress(ConnectionClosed):
                while time.monotonic() < deadline_s:
                    line.recv(timeout=10)
            assert line.close_code == 4401
        finally:
            over.set()
            flooding.join()
            line.close()


def test_an_event_that_the_ledger_cannot_hold_silences_no_board(hall: Served, heard: FakeFeed) -> None:
    """Who writes to the broker can send anything: the next event is heard."""
    arbiter = Arbiter(hall.url, "line")
    topic, data = message(infraction())  # type: ignore[arg-type] # any payload
    strange = json.loads(data)
    strange["seq"], strange["data"]["infraction"] = 19, 2**70
    heard.say_bytes(topic, json.dumps(strange).encode())
    heard.say(infraction())  # type: ignore[arg-type] # the same
    until(lambda: arbiter.board("b01").get("need") == "infraction", "the infraction", patience_s=5)


def test_who_logs_in_as_himself_buys_no_tries_at_another(hall: Served) -> None:
    """Four wrong passwords, one's own, four wrong ones: the last ones are not looked at."""
    said: list[int] = []
    for name, password in (*[("chief", "wrong")] * 4, ("line", PASSWORD), *[("chief", "wrong")] * 4):
        body = json.dumps({"name": name, "password": password})
        headers = {"Content-Type": "application/json"}
        said.append(ask(hall, "POST", "/api/console/login", body, **headers)[0])
    assert said == [401, 401, 401, 401, 200, 401, 429, 429, 429]

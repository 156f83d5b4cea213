"""A board's program and strangers who would like to command it: only what is signed and fresh is obeyed.

The board is a process, its broker a mosquitto, the device made of bytes goes on telling of its stones all
the while. What is asked each time: is the journal as it was, and is the attempt told of?
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.hall.commanding import Commander, Sent
from firmware_bridge.wire import broker_files
from firmware_bridge.wire.key_files import save_keys
from firmware_bridge.wire.payloads import CommandsPart
from firmware_bridge.wire.settings import BrokerSettings
from firmware_bridge.wire.signing import UNSIGNED, Key, Keyring, SignedCommand
from tests.house.lone_board import CONFIG, NINE_EACH, LoneBoard
from tests.house.spy import Spy

pytestmark = pytest.mark.mosquitto

EVENT, BOARD = "event", "board-1"
KEY = Key("board-1-aaaaaa", EVENT, BOARD, bytes(range(32)))
STRANGE = Key("board-1-aaaaaa", EVENT, BOARD, bytes(32))
REVOKED = Key("board-1-bbbbbb", EVENT, BOARD, bytes(range(32, 64)), revoked=True)
OTHERS = Key("board-2-cccccc", EVENT, "board-2", bytes(range(64, 96)))
CMD = f"tk/1/{EVENT}/board/{BOARD}/cmd"


@dataclass
class Siege:
    """A board in play, and a stranger at its broker.

    Attributes:
        lone: The board.
        broker: Where its broker is.
        spy: The stranger: hears everything, and may write everywhere.
        number: The last number used, in commands that the spy makes.
    """

    lone: LoneBoard
    broker: BrokerSettings
    spy: Spy = field(default_factory=Spy)
    number: int = 1000
    _over: threading.Event = field(default_factory=threading.Event)

    def begin(self) -> None:
        """Begin a game, let the device go on, and listen."""
        self.lone.start_game()
        threading.Thread(target=self._go_on, daemon=True).start()
        self.spy.listen(self.broker.host, self.broker.port)
        self.until_commanded()

    def until_commanded(self, starts: int = 1) -> None:
        """Wait until the board takes commands, after so many starts."""
        self.lone.until("the line of commands", lambda: f"as {BOARD}.cmd" in self.lone.log())
        self.lone.until("a nonce", lambda: len({meta.nonce for meta in self.metas()}) == starts)

    def end(self) -> None:
        """Let the device stop."""
        self._over.set()
        self.spy.close()

    def _go_on(self) -> None:
        while not self._over.is_set():
            self.lone.device.show(NINE_EACH, 0.2)

    def metas(self) -> list[CommandsPart]:
        """Return what the board has said a command must name."""
        said = [json.loads(data) for topic, data, _ in self.spy.heard if topic.endswith("/meta")]
        return [
            CommandsPart(**{**meta["commands"], "keys": tuple(meta["commands"]["keys"])}) for meta in said
        ]

    def signed(self, *, key: Key = KEY, sign_with: Key | None = None, **changes: Any) -> bytes:
        """Return a command that would end the game, right in every way but for the changes."""
        self.number += 1000  # far above what the hall uses in between
        fields: dict[str, Any] = {
            "event": EVENT,
            "board": BOARD,
            "key": key.id,
            "id": f"{self.number:032x}",
            "who": "Төреші",
            "boot_id": self.metas()[-1].boot_id,
            "nonce": self.metas()[-1].nonce,
            "seq": self.number,
            "ply": 0,
            "body": '{"do":"end","score":"0-1","reason":"a stranger says so"}',
            "mac": UNSIGNED,
        }
        command = SignedCommand(**{**fields, **changes})
        return command.model_copy(update={"mac": (sign_with or key).mac(command.signed_bytes())}).written()

    def decided(self) -> list[dict[str, Any]]:
        """Return what the journal holds of the game."""
        return [event for event in self.lone.events() if event["kind"] not in ("time_mark", "host_started")]

    def command(self, command: dict[str, Any], ply: int | None = None) -> Sent:
        """Give a command as the hall does; a dropped one is asked after."""

        async def give() -> Sent:
            async with Commander(self.broker, EVENT, Keyring((KEY,))) as hall:
                sent = await hall.send(BOARD, command, who="Төреші", ply=ply)
                for _ in range(10):
                    if sent.outcome != "unknown":
                        break
                    sent = await hall.ask_again(sent)
                return sent

        return asyncio.run(give())

    def told(self) -> dict[str, int]:
        """Return the counts that the board has told of last."""
        said = [json.loads(data)["values"] for topic, data, _ in self.spy.heard if topic.endswith("/diag")]
        return dict(said[-1]) if said else {}

    def acks(self) -> list[bytes]:
        """Return the answers of the board."""
        return [data for topic, data, _ in self.spy.heard if topic.endswith("/ack")]


@pytest.fixture
def broker(tmp_path: Path, mosquitto: Path) -> Iterator[BrokerSettings]:
    """A mosquitto that outlives the board."""
    port = broker_files.free_port()
    folder = tmp_path / "broker"
    folder.mkdir()
    process = subprocess.Popen(broker_files.mosquitto_command(str(mosquitto), folder, port))
    yield BrokerSettings("127.0.0.1", port)
    process.terminate()
    process.wait()


@pytest.fixture
def siege(tmp_path: Path, broker: BrokerSettings) -> Iterator[Siege]:
    """A board in play with one key that opens it."""
    save_keys(tmp_path / "board-1.keys", Keyring((REVOKED, KEY)), replace=False)
    config = CONFIG.replace('state_dir = "state"', 'state_dir = "state"\nkeys = "board-1.keys"')
    config += f'[broker]\nhost = "{broker.host}"\nport = {broker.port}\n'
    with LoneBoard(tmp_path, config) as lone:
        under = Siege(lone, broker)
        try:
            under.begin()
            yield under
        finally:
            under.end()


def unsigned(data: bytes) -> bytes:
    """Return a command without its signature."""
    fields = json.loads(data)
    del fields["mac"]
    return json.dumps(fields).encode()


HOSTILE: dict[str, tuple[str, Callable[[Siege], bytes]]] = {
    "the socket's own words": ("unsigned", lambda _: b'{"do":"end","score":"0-1"}'),
    "a signature left out": ("unsigned", lambda at: unsigned(at.signed())),
    "a secret made up": ("bad_signature", lambda at: at.signed(sign_with=STRANGE)),
    "a body changed": ("bad_signature", lambda at: at.signed().replace(b"0-1", b"1-0")),
    "a ply changed": ("bad_signature", lambda at: at.signed(ply=9).replace(b'"ply":9', b'"ply":0')),
    "a key that was revoked": ("unknown_key", lambda at: at.signed(key=REVOKED)),
    "another board's command": ("foreign_board", lambda at: at.signed(key=OTHERS, board="board-2")),
    "another event's command": ("foreign_event", lambda at: at.signed(event="other")),
    "a huge one": ("too_large", lambda at: at.signed() + b" " * 60_000),
    "no UTF-8": ("malformed", lambda at: at.signed().replace("Төреші".encode(), b"\xff\xfe")),
    "a name twice": ("malformed", lambda at: at.signed()[:-1] + b',"seq":1}'),
    "a field too many": ("malformed", lambda at: at.signed()[:-1] + b',"now":1}'),
    "deep brackets": ("malformed", lambda _: b"[" * 8000),
    "nothing": ("malformed", lambda _: b""),
    "the nonce of nobody": ("stale_nonce", lambda at: at.signed(nonce="0" * 32)),
    "a ply to come": ("wrong_ply", lambda at: at.signed(ply=1)),
}


def test_what_a_stranger_says_changes_nothing_and_is_reported(siege: Siege) -> None:
    """Each kind in the log, and all of them counted in `diag`; only who has a key is answered."""
    decided = siege.decided()
    for _, made in HOSTILE.values():
        siege.spy.shout(CMD, made(siege))
    due = Counter(f"commands_{code}" for code, _ in HOSTILE.values())
    siege.lone.until("the diagnosis", lambda: siege.told() == due)
    log = siege.lone.log()
    assert {code for code, _ in HOSTILE.values() if f"command refused: {code}: " not in log} == set()
    assert [json.loads(ack)["code"] for ack in siege.acks()] == ["stale_nonce", "wrong_ply"]
    assert siege.decided() == decided
    assert siege.lone.state()["phase"] == "playing"


def test_the_hall_is_obeyed_and_its_words_heard_again_change_nothing(siege: Siege) -> None:
    """The stranger plays off what he has heard: the same answer, and no second minute."""
    sent = siege.command({"do": "adjust", "side": "both", "seconds": 60, "reason": "2.7.14"})
    assert sent.outcome == "accepted"
    decided = siege.decided()
    assert decided[-1]["kind"] == "clock_adjusted"
    for _ in range(3):
        siege.spy.shout(CMD, sent.command.written())
    siege.lone.until("four answers", lambda: len(siege.acks()) == 4)
    assert len(set(siege.acks())) == 1
    assert siege.decided() == decided
    assert siege.spy.faults() == []


def test_a_position_is_changed_only_for_the_ply_it_is_meant_for(siege: Siege) -> None:
    """The arbiter's plies are entered, with the ply that follows; late ones are not."""
    enter = {"do": "enter", "moves": "7:6 9-8"}
    assert siege.command(enter).code == "ply_needed"
    sent = siege.command(enter, ply=0)
    assert (sent.outcome, sent.ply) == ("accepted", 2)
    late = siege.command(enter, ply=0)
    assert (late.outcome, late.code, late.ply) == ("refused", "wrong_ply", 2)
    assert siege.lone.state()["moves"] == "7:6 9-8"
    assert siege.command({"do": "status"}, ply=2).code == "no_command"  # everybody hears the state anyway


def test_a_former_boots_command_and_a_kept_one_are_refused_by_the_next(siege: Siege) -> None:
    """A program killed and started again knows nothing of what it took, and obeys none of it."""
    sent = siege.command({"do": "adjust", "side": "bastaushy", "seconds": 60, "reason": "2.4.8"})
    assert sent.outcome == "accepted"
    unused = siege.signed()
    siege.spy.shout(CMD, siege.signed(ply=77), retain=True)
    siege.lone.until("its refusal", lambda: "command refused: wrong_ply" in siege.lone.log())
    decided = siege.decided()
    siege.lone.restart()
    siege.until_commanded(starts=2)
    for data in (sent.command.written(), unused):
        siege.spy.shout(CMD, data)
    due = {"commands_retained": 1, "commands_stale_nonce": 2}
    siege.lone.until("the diagnosis", lambda: siege.told() == due)
    assert siege.decided() == decided
    assert siege.command({"do": "adjust", "side": "both", "seconds": 60}).outcome == "accepted"


def test_a_flood_of_garbage_starves_neither_samples_nor_the_hall(siege: Siege) -> None:
    """Twenty thousand messages; the device is never silent to the board, and the hall gets its answer."""
    decided = siege.decided()
    flood = [b"{}", b"\xff" * 500, b"[" * 3000, siege.signed(sign_with=STRANGE)] * 5000
    flooding = threading.Thread(target=siege.spy.flood, args=(CMD, flood))
    flooding.start()
    sent = siege.command({"do": "adjust", "side": "both", "seconds": -60, "reason": "2.7.14"})
    flooding.join()
    assert sent.outcome == "accepted"
    assert len(siege.decided()) == len(decided) + 1
    siege.lone.until("drops told of", lambda: siege.told().get("commands_dropped", 0) > 0)
    assert "device silent" not in siege.lone.log()
    siege.lone.until("the stones are seen", lambda: siege.lone.sensed("matches"))

"""A hall with its console, and boards whose stones a test lays: all programs are processes, the broker too.

Each board has a key, a device made of bytes that goes on telling of its stones, and players who press.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware_bridge.commands.processes import Crew, Member
from firmware_bridge.wire import broker_files
from firmware_bridge.wire.key_files import save_keys
from firmware_bridge.wire.signing import Key, Keyring
from rules.position import Position, Side
from tests.house.lone_board import CONFIG, NINE_EACH, LoneBoard

EVENT = "open"
PATIENCE_S = 40.0
PASSWORD = "тоғыз құмалақ"  # noqa: S105 - of a test

PLAYERS = (
    ("Қабдығалым Нұржан", "Райымбекова Роза"),
    ("Айдос Сейітов", "Әсел Тұрсын"),
    ("Ерлан Мұрат", "Дана Оспан"),
    ("Бауыржан Қайрат", "Гүлнар Әлі"),
)


def key_of(board: str) -> Key:
    """Return the key of a board."""
    return Key(f"{board}-aaaaaa", EVENT, board, board.encode().ljust(32, b"."))


class StageBoard:
    """A board with stones that a test lays; bastaushy sits at a.

    Attributes:
        lone: The board's process and its device.
        stones: What lies at the twenty places of the game.
    """

    def __init__(self, folder: Path, number: int, broker: str, start: str = "both_ready") -> None:
        """Write its files; `broker` is the table of the configuration."""
        folder.mkdir(parents=True)
        self.board = f"board-{number}"
        save_keys(folder / "board.keys", Keyring((key_of(self.board),)), replace=False)
        first, second = PLAYERS[(number - 1) % len(PLAYERS)]
        config = CONFIG.replace('id = "board-1"', f'id = "{self.board}"\nevent = "{EVENT}"')
        config = config.replace('state_dir = "state"', 'state_dir = "state"\nkeys = "board.keys"')
        game = f'[game]\nbastaushy = "{first}"\nqostaushy = "{second}"\ncontrol = "60m"\nstart = "{start}"\n'
        self.lone = LoneBoard(folder, f"{config}{game}{broker}")
        self.stones: Sequence[float] = NINE_EACH
        self._over = threading.Event()
        self._telling = threading.Thread(target=self._tell, daemon=True)

    def begin(self, *, play: bool = True) -> None:
        """Start the program, and the game unless `play` is false."""
        self.lone.__enter__()
        if play:
            self.lone.start_game()
        else:
            self.lone.greet()
        self._telling.start()

    def end(self) -> None:
        """End the program and its device."""
        self._over.set()
        if self._telling.ident is not None:
            self._telling.join()
        self.lone.__exit__(None, None, None)

    def _tell(self) -> None:
        while not self._over.is_set():
            self.lone.device.show(self.stones, 0.1)

    def lay(self, position: Position, change: dict[int, int] | None = None) -> None:
        """Lay the stones of a position, with more or fewer at some places."""
        stones = [*position.pits, *position.kazans]
        for place, more in (change or {}).items():
            stones[place] += more
        self.stones = tuple(stones)

    def press(self, side: Side) -> None:
        """Let a player press."""
        self.lone.device.raw(self.lone.device.press(side.index))


class Stage:
    """A hall, a broker, some boards; a context manager.

    Attributes:
        boards: The boards, from 1.
        url: Where the hall answers.
    """

    def __init__(self, folder: Path, mosquitto: Path, boards: int = 1, **more: Any) -> None:
        """Write the files of a hall of so many boards; `more` goes to each of them."""
        self.folder = folder
        self._port = broker_files.free_port()
        (folder / "broker").mkdir(parents=True)
        self._command = broker_files.mosquitto_command(str(mosquitto), folder / "broker", self._port)
        table = f'[broker]\nhost = "127.0.0.1"\nport = {self._port}\n'
        self.boards = {n: StageBoard(folder / f"b{n}", n, table, **more) for n in range(1, boards + 1)}
        save_keys(folder / "hall.keys", Keyring(tuple(map(key_of, self._names))), replace=False)
        config = CONFIG.replace('id = "board-1"', f'id = "hall"\nevent = "{EVENT}"')
        self.config = folder / "hall.toml"
        hall = f'[hall]\nport = {broker_files.free_port()}\nkeys = "hall.keys"\n'
        self.config.write_text(f'{config}{hall}[game]\ncontrol = "60m"\n{table}', encoding="utf-8")
        self._crew = Crew(folder)
        self.hall: Member

    @property
    def _names(self) -> list[str]:
        return [board.board for board in self.boards.values()]

    def __enter__(self) -> Self:
        """Start broker and hall; boards are begun one by one."""
        self._broker = subprocess.Popen(self._command)
        self._crew.__enter__()
        self.start_hall()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything."""
        for board in self.boards.values():
            board.end()
        self._crew.__exit__(kind, error, trace)
        self._broker.terminate()
        self._broker.wait()

    def start_hall(self) -> None:
        """Start the hall, or start it again."""
        self.hall = self._crew.start("hall", self.config)
        self.url = self.hall.wait_for("hall: ", PATIENCE_S).removeprefix("hall: ").strip()

    def kill_hall(self) -> None:
        """End the hall as `kill -9` does."""
        self.hall.process.kill()
        self.hall.process.wait()

    def account(self, name: str, role: str) -> None:
        """Make an account as a person does."""
        command = [sys.executable, "-m", "firmware_bridge", "account", str(self.config), name, "--role", role]
        subprocess.run(command, input=f"{PASSWORD}\n", text=True, check=True, capture_output=True)

    def arbiter(self, name: str, role: str) -> Arbiter:
        """Return somebody who has logged in."""
        self.account(name, role)
        return Arbiter(self.url, name)


class Arbiter:
    """Somebody at the console without a page.

    Attributes:
        me: What the hall has told him.
        cookie: His session.
    """

    def __init__(self, url: str, name: str, password: str = PASSWORD) -> None:
        """Log in."""
        self._where = url.removeprefix("http://")
        self.cookie, self.check = "", ""
        status, self.me = self.post("/login", {"name": name, "password": password})
        assert status == 200, self.me
        self.check = self.me["check"]

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Ask the console something; return status and JSON."""
        said = {"Cookie": self.cookie, "Content-Type": "application/json", "X-Togyz-Check": self.check}
        data = None if body is None else json.dumps(body)
        with closing(http.client.HTTPConnection(self._where, timeout=PATIENCE_S)) as connection:
            connection.request(method, f"/api/console{path}", data, {**said, **headers})
            answer = connection.getresponse()
            cookie = answer.headers.get("Set-Cookie")
            if cookie:
                self.cookie = cookie.partition(";")[0]
            return answer.status, json.loads(answer.read())

    def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Change something."""
        return self.request("POST", path, {} if body is None else body, **headers)

    def board(self, board: str = "board-1") -> dict[str, Any]:
        """Return a board as the console shows it; empty while it is not there."""
        _, told = self.request("GET", "/boards")
        return next((view for view in told["boards"] if view["board"] == board), {})

    def until(
        self, what: str, true: Callable[[dict[str, Any]], Any], board: str = "board-1"
    ) -> dict[str, Any]:
        """Wait until something is so of a board, and return its view."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            view = self.board(board)
            if view and true(view):
                return view
            assert time.monotonic() < deadline, f"not in time: {what}; shown: {view}"
            time.sleep(0.05)

    def order(
        self, view: dict[str, Any], *commands: dict[str, Any], key: str = "", **more: Any
    ) -> tuple[int, Any]:
        """Give a board an order about what he sees."""
        state = view["state"]
        body = {"id": key or f"order-{time.monotonic_ns()}", "game": state["game"], "ply": state["ply"]}
        return self.post(f"/boards/{view['board']}/orders", {**body, "commands": commands, **more})

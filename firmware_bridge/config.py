"""One TOML file describes one board, the broker and the hall; every mistake in it is named.

Unknown keys are refused, with the nearest known name: a misspelt `starter_seat` must not seat
the players wrongly in silence.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from firmware_bridge.config_pins import PinsTable
from firmware_bridge.config_values import (
    AnyPath,
    Channel,
    Credential,
    Flag,
    Host,
    Identifier,
    PersonName,
    Real,
    Routes,
    Whole,
    control_text,
)
from firmware_bridge.layout import Wiring, WiringError
from firmware_bridge.mistakes import Mistake, ValueMistakeError, mistaken_value
from rules.conduct.options import PRESETS, Conduct, Conducts
from rules.conduct.options_json import conduct_from_json
from rules.control_text import parse_control
from rules.flags import EvenKazan
from rules.time_control import TimeControl
from rules.tournament.options import MOST_ENTRIES, MOST_SWISS_ROUNDS, Tournament

PaceName = Literal["leisurely", "human", "brisk", "blitz", "classical", "rapid"]
ProfileName = Literal["clean", "nominal", "harsh", "glass", "slow", "tails", "skewed"]
"""What an emulated board may be made of; a test holds them to `PACES` and `PROFILES`."""


class ConfigError(ValueError):
    """Raised when a configuration file cannot be used; the message names file, key and value.

    Attributes:
        path: The file; None where the message stands for itself.
        mistakes: All that is wrong in it; the cause of `unreadable` is what the system says.
    """

    def __init__(self, words: str, path: Path | None = None, mistakes: Sequence[Mistake] = ()) -> None:
        super().__init__(words)
        self.path, self.mistakes = path, tuple(mistakes)

    @classmethod
    def of(cls, path: Path, *mistakes: Mistake) -> Self:
        """Return the error of a file with these mistakes, a line each."""
        return cls("\n".join(f"{path}: {each.words}" for each in mistakes), path, mistakes)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class BoardTable(_Table):
    """Who this board is, where it keeps its journal, and with which keys it may be commanded.

    Without `keys`, a file made by `togyz enrol`, the board takes no command over the broker.
    """

    id: Identifier
    event: Identifier = "event"
    state_dir: AnyPath = Field("~/.local/state/togyz", validate_default=True)
    language: Literal["kk", "ru", "en"] = "kk"
    keys: AnyPath | None = None


class DeviceTable(_Table):
    """The microcontroller: a serial device by id, or the link an emulated board makes."""

    port: AnyPath
    baud: Annotated[Whole, Field(ge=9600, le=4_000_000)] = 921_600


CELL_KEYS = ("side_a", "side_b", "kazan_a", "kazan_b")
"""The keys of `[layout]` that name channels of load cells."""


class LayoutTable(_Table):
    """Wiring: which channel is which pit and kazan, which button is whose (`Wiring`).

    `cells = false` says that there are no load cells, only count sensors: the `beam_` channels.
    """

    cells: Flag = True
    side_a: tuple[Channel, ...] = tuple(range(9))
    side_b: tuple[Channel, ...] = tuple(range(9, 18))
    kazan_a: Channel = 18
    kazan_b: Channel = 19
    beam_a: tuple[Channel, ...] = ()
    beam_b: tuple[Channel, ...] = ()
    beam_kazan_a: Channel | None = None
    beam_kazan_b: Channel | None = None
    button_a: Channel = 0
    button_b: Channel = 1
    button_arbiter: Channel | None = 2
    button_call_a: Channel | None = None
    button_call_b: Channel | None = None
    button_draw_a: Channel | None = None
    button_draw_b: Channel | None = None

    @model_validator(mode="after")
    def _wired(self) -> LayoutTable:
        given = [f"`{key}`" for key in CELL_KEYS if key in self.model_fields_set]
        if not self.cells and given:
            raise ValueMistakeError("cells", keys=", ".join(given))
        self.wiring()
        return self

    def wiring(self) -> Wiring:
        """Return the table as a `Wiring`."""
        found = self.model_dump(exclude={"cells"})
        if not self.cells:
            found |= {"side_a": (), "side_b": (), "kazan_a": None, "kazan_b": None}
        try:
            return Wiring(**found)
        except WiringError as error:
            raise ValueError(str(error)) from error


class CalibrationTable(_Table):
    """Where the calibration of the cells lies."""

    file: AnyPath


class GameTable(_Table):
    """The game to be played when the board has none: names, seats and clock.

    `control` stands instead of `minutes` and `increment_seconds`: a preset's name or a text such as
    `90m/30+30m` (`rules.control_text`). `start` and `even_kazan` are options of `[conduct]` that may stand
    here as well, for this game alone; left out they are as the event has chosen. `start` says what starts
    bastaushy's clock once both players have confirmed: `both_ready`, at once; `arbiter`, or `announcement` as
    the option calls it, the arbiter's command (2.7.5).
    """

    bastaushy: PersonName = "Бастаушы"
    qostaushy: PersonName = "Қостаушы"
    bastaushy_seat: Literal["a", "b"] = "a"
    minutes: Annotated[Real, Field(ge=0.01, le=600)] = 60
    increment_seconds: Annotated[Real, Field(ge=0, le=600)] = 0
    control: Annotated[str, AfterValidator(control_text)] | None = None
    start: Literal["both_ready", "arbiter", "announcement"] | None = None
    even_kazan: EvenKazan | None = None

    @model_validator(mode="after")
    def _one_control(self) -> GameTable:
        twice = [f"`{key}`" for key in ("minutes", "increment_seconds") if key in self.model_fields_set]
        if self.control is not None and twice:
            raise ValueMistakeError("control_twice", keys=", ".join(twice))
        return self

    def time_control(self) -> TimeControl:
        """Return the time control, whichever way it is written."""
        if self.control is not None:
            return parse_control(self.control)
        return TimeControl.simple(round(self.minutes * 60_000), round(self.increment_seconds * 1000))


class BrokerTable(_Table):
    """The MQTT broker; without a host the programs share one of their own on this machine.

    `host = "auto"` is for boards: that of the one hall of their event on the network (`discovery`).
    """

    host: Host | None = None
    port: Annotated[Whole, Field(ge=1, le=65535)] = 1883
    username: Credential | None = None
    password: Credential | None = None
    own: Literal["auto", "mosquitto", "amqtt"] = "auto"

    @model_validator(mode="after")
    def _somewhere(self) -> BrokerTable:
        if self.host is None and (self.username is not None or self.password is not None):
            raise ValueMistakeError("whose_password")
        if self.password is not None and self.username is None:
            raise ValueMistakeError("password")
        return self


class HallTable(_Table):
    """The web page: where it listens, and what it shows.

    `show_counts` prints the stones of each pit as a number. Off by default: a screen the players
    can see must not count for them. `keys` is the hall's file of `togyz enrol`: without it the arbiter's
    console shows the boards and cannot command them. `conduct` is what the event has chosen where the
    regulations leave a choice. `announce` tells the network of the hall (`firmware_bridge.discovery`); left
    out it does where others can reach the pages.
    """

    host: Host = "127.0.0.1"
    port: Annotated[Whole, Field(ge=0, le=65535)] = 8080
    show_counts: Flag = False
    keys: AnyPath | None = None
    conduct: Literal["classical", "rapid", "blitz"] = "classical"
    announce: Flag | None = None


class AlertsTable(_Table):
    """What goes where: to the arbiter's lamp, the table's lamp, the table's page, the buzzer; () is nowhere.

    Unless it is said here all is silent, and what could help a player goes to the arbiter alone.
    """

    unsafe: Routes = ("arbiter", "lamp", "page")
    device: Routes = ("arbiter", "page")
    unreadable: Routes = ("arbiter", "lamp", "page")
    call: Routes = ("arbiter", "lamp", "page")
    suspended: Routes = ("lamp", "page")
    infraction: Routes = ("arbiter",)
    restore: Routes = ("arbiter", "page")
    differs: Routes = ("arbiter",)
    setup: Routes = ("page",)
    flag: Routes = ("arbiter", "page")
    draw: Routes = ("lamp", "page")
    offer_void: Routes = ("lamp", "page")


class ScreenTable(_Table):
    """The small screen at the table: where its page listens, who sits before it, how the halves stand.

    `near` names the seat that is drawn at the lower edge; `turned` turns the other half to its player.
    """

    host: Host = "127.0.0.1"
    port: Annotated[Whole, Field(ge=0, le=65535)] = 8081
    near: Literal["a", "b"] = "a"
    turned: Flag = False


class EmulatorTable(_Table):
    """The emulated board: which record its hands play, how fast, and how it is built.

    Without `samples_per_second` the board samples as often as its profile does. `hands = "told"` plays no
    record: such hands lay the stones out, and then do what lines of `togyz emulate --commands` tell them.
    """

    record: AnyPath | None = None
    hands: Literal["record", "told"] = "record"
    seed: Whole = 1
    speed: Annotated[Whole, Field(ge=1, le=100)] = 1
    pace: PaceName = "human"
    manners: Literal["plain", "lively", "unruly"] = "plain"
    profile: ProfileName = "nominal"
    samples_per_second: Annotated[Whole, Field(ge=5, le=100)] | None = None


class TraceTable(_Table):
    """Traces: whether one is always written, where, and how much the card may hold of them.

    `folder` is by default `traces` beside the board's journal. A trace of `file_mb` is followed by the next
    as soon as the board lies quiet, at twice that size in any case. A board's traces have at most `total_mb`
    together, the one being written included: the oldest are removed. Boards may share a folder.
    """

    always: Flag = False
    folder: AnyPath | None = None
    file_mb: Annotated[Whole, Field(ge=1, le=4000)] = 64
    total_mb: Annotated[Whole, Field(ge=1, le=1_000_000)] = 1000

    @model_validator(mode="after")
    def _room(self) -> TraceTable:
        if self.total_mb < self.file_mb:
            raise ValueMistakeError("room")
        return self


class TournamentTable(_Table):
    """What the event has chosen about its pairings where the regulations give no number."""

    round_robin_most: Annotated[Whole, Field(ge=0, le=MOST_ENTRIES)] = 10
    swiss_rounds: Annotated[Whole, Field(ge=1, le=MOST_SWISS_ROUNDS)] | None = None
    missed_rounds: Literal["total", "running"] = "total"

    def options(self) -> Tournament:
        """Return them as the rulebook takes them."""
        return Tournament(
            round_robin_most=self.round_robin_most,
            swiss_rounds=self.swiss_rounds,
            missed_rounds=self.missed_rounds,
        )


def _conduct(value: object) -> object:
    conduct_from_json(value)  # its error says which option is none, and which there are
    return value


class Config(_Table):
    """A whole configuration file.

    `conduct` says what the event has chosen where the regulations leave a choice: a `preset`, and options
    that differ from it (`rules.conduct`). Without a preset it is the one for the game's control.
    """

    board: BoardTable
    device: DeviceTable
    calibration: CalibrationTable
    layout: LayoutTable = LayoutTable()
    game: GameTable = GameTable()
    broker: BrokerTable = BrokerTable()
    hall: HallTable = HallTable()
    alerts: AlertsTable = AlertsTable()
    table: ScreenTable = ScreenTable()
    emulator: EmulatorTable = EmulatorTable()
    trace: TraceTable = TraceTable()
    pins: PinsTable = PinsTable()
    tournament: TournamentTable = TournamentTable()
    conduct: Annotated[dict[str, Any], AfterValidator(_conduct)] = {}

    @model_validator(mode="after")
    def _pinned(self) -> Self:
        self.pins.check(self.layout.wiring())
        return self

    def conducts(self) -> Conducts:
        """Return the options of every kind of game that may be played here: the one home of all of them."""
        start = "announcement" if self.game.start == "arbiter" else self.game.start
        of_game = {"start": start, "even_kazan": self.game.even_kazan}
        said = {name: value for name, value in of_game.items() if value is not None}
        kinds = {name: conduct_from_json({"preset": name, **self.conduct, **said}) for name in PRESETS}
        return Conducts(**kinds)

    def hall_conduct(self) -> Conduct:
        """Return the options that the hall goes by: `[conduct]`, on the preset of `[hall]`."""
        return conduct_from_json({"preset": self.hall.conduct, **self.conduct})


def load_config(path: Path) -> Config:
    """Read and check a configuration file; paths in it are taken from the file's own folder.

    Raises:
        ConfigError: The file cannot be read, is no TOML, or says something that cannot be meant.
    """
    text = _read(path)
    try:
        document = tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError.of(path, Mistake("too_deep")) from error
    except ValueError as error:  # also a number of more digits than Python reads
        raise ConfigError.of(path, Mistake("no_toml", {"why": error})) from error
    try:
        config = Config.model_validate(document)
    except ValidationError as error:
        raise ConfigError.of(path, *_mistakes(error)) from error
    return _anchored(config, path.resolve().parent)


def _read(path: Path) -> str:
    try:
        if not path.is_file() and path.exists():
            raise ConfigError.of(path, Mistake("no_file"))
        return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise ConfigError.of(path, Mistake("unreadable", {"why": error})) from error
    except UnicodeDecodeError as error:
        raise ConfigError.of(path, Mistake("no_text", {"at": error.start})) from error


def _anchored(config: Config, folder: Path) -> Config:
    def at(path: Path) -> Path:
        return path if path.is_absolute() else folder / path

    keys = config.board.keys
    board = config.board.model_copy(
        update={"state_dir": at(config.board.state_dir), "keys": None if keys is None else at(keys)}
    )
    device = config.device.model_copy(update={"port": at(config.device.port)})
    calibration = config.calibration.model_copy(update={"file": at(config.calibration.file)})
    hall = config.hall.model_copy(update={"keys": None if config.hall.keys is None else at(config.hall.keys)})
    record = config.emulator.record
    emulator = config.emulator.model_copy(update={"record": None if record is None else at(record)})
    traces = config.trace.folder
    trace = config.trace.model_copy(update={"folder": None if traces is None else at(traces)})
    return config.model_copy(
        update={
            "board": board,
            "device": device,
            "calibration": calibration,
            "hall": hall,
            "emulator": emulator,
            "trace": trace,
        }
    )


def _mistakes(error: ValidationError) -> list[Mistake]:
    # A misspelt name first: what is then missing is usually the same one.
    items = sorted(error.errors(), key=lambda item: item["type"] != "extra_forbidden")
    return [_mistake(dict(item)) for item in items]


def _mistake(item: dict[str, Any]) -> Mistake:
    where = [str(part) for part in item["loc"]]
    name = ".".join(where) or "the file"
    if item["type"] == "extra_forbidden":
        known = _known_names(where[:-1])
        near = difflib.get_close_matches(where[-1], known, n=1)
        if near:
            return Mistake("near", {"name": name, "near": near[0]})
        return Mistake("unknown", {"name": name, "known": ", ".join(known)})
    if item["type"] == "missing":
        return Mistake("missing", {"name": name})
    return mistaken_value(name, item)


def _known_names(tables: list[str]) -> list[str]:
    model: type[BaseModel] = Config
    for table in tables:
        field = model.model_fields.get(table)
        kind = None if field is None else field.annotation
        if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
            return []
        model = kind
    return sorted(model.model_fields)

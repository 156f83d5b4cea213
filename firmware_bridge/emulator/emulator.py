"""The emulated board: table, cable and wall clock in one loop.

It tells what happens as small dictionaries with a key `event`: `ready` (device path, boot id), `host` (heard
or lost), `lamps` (which burn and which blink, at each change), `buzzer` (each sound), `ply` (each finished
ply), `offence` (each ply against the rules), `unplugged`, `plugged`, `booted`, `finished` (the record is
played out), `told` (the hands have done a line of steps), `refused` (a command) and `stopped`.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from firmware_bridge.emulator.actions import (
    BESIDE,
    AllDone,
    Drop,
    OffenceDone,
    PlyDone,
    Reach,
    Timed,
    ToldDone,
)
from firmware_bridge.emulator.commands import Break, Command, PlayerButton, PowerCycle, Stop, Tell, Unplug
from firmware_bridge.emulator.console import buzzer_told, lamps_told
from firmware_bridge.emulator.hands import Hands
from firmware_bridge.emulator.offences import Kind
from firmware_bridge.emulator.pace import HUMAN, Manners, Pace
from firmware_bridge.emulator.pacing import LineGate, Pacer
from firmware_bridge.emulator.records import Record
from firmware_bridge.emulator.table import EmulatedTable
from firmware_bridge.emulator.told import HAND, ToldError, ToldStep, check_steps
from firmware_bridge.layout import PLACES, Seat, Seating, Wiring
from rules.notation.moves import format_short
from rules.position import START, STONES, outcome
from sensors import frames
from sensors.calibration import COUNTER, Calibration
from sensors.device.device import FEATURES, Device, DeviceConfig
from sensors.device.port import Port
from sensors.simulator.measure import measure_calibration
from sensors.simulator.profile import NOMINAL, Profile
from sensors.simulator.world import CellWorld

BATCH = 64
"""Most samples between two looks at the line."""

MARKS = 2
"""Marks of tuzdyks that a board has, one for each player (1.4.2)."""

SHORTEST_WAIT_US = 2_000
LONGEST_WAIT_US = 20_000
"""Bounds of one sleep of the loop, wall time: short enough for the beats, long enough to cost nothing."""

WALL_PRESS_AGAIN_S = 2.0
"""The players' patience is at least so long by the wall: the host's disk has no speed-up."""

PLAIN_WIRING = Reach.of(range(PLACES), Seating(Wiring(), "a"))
"""Channel = pit index, then the kazans; bastaushy sits at side A."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmulatorSettings:
    """Everything an emulated board is made from.

    Attributes:
        device_path: where the symlink to the pseudo terminal appears.
        record: what is played.
        seed: of masses, cells, noise and hands.
        speed: device seconds per wall second, 1..1000.
        pace: of both players.
        manners: behaviour around the moves; its patience is stretched at high speed.
        profile: quality of the cells.
        sample_rate_hz: nominal samples per device second; None: the profile's.
        board_id: burnt into the device, at most 32 bytes of UTF-8.
        wiring: where the players find pits, kazans and buttons.
        beams: the device's channel of the count sensor of each pit and of both kazans, in the order of
            `wiring`; None where there is none, empty without any.
        weighed: False if the device reads count sensors only; its cells then have no channels.
        set_up: stones the players lay into each pit index before the game.
        unplug_at_ply: pull the cable after the first stone of this ply has fallen; None: never.
        unplug_for_s: wall seconds until it is back.
        offences: what the players do against the rules, by the number of the ply, from 1.
        spare_stones: so many more lie beside the board, for players who smuggle one in.
        stop_after: play only so many plies of the record; None: all.
        linger_s: end so many wall seconds after the last ply; None: serve until told to stop.
        entropy: mixed with the seed into the boot ids; None: from the operating system.
    """

    device_path: Path
    record: Record
    seed: int = 1
    speed: int = 1
    pace: Pace = HUMAN
    manners: Manners = field(default_factory=Manners)
    profile: Profile = NOMINAL
    sample_rate_hz: float | None = None
    board_id: str = "emulated"
    wiring: Reach = PLAIN_WIRING
    beams: tuple[int | None, ...] = ()
    weighed: bool = True
    set_up: tuple[int, ...] = START.pits
    unplug_at_ply: int | None = None
    unplug_for_s: float = 3.0
    offences: Mapping[int, Kind] = field(default_factory=dict)
    spare_stones: int = 0
    stop_after: int | None = None
    linger_s: float | None = None
    entropy: int | None = None

    @property
    def rate_hz(self) -> float:
        """Nominal samples per device second, which the device declares; its chips stray from it."""
        return self.profile.rate_hz if self.sample_rate_hz is None else self.sample_rate_hz


@dataclass(frozen=True, slots=True)
class EmulatorSummary:
    """What an emulator has done when it ends."""

    plies: int
    finished: bool
    samples: int
    dropped_data: int


def build_world(settings: EmulatorSettings) -> CellWorld:
    """Return the board before the game: the profile's cells under pits and kazans, stones laid out."""
    wiring, profile = settings.wiring, settings.profile
    channels = max(*wiring.pits, *wiring.kazans) + 1
    kinds = [
        profile.kazan_cell if channel in wiring.kazans else profile.pit_cell for channel in range(channels)
    ]
    stones = STONES + settings.spare_stones
    stacks = (*wiring.pits, *wiring.kazans)
    beams = [stack for stack, beam in zip(stacks, settings.beams, strict=False) if beam is not None]
    rate_hz = settings.rate_hz
    world = CellWorld(kinds, profile, settings.seed, rate_hz=rate_hz, stones=stones, beams=beams)
    set_up = dict(zip(wiring.pits, settings.set_up, strict=True))
    if settings.spare_stones:
        # There is no way from the box into a hand: they are laid in a kazan, and taken out again.
        world.lay_out(set_up | {wiring.kazans[0]: settings.spare_stones})
        world.lift_all(wiring.kazans[0], BESIDE, 0)
    else:
        world.lay_out(set_up)
    return world


def build_hands(settings: EmulatorSettings) -> Hands:
    """Return the players of the settings' record."""
    manners = settings.manners
    patience_s = max(manners.press_again_s, WALL_PRESS_AGAIN_S * settings.speed)
    manners = replace(manners, press_again_s=patience_s)
    sowings = settings.record.sowings[: settings.stop_after]
    return Hands(sowings, settings.wiring, settings.pace, manners, settings.seed, settings.offences)


def device_channels(settings: EmulatorSettings) -> tuple[int | None, ...]:
    """Return which channel of the world each channel of the device is; None: nothing is soldered to it."""
    cells = max(*settings.wiring.pits, *settings.wiring.kazans) + 1
    soldered: dict[int, int] = {channel: channel for channel in range(cells)} if settings.weighed else {}
    beams = [beam for beam in settings.beams if beam is not None]
    soldered |= {beam: cells + number for number, beam in enumerate(beams)}
    return tuple(soldered.get(channel) for channel in range(max(soldered) + 1))


def device_features(settings: EmulatorSettings) -> int:
    """Return the `frames.FEATURE_x` bits of the device: it counts where a beam is wired."""
    counts = any(beam is not None for beam in settings.beams)
    return FEATURES | frames.FEATURE_COUNTERS if counts else FEATURES


def measure(settings: EmulatorSettings) -> Calibration:
    """Return the calibration of this board, measured through its own cells; repeats with the seed."""
    found = measure_calibration(build_world(settings), settings.board_id, settings.seed)
    channels = [
        found.channels[channel] if channel is not None and channel < len(found.channels) else COUNTER
        for channel in device_channels(settings)
    ]
    return replace(found, channels=tuple(channels))


class Emulator:
    """One emulated board on its cable.

    Args:
        settings: what it is.
        tell: called with each event, in the thread that runs.
    """

    def __init__(self, settings: EmulatorSettings, tell: Callable[[dict[str, object]], None]) -> None:
        self._settings = settings
        self._tell = tell
        self._boot_ids = _boot_ids(settings)
        world = build_world(settings)
        config = DeviceConfig(
            board_id=settings.board_id,
            channels=len(device_channels(settings)),
            rate_hz=settings.rate_hz,
            features=device_features(settings),
            time_scale=settings.speed,
            buttons=max(*settings.wiring.buttons, 2, *settings.wiring.others.values()) + 1,
        )
        device = Device(config, next(self._boot_ids))
        channels = device_channels(settings) if settings.beams else None
        self.table = EmulatedTable(world, build_hands(settings), device, self._on_action, channels=channels)
        self._port = Port(settings.device_path)
        self._commands: deque[Command] = deque()
        self._polls: list[Callable[[], None]] = []
        self._gate = LineGate(settings.speed)
        self._plug_due_us: int | None = None
        self._stop_due_us: int | None = None
        self._unplug_at_ply = settings.unplug_at_ply
        self._finished = False
        self._host_lost = True
        self._lit: frames.Lamps | None = None
        self._stop = False

    def post(self, command: Command) -> None:
        """Ask for something to happen soon; may be called from any thread or signal handler."""
        self._commands.append(command)

    def watch(self, poll: Callable[[], None]) -> None:
        """Have `poll` called in every round of the loop; it may `post`."""
        self._polls.append(poll)

    def run(self) -> EmulatorSummary:
        """Serve until stopped.

        Raises:
            DevicePathError: the device path cannot be used.
        """
        self._port.plug()
        try:
            self._say_ready("ready")
            self._loop(Pacer(self._settings.speed, self.table.world.period_us, _wall_us()))
        finally:
            self._port.close()
        device, hands = self.table.device, self.table.hands
        self._tell({"event": "stopped", "plies": hands.plies})
        return EmulatorSummary(hands.plies, self._finished, self.table.samples, device.dropped_data)

    def _loop(self, pacer: Pacer) -> None:
        table, port = self.table, self._port
        while not self._stop:
            wall_us = _wall_us()
            while data := port.read():
                table.device.receive(data, wall_us, table.device_us)
            self._obey_commands(wall_us)
            pacer.made(self._take_samples(min(pacer.due(wall_us), BATCH), wall_us))
            table.device.poll(wall_us, table.device_us)
            self._watch_host()
            port.flush(table.device.next_frame)
            self._keep_appointments(wall_us)
            rest_us = pacer.next_us(_wall_us())
            port.wait(min(max(rest_us, SHORTEST_WAIT_US), LONGEST_WAIT_US) / 1e6)

    def _take_samples(self, due: int, wall_us: int) -> int:
        table, device = self.table, self.table.device
        for made in range(due):
            if not self._gate.may_sample(
                device.queued_data,
                host_lost=device.host_lost,
                port_open=self._port.open,
                wall_us=wall_us,
                world_us=table.world_us,
            ):
                return made
            table.step()
        return due

    def _watch_host(self) -> None:
        lost = self.table.device.host_lost
        if lost != self._host_lost:
            self._host_lost = lost
            self._tell({"event": "host", "heard": not lost})
        device = self.table.device
        if device.lit != self._lit:
            self._lit = device.lit
            self._tell(lamps_told(device.lit))
        while device.sounds:
            self._tell(buzzer_told(device.sounds.popleft()))

    def _keep_appointments(self, wall_us: int) -> None:
        if self._plug_due_us is not None and wall_us >= self._plug_due_us:
            self._plug_due_us = None
            self._port.plug()
            self._say_ready("plugged")
        if self._stop_due_us is not None and wall_us >= self._stop_due_us:
            self._stop = True

    def _obey_commands(self, wall_us: int) -> None:
        for poll in self._polls:
            poll()
        while self._commands:
            match self._commands.popleft():
                case Unplug(for_s):
                    self._port.pull()
                    self._plug_due_us = wall_us + round(for_s * 1e6)
                    self._tell({"event": "unplugged", "for_s": for_s})
                case PowerCycle():
                    self.table.power_cycle(next(self._boot_ids))
                    self._say_ready("booted")
                case Break(channel, fault) if channel in range(len(self.table.world.cells)):
                    self.table.world.set_fault(channel, fault)
                case Break(channel, _):
                    self._tell({"event": "refused", "reason": f"no channel {channel}"})
                case PlayerButton(what, seat):
                    self._press(what, seat)
                case Tell(steps):
                    self._tell_hands(steps)
                case Stop():
                    self._stop = True

    def _press(self, what: str, seat: Seat | None) -> None:
        button = self._settings.wiring.others.get((what, seat))
        if button is None:
            where = "both share" if seat is None else f"{seat} has"
            self._tell({"event": "refused", "reason": f"no `{what}` button is wired that {where}"})
        else:
            self.table.device.press(button, self.table.device_us)

    def _tell_hands(self, steps: tuple[ToldStep, ...]) -> None:
        """Let the hands do steps that the stones allow; hands that are at something else refuse them."""
        world, wiring, hands = self.table.world, self._settings.wiring, self.table.hands
        if not hands.idle:
            reason = "the hands are still at something: tell them when they are done"
            self._tell({"event": "refused", "reason": reason})
            return
        marks = [world.marks(channel) for channel in wiring.pits]
        stones = [world.stones(wiring.channel(place)) for place in range(PLACES)]
        try:
            check_steps(steps, stones, marks, world.held(HAND), MARKS - sum(marks))
        except ToldError as error:
            self._tell({"event": "refused", "reason": str(error)})
        else:
            hands.tell(steps)

    def _on_action(self, timed: Timed) -> None:
        settings = self._settings
        match timed.action:
            case PlyDone(ply, sowing):
                side, text = sowing.side.value, format_short(sowing)
                self._tell({"event": "ply", "ply": ply, "side": side, "text": text, "at_us": timed.at_us})
            case OffenceDone(ply, offence, board):
                told = {"event": "offence", "ply": ply, "offence": offence.value, "board": board}
                self._tell(told | {"at_us": timed.at_us})
            case AllDone(plies):
                self._finished = True
                self._tell({"event": "finished", "plies": plies, "result": self._result(plies)})
                if settings.linger_s is not None:
                    self._stop_due_us = _wall_us() + round(settings.linger_s * 1e6)
            case ToldDone(number):
                self._tell({"event": "told", "line": number, "at_us": timed.at_us})
            case Drop() if self.table.hands.plies + 1 == self._unplug_at_ply:
                self._unplug_at_ply = None
                self.post(Unplug(settings.unplug_for_s))
            case _:
                pass

    def _result(self, plies: int) -> str | None:
        """Return the score as the stones have it after so many plies; None while the game is open."""
        ending = outcome(self._settings.record.sowings[plies - 1].after) if plies else None
        return None if ending is None else ending.score

    def _say_ready(self, event: str) -> None:
        self._tell(
            {
                "event": event,
                "device": str(self._settings.device_path),
                "terminal": self._port.target,
                "board_id": self._settings.board_id,
                "boot_id": self.table.device.boot_id,
            }
        )


def _boot_ids(settings: EmulatorSettings) -> Iterator[int]:
    """Yield boot ids for this run: never 0, never twice in a row."""
    entropy = int.from_bytes(os.urandom(8)) if settings.entropy is None else settings.entropy
    rng = Random(f"{settings.seed} {entropy}")
    last = 0
    while True:
        boot_id = rng.randrange(1, 2**32)
        if boot_id != last:
            yield boot_id
            last = boot_id


def _wall_us() -> int:
    return time.monotonic_ns() // 1000

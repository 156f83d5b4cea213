"""An emulated table in virtual time: world, hands and device tied together, without a cable.

Pure: each `step` is one sample. The world's time runs on through everything; the device's time begins anew at
each power cycle and is the world's time less the moment of the boot.
"""

from collections.abc import Callable, Sequence

from firmware_bridge.emulator.acting import carry_out
from firmware_bridge.emulator.actions import Button, Lapse, Signals, Timed
from firmware_bridge.emulator.hands import Hands
from sensors.device.device import Device
from sensors.frames import STATUS_EXCLUDED
from sensors.simulator.world import CellWorld


class EmulatedTable:
    """A world whose hands play and whose device reports.

    Args:
        world: cells and bodies, laid out.
        hands: the players.
        device: the microcontroller.
        tell: called with every action after it was carried out; times are world time.
        channels: which channel of the world each channel of the device is, None where nothing is soldered to
            it; None: they are the same.
        ages: a player's long thinking ages the world at once, without samples; False: it is waited out.

    Attributes:
        samples: how many samples were taken.
    """

    def __init__(
        self,
        world: CellWorld,
        hands: Hands,
        device: Device,
        tell: Callable[[Timed], None] | None = None,
        *,
        channels: Sequence[int | None] | None = None,
        ages: bool = False,
    ) -> None:
        self.world = world
        self.hands = hands
        self.device = device
        self.samples = 0
        self._tell = tell
        self._channels = channels
        self._ages = ages
        self._boot_us = 0

    @property
    def world_us(self) -> int:
        """World time of the last sample, microseconds."""
        return round(self.samples * self.world.period_us)

    @property
    def device_us(self) -> int:
        """Device time of the last sample, microseconds."""
        return self.world_us - self._boot_us

    def step(self) -> None:
        """Let one sample period go by: the hands do what is due, the cells are read, the device gets it."""
        self.samples += 1
        now_us = self.world_us
        while (timed := self.hands.next_action(now_us, self._signals)) is not None:
            self._carry_out(timed)
            if self._tell is not None:
                self._tell(timed)
        raw, status = self.world.read(now_us)
        if self._channels is not None:
            raw = tuple([0 if channel is None else raw[channel] for channel in self._channels])
            status = tuple(
                [STATUS_EXCLUDED if channel is None else status[channel] for channel in self._channels]
            )
        self.device.sample(self.device_us, raw, status)

    def power_cycle(self, boot_id: int) -> None:
        """Start the device anew; the stones stay where they are."""
        self._boot_us = self.world_us
        self.device.power_cycle(boot_id)

    def _signals(self) -> Signals:
        return Signals(self.device.host_lost, self.device.dials.running)

    def _carry_out(self, timed: Timed) -> None:
        match timed.action:
            case Button(button, down=True):
                self.device.press(button, max(0, timed.at_us - self._boot_us))
            case Lapse(seconds) if self._ages:
                self.world.lapse(seconds)
            case Lapse(seconds):
                self.hands.wait(seconds)
            case action:
                carry_out(self.world, action, timed.at_us)

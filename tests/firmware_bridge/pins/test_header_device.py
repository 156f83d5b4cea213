"""Converters, count sensors, buttons and lamps as one device, before the real host link, in virtual time."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.pins.header_device import HeaderDevice, HeaderSettings
from sensors import frames
from sensors.hx711_bus import Bus
from sensors.link import DeviceHello, Link, LinkEvent
from sensors.samples import ChannelStatus, Press, RawSample
from tests.sensors.converters import Converter, ConverterWorld

MS = 1_000
SECOND = 1_000_000


class Table:
    """A header and its host on one line.

    Attributes:
        down: whether each button, then each count sensor, is closed.
        events: what the host's link has told.
    """

    def __init__(self, cells: int = 0, **wired: object) -> None:
        settings = HeaderSettings(board_id="pins-1", firmware="togyz-pins 9", cells=cells, **wired)  # type: ignore[arg-type] # the fields of the test at hand
        self.world = ConverterWorld([Converter(raw=70_000 * (each + 1)) for each in range(cells)])
        bus = Bus(self.world, cells, 80.0) if cells else None
        self.down = [False] * (settings.buttons + settings.beams)
        self.header = HeaderDevice(settings, 77, bus, self.down)
        self.link = Link()
        self.events: list[LinkEvent] = []
        self.acknowledges = True
        self.link.connected(0)

    @property
    def now_us(self) -> int:
        """Device time, and the host's."""
        return self.world.now // 1000

    def run(self, lasts_us: int, edges: Callable[[int], None] = lambda _now: None) -> list[LinkEvent]:
        """Let time pass; return what the host has heard meanwhile."""
        end_us, before = self.now_us + lasts_us, len(self.events)
        while self.now_us < end_us:
            now_us = self.now_us
            edges(now_us)
            self.header.device.receive(self.link.data_to_send(), now_us, now_us)
            self.header.look(self.down, now_us)
            self.header.poll(now_us)
            while (frame := self.header.device.next_frame()) is not None:
                self.hear(self.link.receive(frame, now_us))
            self.hear(self.link.poll(now_us))
            self.world.pass_us(max(300, min(self.header.next_us - now_us, 2 * MS)))
        return self.events[before:]

    def hear(self, events: list[LinkEvent]) -> None:
        """Be the host's program."""
        self.events += events
        for event in events:
            if isinstance(event, Press) and self.acknowledges:
                self.link.acknowledge(event)

    def samples(self, lasts_us: int) -> list[RawSample]:
        """Return the samples of a while."""
        return [event for event in self.run(lasts_us) if isinstance(event, RawSample)]

    def presses(self) -> list[tuple[int, int]]:
        """Return all presses so far: button and time."""
        return [(event.button, event.time_us) for event in self.events if isinstance(event, Press)]


def hello(table: Table) -> frames.Hello:
    """Return what the device says of itself."""
    table.run(500 * MS)
    found = [event for event in table.events if isinstance(event, DeviceHello)]
    assert len(found) == 1
    assert table.link.hello is not None
    return table.link.hello


def test_a_header_with_everything_says_what_it_has() -> None:
    """Loads, count sensors, buttons, lamps, the arbiter's lamp and a buzzer; no dials."""
    said = hello(Table(3, beams=2, buttons=5, lamps=(True,) * 4, buzzer=True))
    assert said.features == (
        frames.FEATURE_LOADS
        | frames.FEATURE_COUNTERS
        | frames.FEATURE_BUTTONS
        | frames.FEATURE_LAMPS
        | frames.FEATURE_ARBITER_LAMP
        | frames.FEATURE_BUZZER
    )
    assert (said.channels, said.buttons, said.rate_centihz) == (5, 5, 8000)
    assert (said.board_id, said.firmware, said.boot_id) == ("pins-1", "togyz-pins 9", 77)
    assert said.time_scale == 1


def test_buttons_alone_are_a_device_too() -> None:
    """Without cells and count sensors it sends no samples, and the host waits for none."""
    table = Table(buttons=2)
    assert hello(table).features == frames.FEATURE_BUTTONS
    table.down[1] = True
    table.run(5 * SECOND)
    assert table.header.next_us > table.now_us + 3600 * SECOND  # nothing to wake up for
    assert table.samples(SECOND) == []
    assert [button for button, _ in table.presses()] == [1]
    assert table.header.presses == 1


def test_cells_are_told_at_their_rate() -> None:
    """Each with its own number."""
    table = Table(3)
    table.run(2 * SECOND)
    found = table.samples(SECOND)
    assert 70 <= len(found) <= 82
    assert {sample.raw for sample in found} == {(70_000, 140_000, 210_000)}
    assert {sample.status for sample in found} == {(ChannelStatus.OK,) * 3}


def test_a_converter_that_is_gone_says_so_and_the_others_go_on() -> None:
    """At full rate."""
    table = Table(3)
    table.run(SECOND)
    table.world.converters[1].gone = True
    table.run(SECOND)
    found = table.samples(SECOND)
    assert len(found) >= 70
    assert {sample.status for sample in found} == {
        (ChannelStatus.OK, ChannelStatus.EXCLUDED, ChannelStatus.OK)
    }


def test_count_sensors_follow_the_cells_and_count_on() -> None:
    """Each broken beam is one, however short; without cells they are told at the rate that is set."""
    for cells in (0, 2):
        table = Table(cells, beams=2, buttons=1, rate_hz=80.0)
        table.run(SECOND)
        for at_us in (0, 2 * MS, 4 * MS):
            now_us = table.now_us + at_us
            table.header.edge(2, now_us, down=True)
            table.header.edge(2, now_us + 700, down=False)
        last = table.samples(200 * MS)[-1]
        assert last.raw[cells:] == (0, 3)
        assert last.status[cells:] == (ChannelStatus.OK,) * 2


def test_a_press_that_bounces_comes_once_with_the_time_of_its_first_edge() -> None:
    """Also where the library tells no edges and the contact is only looked at."""
    table = Table(buttons=3)
    table.run(500 * MS)
    at_us = table.now_us
    for bounce in range(6):
        table.header.edge(0, at_us + bounce * 400, down=bounce % 2 == 0)
    table.header.edge(0, at_us + 2_400, down=True)
    table.down[0] = True
    table.run(50 * MS)
    table.down[2] = True
    table.run(50 * MS)
    (first, first_us), (second, second_us) = table.presses()
    assert (first, first_us) == (0, at_us)
    assert second == 2
    assert 50 * MS <= second_us - at_us <= 54 * MS


def test_two_presses_settled_in_one_look_are_numbered_in_the_order_of_their_times() -> None:
    """Whichever button has the lower number."""
    table = Table(buttons=2)
    table.run(500 * MS)
    now_us = table.now_us
    table.header.edge(1, now_us, down=True)
    table.header.edge(0, now_us + 100, down=True)
    table.down = [True, True]
    table.run(50 * MS)
    assert table.presses() == [(1, now_us), (0, now_us + 100)]


def test_presses_are_kept_until_the_host_has_them_safe() -> None:
    """The host is away, comes back, and has each once."""
    table = Table(buttons=1)
    table.acknowledges = False
    table.run(500 * MS)
    for _ in range(3):
        table.down[0] = True
        table.run(30 * MS)
        table.down[0] = False
        table.run(30 * MS)
    assert table.header.device.unacknowledged == 3
    assert len(table.presses()) == 3
    for event in [event for event in table.events if isinstance(event, Press)]:
        table.link.acknowledge(event)
    table.run(100 * MS)
    assert table.header.device.unacknowledged == 0


def test_lamps_and_sounds_are_switched_as_the_host_says() -> None:
    """Attention burns while no host is heard; one that blinks is off half of the time."""
    table = Table(buttons=1, lamps=(True,) * 4, buzzer=True)
    assert table.header.outputs(0) == (False, False, True, False, False)
    table.run(500 * MS)
    table.link.set_lamps(on=frames.LAMP_SIDE_A, blink=frames.LAMP_ARBITER)
    table.link.buzz(frames.SOUND_TONE, 300)
    table.run(100 * MS)
    now_us = table.now_us
    seen = {table.header.outputs(now_us + each * 100 * MS)[:4] for each in range(10)}
    assert seen == {(True, False, False, True), (True, False, False, False)}
    assert table.header.outputs(now_us)[4]
    assert not table.header.outputs(now_us + 400 * MS)[4]


def test_reading_that_goes_wrong_reaches_the_host_as_a_read_error() -> None:
    """Never as a number."""
    table = Table(2)
    table.run(2 * SECOND)
    table.world.preempt = {9: 200_000}
    found = table.samples(SECOND)
    assert {sample.status[0] for sample in found} == {ChannelStatus.OK, ChannelStatus.READ_ERROR}
    assert {sample.raw for sample in found if sample.status[0] is ChannelStatus.OK} == {(70_000, 140_000)}

"""The host's end of the TOGYZ link, without I/O: bytes in, events out; commands in, bytes out.

The caller owns the port and the clock. Its duties:

1. `connected` when the port opens, `disconnected` when it closes or cannot be opened.
2. `receive` with whatever bytes arrive; `poll` at least every 100 ms. Act on the events in order.
3. After each of these calls and after each command: write what `data_to_send` returns.
4. `acknowledge` a press only when it is durable (`PROTOCOL.md`, section 7).

`now_us` is the host's monotonic clock in microseconds; it judges silence, repetition, and whether the
device's time can be believed (section 6). All times in events are device time. Nothing the device sends
makes the link raise, and nothing computed from it does when it is given back to `show_clock`.
"""

from collections.abc import Callable
from dataclasses import replace

from sensors import frames
from sensors.acquaintance import Acquaintance
from sensors.device_frames import DeviceFrames, statuses_of
from sensors.host_frames import HostFrames, pack_view
from sensors.link_events import (
    ClockView,
    DeviceHello,
    LinkEvent,
    LinkLost,
    LinkRestored,
    LinkState,
    LinkStatistics,
)
from sensors.link_watch import SampleWatch, Troubles
from sensors.presses import PressInbox
from sensors.samples import FaultKind, Press, RawSample

# fmt: off
__all__ = ["ClockView", "DeviceHello", "Link", "LinkEvent", "LinkLost", "LinkRestored", "LinkState",
           "LinkStatistics"]
# fmt: on

SILENCE_US = 2_000_000
"""Silence after which the link is lost (PROTOCOL.md, section 8)."""
BEAT_US = 500_000
"""Between two BEATs or two HELLO_REQUESTs of the host (sections 5 and 8)."""
FOREIGN_US = 5_000_000
"""Between two HELLO_REQUESTs to a device of another major version (section 8)."""
DOUBT_US = 100_000
"""The least time between two HELLO_REQUESTs that something received has provoked."""
LAMPS_EVERY, HELLO_EVERY = 4, 20
"""Every so many BEATs the lamps are refreshed (2 s), and the device is asked who it is (10 s)."""
CLOCK_REPEAT_US = 500_000
"""A CLOCK younger than this may simply not have reached the device before its BEAT."""


class Link:
    """One device on one line.

    Args:
        expected_boot: boot id the caller's journal knows; None for none.
        last_event: the last press of that boot that is durable; repetitions up to it are only
            acknowledged.

    Attributes:
        state: see `LinkState`.
    """

    def __init__(self, *, expected_boot: int | None = None, last_event: int = 0) -> None:
        self.state = LinkState.CLOSED
        self._known = Acquaintance(None if expected_boot is None else PressInbox(expected_boot, last_event))
        self._statistics = LinkStatistics()
        self._in = DeviceFrames(self._statistics)
        self._out = HostFrames()
        self._events: list[LinkEvent] = []
        self._lost: str | None = None
        self._silence_said = False
        self._now_us = 0
        self._silent_since_us = 0
        self._samples = SampleWatch()
        self._troubles = Troubles()
        self._beats = 0
        self._next_beat_us = 0
        self._asked_us = 0
        self._view: ClockView | None = None
        self._revision = 0
        self._clock_sent_us = 0
        self._lamps = frames.Lamps(0, 0)
        self._handlers: dict[int, Callable[[bytes], None]] = {
            frames.DATA: self._on_data,
            frames.BUTTON: self._on_button,
            frames.BEAT: self._on_beat,
        }

    # ---- what the caller tells -------------------------------------------------------------------

    def connected(self, now_us: int) -> None:
        """Begin anew on a port just opened: ask the device who it is."""
        self._now_us = now_us
        self._in.begin()
        self._out.begin()
        self._troubles.begin()
        self._samples.last_us = now_us
        if not self._statistics.openings:
            # So that no device can still show a CLOCK of an earlier process under one of our revisions.
            self._revision = (now_us // 1000) & 0x7FFFFFFF
        self._statistics.openings += 1
        self._silent_since_us = now_us
        self._silence_said = False
        self._ask()

    def disconnected(self, now_us: int, reason: str = "the port is closed") -> None:
        """Take note that the port is gone or could not be opened; `poll` then says why."""
        self._now_us = now_us
        if reason != self._lost:
            self._lose(reason)
        self.state = LinkState.CLOSED
        self._out.clear()

    def receive(self, data: bytes, now_us: int) -> list[LinkEvent]:
        """Take bytes from the port; return what they mean. While closed they are ignored."""
        self._now_us = now_us
        if self.state is not LinkState.CLOSED:
            for kind, seq, payload in self._in.feed(data):
                self._on_frame(kind, seq, payload)
            if self.state is LinkState.UP and self._boot().acknowledgement_due():
                self._send_acknowledgement()
        return self._take_events()

    def poll(self, now_us: int) -> list[LinkEvent]:
        """Do what time demands: heartbeats, requests, giving up; return what that means."""
        unattended_us = now_us - self._now_us
        self._now_us = now_us
        if self.state is not LinkState.CLOSED:
            if unattended_us > SILENCE_US // 2:
                self._silent_since_us += unattended_us  # this program slept; that is not the device's silence
                self._samples.last_us += unattended_us
            if now_us - self._silent_since_us > SILENCE_US and not self._silence_said:
                self._silence_said = True
                self._lose(self._why_silent())
                if self.state is LinkState.UP:
                    self._ask()
            if now_us >= self._next_beat_us:
                self._beat()
            if self.state is LinkState.UP:
                self._events += self._boot().give_up(now_us)
            self._watch_samples()
        return self._take_events()

    def acknowledge(self, press: Press) -> None:
        """Tell the device that this press, and every one before it, is durable.

        A press of an earlier boot is ignored: the device no longer knows it.

        Raises:
            ValueError: if the press was never handed on.
        """
        if self._known.inbox is not None and self._known.inbox.boot_id == press.boot_id:
            self._known.inbox.acknowledge(press.number)
            self._send_acknowledgement()

    def show_clock(self, view: ClockView) -> None:
        """Show this on the dials until told otherwise; repeated until the device confirms it.

        A view belongs to the device's present boot. It is dropped when another boot appears, because
        its times mean nothing there; the caller makes a new one. The same holds where the time of one
        boot begins anew (`DeviceHello.same_boot` False). Numbers beyond their fields are shown as the
        nearest that fit.

        Raises:
            ValueError: if `running` is not 0, 1 or 2.
        """
        pack_view(view, 0)  # a bad one fails here, not in `receive`
        self._view = view
        self._revision = self._revision % 0xFFFFFFFF + 1
        self._send_clock()

    def set_lamps(self, *, on: int, blink: int = 0) -> None:
        """Light the lamps of `on` and `blink` (frames.LAMP_x bits) until told otherwise.

        Lamps that the device does not have are left out; so are all features that it does not declare.
        """
        self._lamps = frames.Lamps(on, blink)
        self._send_lamps()

    def buzz(self, pattern: int, duration_ms: int) -> None:
        """Sound once, now, at most `frames.MAX_SOUND_MS`; nothing if no device with a buzzer is there."""
        if self.state is LinkState.UP:
            self._out.buzzer(frames.Buzzer(pattern, duration_ms), self._identified().features)

    def data_to_send(self) -> bytes:
        """Return what is to be written to the port, and forget it."""
        return self._out.take()

    @property
    def hello(self) -> frames.Hello | None:
        """What the device last said of itself; None before the first time."""
        return self._known.hello

    @property
    def statistics(self) -> LinkStatistics:
        """A copy of the counters."""
        self._collect_counters()
        return replace(self._statistics)

    # ---- frames of the device --------------------------------------------------------------------

    def _on_frame(self, kind: int, seq: int, payload: bytes) -> None:
        """Act on one valid frame, or say why not."""
        if kind & frames.FROM_HOST:
            self._statistics.unknown_types += 1  # a line in echo mode: what we said ourselves is no device
            return
        if not self._in.follows(seq) and self.state is LinkState.UP:
            self._doubt()
        try:
            if kind == frames.HELLO:
                self._on_hello(payload)
            elif self.state is not LinkState.UP:
                self._statistics.unidentified += 1
                if self.state is LinkState.ASKING and self._now_us - self._asked_us >= DOUBT_US:
                    self._ask()
            elif (handler := self._handlers.get(kind)) is not None:
                self._silent_since_us = self._now_us
                handler(payload)
            else:
                self._silent_since_us = self._now_us
                self._statistics.unknown_types += 1
        except frames.FrameError as error:
            self._statistics.malformed += 1
            self._fault(FaultKind.MALFORMED, f"the device's firmware is wrong: {error}")

    def _on_hello(self, payload: bytes) -> None:
        major, minor = frames.hello_version(payload)
        if major != frames.MAJOR:
            self._foreign(major, minor)
            return
        self._collect_counters()
        greeting = self._known.greet(frames.unpack_hello(payload), self._now_us)
        self._silent_since_us = self._now_us
        if greeting.jumped:
            self._fault(FaultKind.TIME_JUMPED, greeting.jumped)
        if greeting.same_boot is False:
            self._view = None
        if self.state is not LinkState.UP or greeting.changed:
            self._introduce(same_boot=greeting.same_boot)

    def _on_data(self, payload: bytes) -> None:
        data = frames.unpack_data(payload)
        hello = self._identified()
        if len(data.raw) != hello.channels:
            detail = f"DATA has {len(data.raw)} channels, HELLO of {hello.board_id!r} said {hello.channels}"
            self._fault(FaultKind.CHANNEL_COUNT, detail)
            return
        time_us = self._known.sample_time(data.time_low, self._now_us)
        if time_us is None:
            self._doubt()
        elif time_us < 0:
            self._statistics.late_samples += 1
        else:
            self._samples.last_us = self._now_us
            self._events.append(RawSample(time_us, data.raw, statuses_of(data.status)))

    def _on_button(self, payload: bytes) -> None:
        self._events += self._known.pressed(frames.unpack_button(payload), self._now_us)

    def _on_beat(self, payload: bytes) -> None:
        beat = frames.unpack_beat(payload)
        if not self._known.clock.follows(beat.time_us, self._now_us):
            self._doubt()
            return
        self._statistics.device_dropped_data = beat.dropped_data
        self._statistics.device_bad_frames = beat.bad_frames
        if beat.clock_revision != self._revision and self._now_us - self._clock_sent_us >= CLOCK_REPEAT_US:
            self._send_clock()

    # ---- what follows from it --------------------------------------------------------------------

    def _identified(self) -> frames.Hello:
        """Return the HELLO of the device; it has one in state UP."""
        assert self._known.hello is not None
        return self._known.hello

    def _boot(self) -> PressInbox:
        """Return the presses of the device's boot; there are some in state UP."""
        assert self._known.inbox is not None
        return self._known.inbox

    def _introduce(self, *, same_boot: bool | None) -> None:
        """Say who the device is, and tell it everything it should know."""
        if self._lost is not None or not same_boot:
            self._samples.last_us = self._now_us
        if self._lost is not None:
            self._lost = None
            self._events.append(LinkRestored())
        self._silence_said = False
        self._events.append(DeviceHello(self._identified(), same_boot))
        if self.state is not LinkState.UP:
            self.state = LinkState.UP
            self._next_beat_us = self._now_us
        if self._boot().acknowledged:
            self._send_acknowledgement()
        self._send_lamps()
        self._send_clock()

    def _doubt(self) -> None:
        """Something jumped that jumps only when a device restarts: make sure before acting on more."""
        self._statistics.doubts += 1
        self.state = LinkState.ASKING
        if self._now_us - self._asked_us >= DOUBT_US:
            self._ask()

    def _foreign(self, major: int, minor: int) -> None:
        """Refuse a device of another major version."""
        if self.state is not LinkState.FOREIGN:
            self.state = LinkState.FOREIGN
            self._next_beat_us = self._now_us + FOREIGN_US
        self._fault(
            FaultKind.INCOMPATIBLE,
            f"the device speaks TOGYZ link {major}.{minor}, this program {frames.MAJOR}.{frames.MINOR}: "
            f"install firmware for version {frames.MAJOR} on the device, or a program for version {major}",
        )

    def _lose(self, reason: str) -> None:
        """Say that the device is not heard."""
        self._lost = reason
        self._events.append(LinkLost(reason))
        if self._known.inbox is not None:
            self._known.inbox.stop_waiting()

    def _why_silent(self) -> str:
        """Return what is known about the silence, for people."""
        if self.state is LinkState.FOREIGN:
            return "the device speaks another major version of the protocol"
        if self.state is LinkState.UP:
            return (
                f"nothing heard from the device for {SILENCE_US / 1e6:.0f} s: is it powered, is it hanging?"
            )
        return self._in.why_unknown()

    def _fault(self, kind: FaultKind, detail: str) -> None:
        """Report trouble of the device, the same kind only now and then."""
        self._events += self._troubles.say(kind, detail, self._now_us)

    def _watch_samples(self) -> None:
        """Say it when a device that is heard shows nothing of the board."""
        if self.hello is None or self._lost is not None or self.state is LinkState.FOREIGN:
            return
        missing = self._samples.missing(self.hello, self._now_us)
        if missing:
            self._fault(FaultKind.NO_SAMPLES, missing)

    def _take_events(self) -> list[LinkEvent]:
        events, self._events = self._events, []
        return events

    def _collect_counters(self) -> None:
        """Add what the others have counted since the last time."""
        total = self._statistics
        total.unsent = self._out.unsent
        if self._known.inbox is not None:
            total.repeated_presses += self._known.inbox.repeated
            total.lost_presses += self._known.inbox.lost
            self._known.inbox.repeated = self._known.inbox.lost = 0

    # ---- what is sent ----------------------------------------------------------------------------

    def _ask(self) -> None:
        """Ask the device who it is, and act on nothing else until it has answered."""
        self.state = LinkState.ASKING
        self._asked_us = self._now_us
        self._next_beat_us = self._now_us + BEAT_US
        self._out.hello_request()

    def _beat(self) -> None:
        """Send what is due twice a second."""
        if self.state is LinkState.ASKING:
            self._ask()
        elif self.state is LinkState.FOREIGN:
            self._next_beat_us = self._now_us + FOREIGN_US
            self._out.hello_request()
        else:
            self._next_beat_us = self._now_us + BEAT_US
            self._beats += 1
            self._out.beat()
            if self._beats % LAMPS_EVERY == 0:
                self._send_lamps()
            if self._beats % HELLO_EVERY == 0:
                self._out.hello_request()

    def _send_acknowledgement(self) -> None:
        if self.state is LinkState.UP:
            self._out.button_ack(self._boot().boot_id, self._boot().acknowledged)

    def _send_lamps(self) -> None:
        if self.state is LinkState.UP:
            self._out.lamps(self._lamps, self._identified().features)

    def _send_clock(self) -> None:
        if self.state is LinkState.UP and self._view is not None:
            self._clock_sent_us = self._now_us
            self._out.clock(self._view, self._revision)

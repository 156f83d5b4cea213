"""What a link knows of its device: who it is, how far its time can be believed, which presses it had.

It outlives the port: whoever answers on it next is held against what is known here.
"""

from dataclasses import dataclass, replace

from sensors import frames
from sensors.device_clock import DeviceClock
from sensors.device_time import EARLIEST_STEP_US, extend_time
from sensors.presses import PressInbox, check_number, press_time_fault
from sensors.samples import Fault, Press


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a HELLO means, held against what was known.

    Attributes:
        same_boot: as in `DeviceHello`.
        changed: whether the device must be introduced (again).
        jumped: why its time cannot be believed, for people; "" if it can.
    """

    same_boot: bool | None
    changed: bool
    jumped: str


class Acquaintance:
    """The device known last.

    Args:
        inbox: the presses of the boot a journal knows; None for none.

    Attributes:
        hello: what it last said of itself; None before the first time.
        inbox: the presses of its boot; None before any is known.
        clock: its time.
    """

    def __init__(self, inbox: PressInbox | None) -> None:
        self.hello: frames.Hello | None = None
        self.inbox = inbox
        self.clock = DeviceClock()
        self._sample_us = -1

    def greet(self, hello: frames.Hello, now_us: int) -> Greeting:
        """Take a HELLO of our version.

        Raises:
            FrameError: if so many presses cannot have happened; nothing is taken then.
        """
        known = self.inbox
        inbox = known if known is not None and known.boot_id == hello.boot_id else None
        self._check_presses(hello, inbox, now_us)
        same: bool | None = inbox is not None
        jumped = ""
        if inbox is not None:
            jumped = self.clock.take(hello.uptime_us, now_us) if self.clock.started else ""
            same = not jumped and not _another_time(self.hello, hello)
            if not same:
                inbox.begin_time(hello.uptime_us)
        elif known is not None:
            inbox = PressInbox(hello.boot_id)
        else:
            same, inbox = None, PressInbox(hello.boot_id, unknown_up_to=hello.next_event - 1)
        if not same or not self.clock.started:
            self.clock.begin(hello.uptime_us, hello.time_scale, now_us)
            self._sample_us = -1
        changed = not same or _who(self.hello) != _who(hello)
        self.hello, self.inbox = hello, inbox
        inbox.none_from(hello.next_event, hello.uptime_us + EARLIEST_STEP_US * hello.time_scale)
        inbox.exists_up_to(hello.next_event - 1, now_us)
        return Greeting(same, changed, jumped)

    def _check_presses(self, hello: frames.Hello, inbox: PressInbox | None, now_us: int) -> None:
        """Refuse a `next_event` that cannot have been reached."""
        unheard_us = hello.uptime_us
        if inbox is not None and self.clock.started:
            unheard_us = self.clock.expected_us(now_us) - self.clock.newest_us
        known = 0 if inbox is None else inbox.known
        check_number("HELLO: next_event", hello.next_event, known + 1, unheard_us)

    def sample_time(self, low: int, now_us: int) -> int | None:
        """Return the full time of a sample, -1 if it is not newer than the last one, None if doubtful."""
        time_us = extend_time(low, self.clock.newest_us)
        if time_us > frames.MAX_TIME_US or not self.clock.follows(time_us, now_us):
            return None
        if time_us <= self._sample_us:
            return -1
        self._sample_us = time_us
        return time_us

    def pressed(self, button: frames.Button, now_us: int) -> list[Press | Fault]:
        """Return what a BUTTON brings: presses in order, with times they can have.

        Raises:
            FrameError: if its number cannot have been reached.
        """
        inbox = self.inbox
        assert inbox is not None, "a device that has said who it is has a boot"
        arrived_us = self.clock.expected_us(now_us)
        down = button.edge == frames.EDGE_DOWN
        press = Press(inbox.boot_id, button.number, button.button, button.time_us, down)
        if button.time_us <= self.clock.latest_press_us(now_us):
            return inbox.offer(press, now_us, arrived_us)
        awaited = inbox.awaits(button.number)
        found = inbox.offer(replace(press, time_us=arrived_us), now_us, arrived_us)
        return [press_time_fault(press, arrived_us, "later than it arrived"), *found] if awaited else found


def _who(hello: frames.Hello | None) -> frames.Hello | None:
    """Return what a device says of itself without what changes all the time."""
    return None if hello is None else hello._replace(uptime_us=0, next_event=1)


def _another_time(before: frames.Hello | None, hello: frames.Hello) -> bool:
    """Return whether two HELLOs of one boot id cannot be of one device, or of one time."""
    return before is not None and (before.board_id, before.time_scale) != (hello.board_id, hello.time_scale)

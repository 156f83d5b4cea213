"""The board: the only file that touches `rp2`, `machine` and the line to the host.

The HX711 are clocked by a PIO state machine, which no interrupt can hold up while the clock is high; the
shift register by a second one. Everything else is pins.
"""

import os
import select
import sys
from binascii import crc32, hexlify
from time import ticks_us

import frames
import machine
import micropython
import rp2
from machine import Pin
from pins import check
from ticks import MASK, elapsed_us

PIO_HZ = 2_000_000
"""Half a microsecond an instruction: a clock is high for 1 us (data sheet: 0.2 to 50) and low for 1.5."""

SHIFT_HZ = 4_000_000
"""A word is shifted out in about 5 us, eight clocks of half a microsecond."""

PIECE = 32
"""Bytes written at once. MicroPython waits up to 0.5 s when the port has room for some of them only."""

STALLED_US = 50_000
"""A write that took so long has met a host that does not read: from now on a byte at a time, which never
waits, until the line has been free for `CAREFUL_US`."""

CAREFUL_US = 5_000_000

GPIO_IN = 0xD0000004
"""Register with the levels of GP0 to GP29, the same on RP2040 and RP2350: one look at all chips."""


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, in_shiftdir=rp2.PIO.SHIFT_LEFT)
def read_chips():  # noqa: D103 - a PIO program: each line is one instruction
    wrap_target()  # noqa: F821
    pull(block).side(0)  # noqa: F821 - the number of gain pulses less one; writing it asks for a read
    mov(y, osr).side(0)  # noqa: F821
    set(x, 23).side(0)  # noqa: F821
    label("bit")  # noqa: F821
    nop().side(1)[1]  # noqa: F821 - the chips show their next bit within 0.1 us
    in_(pins, 32).side(0)  # noqa: F821 - the levels as they were while the clock was high
    push(block).side(0)  # noqa: F821 - a full FIFO waits here, with the clock low, where waiting is harmless
    jmp(x_dec, "bit").side(0)  # noqa: F821
    label("gain")  # noqa: F821
    nop().side(1)[1]  # noqa: F821
    jmp(y_dec, "gain").side(0)[1]  # noqa: F821
    in_(pins, 32).side(0)  # noqa: F821 - every chip that counted the same clocks has DOUT high now
    push(block).side(0)  # noqa: F821
    wrap()  # noqa: F821


@rp2.asm_pio(
    out_init=rp2.PIO.OUT_LOW,
    set_init=rp2.PIO.OUT_LOW,
    sideset_init=(rp2.PIO.OUT_LOW, rp2.PIO.OUT_LOW),
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
)
def shift_out():  # noqa: D103 - a PIO program: side bit 0 is the shift clock, bit 1 the latch
    wrap_target()  # noqa: F821
    pull(block).side(0)  # noqa: F821
    set(pindirs, 1).side(0)  # noqa: F821 - the data line is ours now
    set(x, 7).side(0)  # noqa: F821
    label("bit")  # noqa: F821
    out(pins, 1).side(0)  # noqa: F821
    jmp(x_dec, "bit").side(1)  # noqa: F821
    nop().side(2)[1]  # noqa: F821 - all outputs change at once
    set(pindirs, 0).side(0)  # noqa: F821 - and the button's again
    wrap()  # noqa: F821


class Stamp:
    """When a pin fell or rose last; written by its interrupt, which may not allocate."""

    def __init__(self):
        self.pending = False
        self.first = 0
        self.latest = 0

    def edge(self, _pin):
        """Note an edge."""
        self.latest = ticks_us()
        if not self.pending:
            self.first = self.latest
            self.pending = True


class Counter:
    """Falling edges of a beam, less those that follow another within `DEAD_US`."""

    DEAD_US = 2000

    def __init__(self):
        self.pulses = 0
        self._latest = (ticks_us() - self.DEAD_US) & MASK

    def edge(self, _pin):
        """Count an edge; the running number turns over at 2^23."""
        now = ticks_us()
        if elapsed_us(now, self._latest) >= self.DEAD_US:
            self.pulses = (self.pulses + 1) % frames.PULSES_WRAP
        self._latest = now


class Line:
    """The host's end of the cable, never waited for.

    Args:
        source, sink: byte streams that can be polled.
    """

    def __init__(self, source, sink):
        self._source, self._sink = source, sink
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(source, select.POLLIN)
        self._writable.register(sink, select.POLLOUT)
        self._rest = memoryview(b"\x00")  # ends what a boot loader may have said
        self._at = 0
        self._careful_since = None
        self._byte = bytearray(1)
        self._into = bytearray(64)

    def read(self):
        """Return what the host has sent, at most 64 bytes; None when nothing is there."""
        count = 0
        while count < len(self._into) and self._ready(self._readable):
            if not self._source.readinto(self._byte):
                break
            self._into[count] = self._byte[0]
            count += 1
        return bytes(memoryview(self._into)[:count]) if count else None

    def write(self, next_frame, now_us):
        """Write frames until the line takes no more or there are none; return whether all went out.

        A frame that was begun is finished the next time, so frames never break.
        """
        while self._ready(self._writable):
            if self._rest is None:
                frame = next_frame(now_us)
                if frame is None:
                    return True
                self._rest, self._at = memoryview(frame), 0
            began = ticks_us()
            size = PIECE if self._careful_since is None else 1
            try:
                written = self._sink.write(self._rest[self._at : self._at + size])
            except OSError:  # a line that has no room after all
                written = None
            self._watch(began)
            if not written:
                return False
            self._at += written
            if self._at >= len(self._rest):
                self._rest = None
        return False

    def _watch(self, began):
        now = ticks_us()
        if elapsed_us(now, began) > STALLED_US:
            self._careful_since = now
        elif self._careful_since is not None and elapsed_us(now, self._careful_since) > CAREFUL_US:
            self._careful_since = None

    def _ready(self, poll):
        for _stream, _event in poll.ipoll(0):
            return True
        return False


class Board:
    """Pins, chips and line as config.py says; ValueError if that cannot be meant."""

    def __init__(self, config, line=None):
        check(config)
        micropython.kbd_intr(-1)  # a frame may contain 0x03
        self.line = line or _open_line(config)
        pins = config.PINS
        self._button_pins = tuple([Pin(number, Pin.IN, Pin.PULL_UP) for number in pins["buttons"]])
        self.stamps = tuple([Stamp() for _pin in self._button_pins])
        # A button on the shift register's data line is only looked at: each word would be an edge.
        shared = pins["shift"]["data"] if pins["shift"] else None
        self._shared = pins["buttons"].index(shared) if shared in pins["buttons"] else None
        self._shared_closed = False
        for number, pin, stamp in zip(pins["buttons"], self._button_pins, self.stamps):
            if number != shared:
                pin.irq(stamp.edge, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)
        self.counters = tuple([Counter() for _number in pins["beams"]])
        self._beam_pins = tuple([Pin(number, Pin.IN, Pin.PULL_UP) for number in pins["beams"]])
        for pin, counter in zip(self._beam_pins, self.counters):
            pin.irq(counter.edge, Pin.IRQ_FALLING, hard=True)
        self._outputs = _Outputs(config)
        self._chips = _Chips(pins, config.GAIN_PULSES) if pins["dout"] else None
        self._watchdog = None
        self._watchdog_ms = config.WATCHDOG_MS

    def closed(self, button):
        """Return whether a button's contact is closed now."""
        if button != self._shared:
            return not self._button_pins[button].value()
        if self._outputs.idle:
            self._shared_closed = not self._button_pins[button].value()
        return self._shared_closed

    def levels(self):
        """Return the levels of the chips' DOUT, bit 0 GP0."""
        return machine.mem32[GPIO_IN]

    def read(self, words):
        """Clock all chips once and put the levels behind each clock into `words`."""
        self._chips.read(words)

    def clock_high(self, high):
        """Hold the chips' clock high, which switches them off, or let it low again."""
        self._chips.hold(high)

    def drive(self, levels):
        """Set all outputs: bit n is what OUTPUTS calls n."""
        self._outputs.drive(levels)

    def feed_watchdog(self):
        """Say that samples are taken; the first time, have them watched from now on."""
        if self._watchdog is None and self._watchdog_ms:
            self._watchdog = machine.WDT(timeout=self._watchdog_ms)
        if self._watchdog is not None:
            self._watchdog.feed()


class _Chips:
    """The state machine that clocks the HX711."""

    def __init__(self, pins, gain_pulses):
        for number in pins["dout"]:
            Pin(number, Pin.IN, Pin.PULL_UP)
        self._gain = gain_pulses - 1
        self._machine = rp2.StateMachine(
            0, read_chips, freq=PIO_HZ, in_base=Pin(0), sideset_base=Pin(pins["sck"])
        )
        self._machine.active(1)

    def read(self, words):
        """Ask for one read and wait the 70 us it takes."""
        self._machine.put(self._gain)
        self._machine.get(words)

    def hold(self, high):
        """Drive the clock by hand while the program stands, or let the program have it again."""
        self._machine.active(0)
        self._machine.exec("nop() .side(1)" if high else "nop() .side(0)")
        if not high:
            self._machine.restart()
            self._machine.active(1)


class _Outputs:
    """The shift register, or the pins that stand for its outputs."""

    def __init__(self, config):
        shift = config.PINS["shift"]
        self._before = None
        self._machine = None
        if shift:
            self._machine = rp2.StateMachine(
                4,  # of the other PIO block: 32 instructions are not shared
                shift_out,
                freq=SHIFT_HZ,
                out_base=Pin(shift["data"]),
                set_base=Pin(shift["data"]),
                sideset_base=Pin(shift["clock"]),
            )
            self._machine.active(1)
        else:
            self._pins = tuple([(1 << n, Pin(n, Pin.OUT, value=0)) for n in config.OUTPUTS.values()])

    @property
    def idle(self):
        """Whether no word waits to be shifted out."""
        return self._machine is None or not self._machine.tx_fifo()

    def drive(self, levels):
        """Set all outputs."""
        if levels == self._before:
            return
        if self._machine is not None:
            self._machine.put(levels, 24)
        else:
            for bit, pin in self._pins:
                pin.value(1 if levels & bit else 0)
        self._before = levels


def _open_line(config):
    if config.LINE == "uart":
        uart = config.UART
        port = machine.UART(
            uart["id"], uart["baud"], tx=Pin(uart["tx"]), rx=Pin(uart["rx"]), txbuf=512, rxbuf=256, timeout=0
        )
        return Line(port, port)
    return Line(sys.stdin.buffer, sys.stdout.buffer)


def board_id(config):
    """Return the board's name: the configured one, or one of the chip's number."""
    return config.BOARD_ID or "pico-" + hexlify(machine.unique_id()).decode()


def boot_id():
    """Return a number that no other boot has, never 0.

    The ring oscillator's randomness, mixed with the chip's number and the time the start took, so that it
    differs between boards even if the oscillator were stuck.
    """
    seed = os.urandom(16) + machine.unique_id() + ticks_us().to_bytes(4, "little")
    return crc32(seed) or 1


def reset_reason():
    """Return the RESET_x of this boot (frames.py); machine.reset() looks like the watchdog on these chips."""
    cause = machine.reset_cause()
    if cause == machine.PWRON_RESET:
        return frames.RESET_POWER_ON
    return frames.RESET_WATCHDOG if cause == machine.WDT_RESET else frames.RESET_UNKNOWN

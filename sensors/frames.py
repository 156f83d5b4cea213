"""The frames of the TOGYZ link, byte for byte as `PROTOCOL.md` describes them.

This one file runs unchanged on CPython and on MicroPython, so that the two ends of the cable cannot
disagree. It therefore keeps to what both have: no dataclass, no enum, plain functions over `bytes`.
It knows layouts and checksums and nothing else: no time, no order of messages, no retransmission.

Every message is a named tuple with a pair `pack_x` (message -> payload) and `unpack_x` (payload ->
message). An `unpack_x` checks the length and the values that have a fixed meaning, ignores bytes
behind those it knows (a later minor version may append fields), and raises `FrameError` for the rest.
"""

import sys
from binascii import crc32
from struct import pack, unpack_from

if sys.implementation.name != "micropython":
    from typing import NamedTuple
else:  # pragma: no cover - runs in the tests under the real MicroPython interpreter
    from collections import namedtuple

    def NamedTuple(name, fields):  # type: ignore[no-redef, no-untyped-def]  # noqa: ANN001, ANN201, N802 - not for CPython
        """Make a named tuple class from (field, type) pairs, as typing.NamedTuple does."""
        return namedtuple(name, [field for field, _type in fields])  # noqa: PYI024 - ditto


MAJOR = 1  # incompatible revisions of the protocol: both ends must agree
MINOR = 1  # compatible additions: either end may be ahead

MAX_BODY = 250  # bytes of type, seq, payload and CRC; below 254, so COBS never needs the code 0xFF
OVERHEAD = 7  # bytes of a body that are not payload: type 1, seq 2, CRC 4
MAX_PAYLOAD = MAX_BODY - OVERHEAD
MAX_CHANNELS = 52  # the most one DATA frame holds: 5 + 26 + 52 * 4 = 239 of 243 bytes
MAX_TEXT = 32  # bytes of UTF-8 in a board id or firmware name
MAX_TIME_US = (1 << 60) - 1  # the latest device time: 36 thousand years, and sums of two stay in 63 bits
MAX_TIME_SCALE = 1000  # 2 s of silence stay below half the range of DATA's 32-bit time, 2147 s
MAX_SOUND_MS = 5000  # no sound lasts longer, whatever BUZZER says: a hall is quiet

HELLO, DATA, BUTTON, BEAT = 0x01, 0x02, 0x03, 0x04
HELLO_REQUEST, BUTTON_ACK, HOST_BEAT = 0x81, 0x82, 0x83
CLOCK, LAMPS, BUZZER = 0x84, 0x85, 0x86
FROM_HOST = 0x80  # the bit of every type a host sends: a line in echo mode gives its own back to each end

MAGIC = b"TGZ1"
FEATURE_LOADS, FEATURE_BUTTONS, FEATURE_DIALS = 1 << 0, 1 << 1, 1 << 2
FEATURE_LAMPS, FEATURE_BUZZER, FEATURE_COUNTERS, FEATURE_ARBITER_LAMP = 1 << 3, 1 << 4, 1 << 5, 1 << 6

PULSES_WRAP = 1 << 23  # a count sensor's running number goes from 0 to one less: the positive half of 24 bits

RESET_UNKNOWN, RESET_POWER_ON, RESET_WATCHDOG, RESET_SOFTWARE, RESET_SUPPLY_DIP, RESET_PIN = 0, 1, 2, 3, 4, 5

STATUS_OK, STATUS_NOT_READY, STATUS_SATURATED = 0, 1, 2
STATUS_EXCLUDED, STATUS_READ_ERROR = 3, 4

BUTTON_SIDE_A, BUTTON_SIDE_B, BUTTON_ARBITER = 0, 1, 2  # others as the host is told
EDGE_UP, EDGE_DOWN = 0, 1
RUNNING_NONE, RUNNING_A, RUNNING_B = 0, 1, 2

LAMP_SIDE_A, LAMP_SIDE_B, LAMP_ATTENTION, LAMP_ARBITER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
SOUND_NONE, SOUND_TONE, SOUND_TWO_TONES, SOUND_BEEPING = 0, 1, 2, 3

_RESIDUE = 0x2144DF1C  # CRC-32 over any bytes followed by their own CRC-32, little-endian
_SLICE = 4096  # bytes the decoder splits at a time, so that one huge input makes no huge list


class FrameError(ValueError):
    """Raised when a payload is not what its type says, or a message does not fit into a frame."""


Hello = NamedTuple(
    "Hello",
    [
        ("major", int),
        ("minor", int),
        ("features", int),  # FEATURE_x bits
        ("boot_id", int),  # random per boot, never 0
        ("reset_reason", int),  # RESET_x
        ("uptime_us", int),  # device time, full 64 bits
        ("time_scale", int),  # device seconds per wall second; 1 for anything made of metal
        ("rate_centihz", int),  # nominal samples per device second, times 100
        ("channels", int),
        ("buttons", int),
        ("next_event", int),  # the number the next button event will get
        ("board_id", str),
        ("firmware", str),
    ],
)
# raw is in converter units, 0 where the status is neither OK nor SATURATED
Data = NamedTuple("Data", [("time_low", int), ("status", "tuple[int, ...]"), ("raw", "tuple[int, ...]")])
Button = NamedTuple("Button", [("number", int), ("time_us", int), ("button", int), ("edge", int)])
# dropped_data: DATA frames the device could not send; bad_frames: of the host's; both since its boot
Beat = NamedTuple(
    "Beat", [("time_us", int), ("dropped_data", int), ("bad_frames", int), ("clock_revision", int)]
)
HelloRequest = NamedTuple("HelloRequest", [("major", int), ("minor", int)])
ButtonAck = NamedTuple("ButtonAck", [("boot_id", int), ("number", int)])
Clock = NamedTuple(
    "Clock",
    [
        ("revision", int),
        ("events_seen", int),  # the last button event the host's clock has taken into account
        ("at_us", int),  # device time at which the remaining times held
        ("running", int),  # RUNNING_x
        ("armed", int),  # 1: the device switches the dials on a press by itself
        ("remaining_ms", "tuple[int, int]"),
        ("increment_ms", "tuple[int, int]"),
    ],
)
Lamps = NamedTuple("Lamps", [("on", int), ("blink", int)])  # LAMP_x bits
Buzzer = NamedTuple("Buzzer", [("pattern", int), ("duration_ms", int)])


def cobs_encode(body: bytes) -> bytes:
    """Return the bytes without any 0x00, one byte longer, no delimiter added.

    This is plain COBS for runs of at most 253 bytes: all a frame can hold. FrameError if it is longer.
    """
    if len(body) > 253:
        raise FrameError(f"COBS: a body of {len(body)} bytes, more than 253")
    return b"".join([bytes([len(run) + 1]) + run for run in body.split(b"\x00")])


def cobs_decode(encoded: bytes) -> bytes | None:
    """Return the original bytes, or None where `encoded` is no COBS of a frame.

    Refused are: nothing at all, a 0x00 in place of a code, the code 0xFF (a run longer than any
    frame), and a block that reaches over the end.
    """
    runs = []
    at = 0
    size = len(encoded)
    while at < size:
        code = encoded[at]
        end = at + code
        if code == 0 or code == 255 or end > size:  # noqa: PLR1714 - twice as fast as a membership test
            return None
        runs.append(encoded[at + 1 : end])
        at = end
    return b"\x00".join(runs) if runs else None


def encode_frame(kind: int, seq: int, payload: bytes) -> bytes:
    """Return the frame as it goes over the wire, its closing 0x00 included.

    `kind` is the message type 0..255; `seq` is taken modulo 65536; FrameError if the payload is
    longer than `MAX_PAYLOAD` bytes.
    """
    if len(payload) > MAX_PAYLOAD:
        raise FrameError(f"a payload of {len(payload)} bytes, more than {MAX_PAYLOAD}")
    content = pack("<BH", kind, seq & 0xFFFF) + payload
    return cobs_encode(content + pack("<I", crc32(content))) + b"\x00"


def decode_frame(encoded: bytes) -> tuple[int, int, bytes] | None:
    """Return (type, seq, payload) of what stood between two 0x00, or None where it is no frame."""
    body = cobs_decode(encoded)
    if body is None or len(body) < OVERHEAD or crc32(body) != _RESIDUE:
        return None
    kind, seq = unpack_from("<BH", body)
    return kind, seq, body[3:-4]


class Decoder:
    """Cuts a stream of bytes into frames; whatever is not a frame is counted and skipped.

    It keeps at most one frame's worth of bytes between two calls. Nothing it is fed makes it raise.

    Attributes:
        bad_frames: pieces between two delimiters that were no frame, after the first valid frame.
        overlong: pieces longer than any frame, after the first valid frame.
        ignored: either kind before the first valid frame: boot text, half a frame, the wrong speed.
    """

    def __init__(self, max_body: int = MAX_BODY) -> None:
        self.bad_frames = 0
        self.overlong = 0
        self.ignored = 0
        self._limit = max_body + 1
        self._tail = b""
        self._skipping = False
        self._synchronised = False

    def feed(self, data: bytes | bytearray) -> list[tuple[int, int, bytes]]:
        """Return the frames completed by these bytes as (type, seq, payload), in order."""
        frames: list[tuple[int, int, bytes]] = []
        for start in range(0, len(data), _SLICE):
            pieces = (self._tail + bytes(data[start : start + _SLICE])).split(b"\x00")
            self._tail = pieces.pop()
            for piece in pieces:
                if self._skipping:
                    self._skipping = False
                elif piece:
                    self._take(piece, frames)
            if len(self._tail) > self._limit and not self._skipping:
                self._skipping = True
                self._count(overlong=True)
            if self._skipping:
                self._tail = b""
        return frames

    def _take(self, piece: bytes, frames: list[tuple[int, int, bytes]]) -> None:
        """Append the frame in this piece, or count what it is instead."""
        overlong = len(piece) > self._limit
        frame = None if overlong else decode_frame(piece)
        if frame is None:
            self._count(overlong=overlong)
        else:
            self._synchronised = True
            frames.append(frame)

    def _count(self, *, overlong: bool) -> None:
        """Count a piece that is no frame."""
        if not self._synchronised:
            self.ignored += 1
        elif overlong:
            self.overlong += 1
        else:
            self.bad_frames += 1


def _need(payload: bytes, size: int, name: str) -> None:
    """Refuse a payload shorter than its fixed part."""
    if len(payload) < size:
        raise FrameError(f"{name}: {len(payload)} bytes, at least {size} expected")


def _check_time(time_us: int, name: str) -> None:
    """Refuse a device time that no device can have reached."""
    if time_us > MAX_TIME_US:
        raise FrameError(f"{name}: device time {time_us} us, not below 2^60")


def _pack_text(text: str, name: str) -> bytes:
    """Return the text with its length in front."""
    raw = text.encode()
    if len(raw) > MAX_TEXT:
        raise FrameError(f"{name}: {len(raw)} bytes of UTF-8, more than {MAX_TEXT}")
    return bytes([len(raw)]) + raw


def _unpack_text(payload: bytes, at: int, name: str) -> tuple[str, int]:
    """Return the text that starts with its length at `at`, and where it ends."""
    _need(payload, at + 1, name)
    end = at + 1 + payload[at]
    if payload[at] > MAX_TEXT:
        raise FrameError(f"{name}: length {payload[at]}, more than {MAX_TEXT}")
    _need(payload, end, name)
    raw = payload[at + 1 : end]
    if raw and (min(raw) < 32 or 127 in raw):
        raise FrameError(f"{name}: a control character")
    try:
        return str(raw, "utf-8"), end
    except UnicodeError:
        raise FrameError(f"{name}: not UTF-8") from None


def pack_hello(hello: Hello) -> bytes:
    """Return the payload of HELLO; FrameError if a text is longer than `MAX_TEXT` bytes."""
    texts = _pack_text(hello.board_id, "HELLO board_id") + _pack_text(hello.firmware, "HELLO firmware")
    return MAGIC + pack("<BBIIBQHHBBI", *hello[:11]) + texts


def hello_version(payload: bytes) -> tuple[int, int]:
    """Return (major, minor) of a HELLO of any version, past or future."""
    _need(payload, 6, "HELLO")
    if payload[:4] != MAGIC:
        raise FrameError("HELLO: no magic TGZ1")
    return payload[4], payload[5]


def unpack_hello(payload: bytes) -> Hello:
    """Return the HELLO in the payload, which must be of our major version."""
    major = hello_version(payload)[0]
    if major != MAJOR:
        raise FrameError(f"HELLO: major version {major}, not {MAJOR}")
    _need(payload, 33, "HELLO")
    board_id, end = _unpack_text(payload, 33, "HELLO board_id")
    firmware, end = _unpack_text(payload, end, "HELLO firmware")
    fields = unpack_from("<BBIIBQHHBBI", payload, 4)
    hello = Hello(*(fields + (board_id, firmware)))  # noqa: RUF005 - MicroPython unpacks only in calls
    if hello.boot_id == 0 or hello.next_event == 0:
        raise FrameError(f"HELLO: boot_id {hello.boot_id}, next_event {hello.next_event}; neither may be 0")
    _check_time(hello.uptime_us, "HELLO")
    if not 1 <= hello.time_scale <= MAX_TIME_SCALE:
        raise FrameError(f"HELLO: time_scale {hello.time_scale}, not in 1..{MAX_TIME_SCALE}")
    if hello.channels > MAX_CHANNELS:
        raise FrameError(f"HELLO: {hello.channels} channels, more than {MAX_CHANNELS}")
    return hello


def pack_data(data: Data) -> bytes:
    """Return the payload of DATA; FrameError if status and raw differ in length, or are too long."""
    count = len(data.raw)
    if len(data.status) != count or count > MAX_CHANNELS:
        raise FrameError(f"DATA: {len(data.status)} statuses, {count} values")
    codes = bytearray((count + 1) >> 1)
    if any(data.status):
        for channel, code in enumerate(data.status):
            codes[channel >> 1] |= (code & 15) << ((channel & 1) << 2)
    return pack("<IB", data.time_low, count) + bytes(codes) + pack(f"<{count}i", *data.raw)


def unpack_data(payload: bytes) -> Data:
    """Return the DATA in the payload."""
    _need(payload, 5, "DATA")
    time_low, count = unpack_from("<IB", payload)
    if count > MAX_CHANNELS:
        raise FrameError(f"DATA: {count} channels, more than {MAX_CHANNELS}")
    raw_at = 5 + ((count + 1) >> 1)
    _need(payload, raw_at + 4 * count, "DATA")
    codes = payload[5:raw_at]
    if any(codes):
        status = tuple([(codes[i >> 1] >> ((i & 1) << 2)) & 15 for i in range(count)])
    else:
        status = (STATUS_OK,) * count
    return Data(time_low, status, unpack_from(f"<{count}i", payload, raw_at))


def pack_button(button: Button) -> bytes:
    """Return the payload of BUTTON."""
    return pack("<IQBB", *button)


def unpack_button(payload: bytes) -> Button:
    """Return the BUTTON in the payload."""
    _need(payload, 14, "BUTTON")
    button = Button(*unpack_from("<IQBB", payload))
    if button.number == 0 or button.edge > EDGE_DOWN:
        raise FrameError(f"BUTTON: number {button.number}, edge {button.edge}")
    _check_time(button.time_us, "BUTTON")
    return button


def pack_beat(beat: Beat) -> bytes:
    """Return the payload of the device's BEAT."""
    return pack("<QIII", *beat)


def unpack_beat(payload: bytes) -> Beat:
    """Return the device's BEAT in the payload."""
    _need(payload, 20, "BEAT")
    beat = Beat(*unpack_from("<QIII", payload))
    _check_time(beat.time_us, "BEAT")
    return beat


def pack_hello_request(request: HelloRequest) -> bytes:
    """Return the payload of HELLO_REQUEST."""
    return pack("<BB", *request)


def unpack_hello_request(payload: bytes) -> HelloRequest:
    """Return the HELLO_REQUEST in the payload; its layout is the same in all versions."""
    _need(payload, 2, "HELLO_REQUEST")
    return HelloRequest(payload[0], payload[1])


def pack_button_ack(ack: ButtonAck) -> bytes:
    """Return the payload of BUTTON_ACK."""
    return pack("<II", *ack)


def unpack_button_ack(payload: bytes) -> ButtonAck:
    """Return the BUTTON_ACK in the payload."""
    _need(payload, 8, "BUTTON_ACK")
    return ButtonAck(*unpack_from("<II", payload))


def pack_clock(clock: Clock) -> bytes:
    """Return the payload of CLOCK."""
    return pack("<IIQBBiiII", *clock[:5], *clock.remaining_ms, *clock.increment_ms)


def unpack_clock(payload: bytes) -> Clock:
    """Return the CLOCK in the payload."""
    _need(payload, 34, "CLOCK")
    fields = unpack_from("<IIQBBiiII", payload)
    revision, events_seen, at_us, running, armed = fields[:5]
    if running > RUNNING_B or armed > 1:
        raise FrameError(f"CLOCK: running {running}, armed {armed}")
    _check_time(at_us, "CLOCK")
    return Clock(revision, events_seen, at_us, running, armed, fields[5:7], fields[7:9])


def pack_lamps(lamps: Lamps) -> bytes:
    """Return the payload of LAMPS."""
    return pack("<HH", *lamps)


def unpack_lamps(payload: bytes) -> Lamps:
    """Return the LAMPS in the payload."""
    _need(payload, 4, "LAMPS")
    return Lamps(*unpack_from("<HH", payload))


def pack_buzzer(buzzer: Buzzer) -> bytes:
    """Return the payload of BUZZER."""
    return pack("<BH", *buzzer)


def unpack_buzzer(payload: bytes) -> Buzzer:
    """Return the BUZZER in the payload."""
    _need(payload, 3, "BUZZER")
    return Buzzer(*unpack_from("<BH", payload))

"""The GPIO chips of this machine, asked by the kernel's own interface: it needs no library and no Pi."""

import fcntl
import os
import struct
from collections.abc import Iterator
from pathlib import Path

from sensors.header import Chip, chip_number

DEV = Path("/dev")

_CHIP_INFO = 0x8044B401
_CHIP = struct.Struct("32s32sI")
"""GPIO_GET_CHIPINFO_IOCTL and struct gpiochip_info: name, label, number of lines."""

_LINE_INFO = 0xC100B405
_LINE = struct.Struct("32s32sI220s")
"""GPIO_V2_GET_LINEINFO_IOCTL and struct gpio_v2_line_info: name, consumer, offset, what is not asked here."""


def gpio_chips(folder: Path = DEV) -> Iterator[Chip]:
    """Yield the chips that may be opened; an alias such as gpiochip4 -> gpiochip0 is no chip of its own."""
    for path in sorted(folder.glob("gpiochip*")):
        number = chip_number(path.name)
        if number is None or path.is_symlink():
            continue
        try:
            chip = _ask(path, number)
        except OSError:
            continue  # none of ours: a chip that this user may not open
        yield chip


def _ask(path: Path, number: int) -> Chip:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        _, label, count = _CHIP.unpack(fcntl.ioctl(fd, _CHIP_INFO, bytes(_CHIP.size)))
        names = []
        for offset in range(count):
            asked = _LINE.pack(b"", b"", offset, b"")
            names.append(_text(_LINE.unpack(fcntl.ioctl(fd, _LINE_INFO, asked))[0]))
    finally:
        os.close(fd)
    return Chip(number, _text(label), tuple(names))


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode(errors="replace")

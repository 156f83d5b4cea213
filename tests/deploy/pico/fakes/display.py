"""A TM1637 as the lines show it to it: starts, stops, bytes; and what its four digits then show."""

FACES = {
    0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4", 0x6D: "5", 0x7D: "6", 0x07: "7",
    0x7F: "8", 0x6F: "9", 0x40: "-", 0x00: " ",
}  # fmt: skip


class Display:
    """One display.

    Args:
        clock, data: which bits of the lines are its CLK and DIO.

    Attributes:
        faults: what a real chip would have stumbled over, in words.
    """

    def __init__(self, clock, data):
        self._clock, self._data = clock, data
        self._before = 0
        self._bits = None
        self._command = []
        self.memory = bytearray(6)
        self.on = False
        self.brightness = 0
        self.faults = []

    @property
    def text(self):
        """What can be read: the digits, a colon between them where it is lit; "" while it is dark."""
        if not self.on:
            return ""
        faces = [FACES.get(byte & 0x7F, "?") for byte in self.memory[:4]]
        return "".join(faces[:2]) + (":" if self.memory[1] & 0x80 else " ") + "".join(faces[2:])

    def feel(self, lines):
        """Feel the levels of all lines."""
        was_high, is_high = self._before & self._clock, lines & self._clock
        was_set, is_set = self._before & self._data, lines & self._data
        if bool(was_high) != bool(is_high) and bool(was_set) != bool(is_set) and self._bits is not None:
            self.faults.append("clock and data moved together")
        if was_high and is_high and bool(was_set) != bool(is_set):
            if is_set:
                self._stop()
            else:
                self._bits, self._command = [], []
        elif is_high and not was_high and self._bits is not None:
            self._bits.append(1 if is_set else 0)
            if len(self._bits) == 9:
                if self._bits[8]:
                    self.faults.append("data is driven high while the chip acknowledges")
                self._command.append(sum([bit << n for n, bit in enumerate(self._bits[:8])]))
                self._bits = []
        self._before = lines

    def _stop(self):
        # the rising clock before a stop was no bit
        if self._bits is None or len(self._bits) != 1:
            self.faults.append("a stop in the middle of a byte")
        self._bits = None
        command = self._command[0] if self._command else 0
        if command & 0xC0 == 0xC0:
            for index, byte in enumerate(self._command[1:]):
                self.memory[(command & 7) + index] = byte
        elif command & 0xC0 == 0x80:
            self.on, self.brightness = bool(command & 8), command & 7
        elif command != 0x40:
            self.faults.append("unknown command %02x" % command)

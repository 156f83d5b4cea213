"""`rp2`: PIO programs assembled into tuples, and state machines that run them an instruction at a time.

Interpreted are the instructions that the firmware uses, with side-set, delays, blocking FIFOs of four words
and an instruction executed by hand. A world that is `fast` skips the interpreter: what a program would do is
done at once, for games and weeks.
"""

import world

_FIFO = 4
_ALL_ONES = 0xFFFFFFFF


class PIO:
    """Constants."""

    OUT_LOW, OUT_HIGH = 2, 3
    SHIFT_LEFT, SHIFT_RIGHT = 0, 1


class _Program:
    """What a decorated function says, collected by calling it."""

    def __init__(self, name, options):
        self.name = name
        self.options = options
        self.code = []  # [operation, arguments, side or None, delay]
        self.labels = {}
        self.start = 0
        self.end = None

    def __getitem__(self, delay):
        self.code[-1][3] = delay
        return self

    def side(self, value):
        self.code[-1][2] = value
        return self

    def add(self, *instruction):
        self.code.append([instruction[0], instruction[1:], None, 0])
        return self

    def names(self):
        """Return what the text of a program may call."""
        found = {
            "wrap_target": lambda: setattr(self, "start", len(self.code)),
            "wrap": lambda: setattr(self, "end", len(self.code)),
            "label": lambda name: self.labels.__setitem__(name, len(self.code)),
        }
        for name in ("pull", "push", "mov", "set", "in_", "out", "jmp", "nop"):
            found[name] = lambda *arguments, name=name: self.add(name, *arguments)
        words = ("block", "osr", "isr", "x", "y", "pins", "pindirs", "null", "x_dec", "y_dec")
        found.update({name: name for name in words})
        return found


def asm_pio(**options):
    """Return the decorator that turns a function into a program."""

    def assemble(function):
        program = _Program(function.__name__, options)
        names = function.__globals__
        before = {name: names[name] for name in program.names() if name in names}
        names.update(program.names())
        function()
        for name in program.names():
            del names[name]
        names.update(before)
        assert len(program.code) <= 32, "a PIO block holds 32 instructions"
        assert all(instruction[2] is not None for instruction in program.code), (
            "side-set is not optional here"
        )
        return program

    return assemble


class StateMachine:
    """One state machine.

    Attributes:
        stalled: what it waits for, "pull" or "push"; None while it runs.
    """

    def __init__(self, number, program, freq, in_base=None, out_base=None, set_base=None, sideset_base=None):
        self.program = program
        self.ns = 1_000_000_000 // freq
        self.bases = {"out": out_base, "set": set_base, "side": sideset_base}
        self.side_pins = (
            len(program.options["sideset_init"]) if isinstance(program.options["sideset_init"], tuple) else 1
        )
        self.on = False
        self.side = 0
        self.stalled = None
        assert in_base is None or in_base.number == 0
        world.WORLD.machines[program.name] = self
        self.restart()

    def restart(self):
        """Start at the beginning, with empty registers and FIFOs."""
        self.at = self.x = self.y = self.isr = self.osr = 0
        self.tx, self.rx = [], []

    def active(self, on):
        """Switch it on or off."""
        self.on = bool(on)

    def exec(self, text):
        """Execute one instruction by hand, at once."""
        one = _Program("exec", {})
        exec(text, one.names())  # noqa: S102 - as the real one does
        self._apply_side(one.code[0][2])

    def tx_fifo(self):
        """Return how many words wait to be taken; the world is given the time to take them."""
        return len(self.tx)

    def put(self, value, shift=0):
        """Give a word."""
        if world.WORLD.fast:
            world.WORLD.put(self.program.name, value)
            return
        self.tx.append((value << shift) & _ALL_ONES)
        if self.program.name == "shift_out":
            self.run()

    def get(self, words):
        """Fill an array with words, stepping the machine while none is there."""
        if world.WORLD.fast:
            world.WORLD.get(words)
            return
        for index in range(len(words)):
            while not self.rx:
                assert self.step(), "the program gives no more words: the real one would hang here"
            words[index] = self.rx.pop(0)

    def run(self):
        """Step until it stalls."""
        while self.step():
            pass

    def step(self):
        """Do one instruction; return whether the machine goes on."""
        assert self.on
        operation, arguments, side, delay = self.program.code[self.at]
        self._apply_side(side)
        self.stalled = None
        following = getattr(self, "_" + operation)(*arguments)
        if self.stalled:
            return False
        world.WORLD.pass_ns(self.ns * (1 + delay))
        self.at = self.at + 1 if following is None else following
        if self.at == self.program.end:
            self.at = self.program.start
        return True

    def _apply_side(self, side):
        if side == self.side:
            return
        self.side = side
        base = self.bases["side"].number
        for bit in range(self.side_pins):
            world.WORLD.set_pin(base + bit, (side >> bit) & 1)

    def _nop(self):
        pass

    def _pull(self, _block="block"):
        if not self.tx:
            self.stalled = "pull"
            return
        self.osr = self.tx.pop(0)

    def _push(self, _block="block"):
        if len(self.rx) >= _FIFO:
            self.stalled = "push"
            return
        self.rx.append(self.isr)
        self.isr = 0

    def _mov(self, target, source):
        setattr(self, target, getattr(self, source))

    def _set(self, target, value):
        if target == "x":
            self.x = value
        elif target == "pindirs":
            world.WORLD.set_direction(self.bases["set"].number, value)

    def _in_(self, _pins, count):
        self.isr = ((self.isr << count) | (world.WORLD.levels() & ((1 << count) - 1))) & _ALL_ONES

    def _out(self, _pins, count):
        assert count == 1
        world.WORLD.set_pin(self.bases["out"].number, (self.osr >> 31) & 1)
        self.osr = (self.osr << 1) & _ALL_ONES

    def _jmp(self, condition, label):
        name = condition[0]
        value = getattr(self, name)
        setattr(self, name, (value - 1) & _ALL_ONES)
        return self.program.labels[label] if value else None

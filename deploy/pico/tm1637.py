"""Two TM1637 displays on one clock line: which segments, and which line levels one after the other. Pure.

The chip takes commands of one or more bytes, low bit first, each between a start (DIO falls while CLK is
high) and a stop (it rises). Behind each byte it pulls DIO low for one clock; DIO is held low meanwhile, so
the lines may be driven by outputs that cannot be read. Both displays get their bytes at the same time.
"""

BLANK, DASH, COLON = 0x00, 0x40, 0x80
"""Segments: the middle bar; the colon is the top bit of the second digit."""

DIGITS = b"\x3f\x06\x5b\x4f\x66\x6d\x7d\x07\x7f\x6f"

WRITE, FROM_FIRST, SWITCH_ON = 0x40, 0xC0, 0x88
"""Commands: data with automatic addresses, starting at the first digit; display on, with its brightness."""

LEVELS = 3 * 5 + 7 * 27
"""Longest sequence of `compose`: starts and stops of three commands, seven bytes."""

CLOCK, DATA_A, DATA_B = 1, 2, 4
"""Bits of a level."""

HALF_BLINK_US = 500_000
LAST_US = 10_000_000
"""Below this the tenths are shown."""
HOUR_S = 3600


def segments(shown_us, *, running, now_us, into):
    """Put what a dial shows into four bytes.

    `--:--` while nothing is known; h:mm from an hour on; m:ss, rounded up, so that 0:00 is no time at all;
    seconds and tenths in the last ten seconds, with the last digit dark. The colon of the running dial
    blinks; a running dial without time left blinks as a whole.
    """
    lit = not running or not (now_us // HALF_BLINK_US) & 1
    if shown_us is None:
        into[0] = into[1] = into[2] = into[3] = DASH
        into[1] |= COLON
        return
    if not shown_us and not lit:
        into[0] = into[1] = into[2] = into[3] = BLANK
        return
    if 0 < shown_us < LAST_US:
        tenths = shown_us // 100_000
        into[0], into[1], into[2], into[3] = BLANK, DIGITS[tenths // 10], DIGITS[tenths % 10], BLANK
    else:
        seconds = (shown_us + 999_999) // 1_000_000
        high, low = (seconds // HOUR_S, seconds // 60 % 60) if seconds >= HOUR_S else divmod(seconds, 60)
        high %= 100
        into[0] = DIGITS[high // 10] if high > 9 else BLANK
        into[1], into[2], into[3] = DIGITS[high % 10], DIGITS[low // 10], DIGITS[low % 10]
    if lit or shown_us < LAST_US:
        into[1] |= COLON


def compose(left, right, brightness, levels):
    """Put the levels that show two times four bytes into a buffer of `LEVELS` bytes; return how many."""
    at = _command(levels, 0, (WRITE,), (WRITE,))
    first = bytes((FROM_FIRST,))
    at = _command(levels, at, first + left, first + right)
    switch = (SWITCH_ON | brightness,)
    return _command(levels, at, switch, switch)


def _command(levels, at, left, right):
    """Append one command for either display; return where the next one goes.

    No level changes clock and data together: data may not move while the clock is high, and lines of
    different lengths do not switch at the same moment.
    """
    levels[at], levels[at + 1] = CLOCK | DATA_A | DATA_B, CLOCK
    at += 2
    before = 0
    for index in range(len(left)):
        a, b = left[index], right[index]
        for bit in range(8):
            data = (DATA_A if (a >> bit) & 1 else 0) | (DATA_B if (b >> bit) & 1 else 0)
            levels[at], levels[at + 1], levels[at + 2] = before, data, CLOCK | data
            before = data
            at += 3
        levels[at], levels[at + 1], levels[at + 2] = before, 0, CLOCK
        before = 0
        at += 3
    levels[at], levels[at + 1], levels[at + 2] = 0, CLOCK, CLOCK | DATA_A | DATA_B
    return at + 3

"""From one word a bit to one value a chip: the only arithmetic that has to be fast.

480 steps for twenty chips. As native code (viper) they take some 0.1 ms on an RP2040; where the interpreter
cannot make native code for its machine, the plain function does the same in 2 ms.
"""

BITS = 24


def transpose_plain(words, shifts, values):
    """Put 24-bit signed values into `values`: bit 23 of chip i is bit `shifts[i]` of words[0], and so on."""
    for index in range(len(values)):
        shift = shifts[index]
        value = 0
        for number in range(BITS):
            value = (value << 1) | ((words[number] >> shift) & 1)
        values[index] = value - 0x1000000 if value & 0x800000 else value


try:
    import transposing_native

    transpose = transposing_native.transpose
except (ImportError, SyntaxError, ValueError, NotImplementedError):
    transpose = transpose_plain

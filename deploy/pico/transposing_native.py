"""`transposing.transpose_plain` once more, as native code; a file of its own so that it may fail to load."""

import micropython


@micropython.viper
def transpose(words: ptr32, shifts: ptr8, values):  # noqa: F821 - viper's own types
    """Put 24-bit signed values into `values`, an array("i"), as `transpose_plain` does."""
    count = int(len(values))  # noqa: RUF046 - to viper it is an object
    into = ptr32(values)  # noqa: F821
    index = 0
    while index < count:
        shift = shifts[index]
        value = 0
        number = 0
        while number < 24:
            value = (value << 1) | ((words[number] >> shift) & 1)
            number += 1
        if value & 0x800000:
            value -= 0x1000000
        into[index] = value
        index += 1

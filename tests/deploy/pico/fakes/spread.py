"""From values to the words a read would have brought: the firmware's transposition turned round."""

import micropython


@micropython.viper
def spread(values: ptr32, words: ptr32, count: int):  # noqa: F821 - viper's own types
    """Put bit 23-n of each value into word n, value i at bit i."""
    number = 0
    while number < 24:
        word = 0
        channel = 0
        while channel < count:
            word = word | (((values[channel] >> (23 - number)) & 1) << channel)
            channel += 1
        words[number] = word
        number += 1

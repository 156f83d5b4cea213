"""A RPi.GPIO for tests, laid out like the real one: its module takes everything from a core."""

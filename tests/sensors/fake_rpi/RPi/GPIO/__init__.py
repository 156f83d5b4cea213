"""What `from RPi import GPIO` gives."""

from RPi._GPIO import *  # noqa: F403 - as the real one does

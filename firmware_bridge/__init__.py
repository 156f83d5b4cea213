"""The bridge: programs around the rules and the sensors."""

__version__ = "0.1.0"

"""The bridge: programs around the rules and the sensors."""

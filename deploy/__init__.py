"""Setting up machines; Python here draws, the rest is shell and the firmware of the Pico."""

"""`python -m firmware_bridge` is `togyz`."""

from firmware_bridge.cli import main

main()

"""The rulebook of Togyzkumalak: pure, no I/O, no clock of its own."""

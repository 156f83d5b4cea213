"""How well the board counts, measured: whole games in virtual time, scored by where the stones truly lie."""

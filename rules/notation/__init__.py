"""Moves and positions as text: every notation, both ways."""

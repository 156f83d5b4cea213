"""What the board sensed, written down, cut, and decided again."""

"""From metal to trustworthy loads: channels, grams and edges, never pits or rules."""

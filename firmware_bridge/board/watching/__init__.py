"""What lies on the board, what the rules say of it, and what was played."""

"""One board, one process: from samples to journalled decisions."""

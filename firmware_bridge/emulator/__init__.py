"""A game record played by seeded hands on simulated cells behind a real pty."""

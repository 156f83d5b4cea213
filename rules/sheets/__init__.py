"""Score sheets as they were written down, and the games they can have been (2.3.5)."""

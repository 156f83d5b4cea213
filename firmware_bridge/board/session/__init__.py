"""The life of a table: set-up, play, questions, presses, the end."""

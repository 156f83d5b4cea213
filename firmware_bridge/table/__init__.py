"""The small screen at one board: a page fed by the board's own socket, without any network."""

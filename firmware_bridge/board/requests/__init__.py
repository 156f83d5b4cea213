"""What the control socket and a signed command ask of a table, read as its commands."""

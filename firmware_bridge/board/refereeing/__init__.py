"""What goes against the rules at a table, from stones, hands and presses to an event."""

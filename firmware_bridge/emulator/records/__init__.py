"""Game records that come with the program."""

"""Game records that come with the program, as text files."""

"""What can be wrong with a board and everything around it: facts are looked up, then judged."""

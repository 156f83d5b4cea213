"""From what twenty places weigh to how many stones lie there, and how sure that is."""

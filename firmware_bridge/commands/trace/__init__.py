"""`togyz trace`: what a board saw and decided, recorded, taken again, cut and drawn."""

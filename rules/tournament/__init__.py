"""An event beside its boards: who has entered, what a pairing is made from, who is left out of it."""

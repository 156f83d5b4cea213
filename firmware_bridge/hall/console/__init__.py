"""The arbiter's console: who may do what, what waits for whom, and the way of an order to a board."""

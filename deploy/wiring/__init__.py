"""Drawings of what is wired to what; `python -m deploy.wiring.draw` makes them."""

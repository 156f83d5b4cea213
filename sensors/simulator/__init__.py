"""Seeded physics of cells, stones and hands at channel level; ships with the product."""

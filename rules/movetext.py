"""Moves of a game as text: words, moves, and numbered lines of them."""

from __future__ import annotations

from rules.words import Word, WordKind, parse_result, scan

__all__ = ["Word", "WordKind", "parse_result", "scan"]

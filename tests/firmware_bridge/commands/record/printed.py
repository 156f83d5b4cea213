"""What commands print, kept as files: `python -m tests.firmware_bridge.commands.record.printed` writes them.

Whoever changes a drawing or a text looks at what has changed in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from firmware_bridge.language import LANGUAGES
from tests.firmware_bridge.commands.record.games import FULL_2009, GAME_2009, NOTED, PRINTED_2009, RULED, run

FOLDER = Path(__file__).with_name("golden")

CASES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "show-2009": (GAME_2009, ("show", "--width", "60")),
    "show-noted": (NOTED, ("show", "--width", "80", "--notation", "full")),
    "show-ruled": (RULED, ("show", "--width", "80")),
    "show-ruled-ply": (RULED, ("show", "--width", "80", "--ply", "1...")),
    "show-ply": (GAME_2009, ("show", "--ply", "4.", "--width", "80", "--pit-names")),
    "diagram-120": (GAME_2009, ("diagram", "--width", "120", "--pit-names", "--bottom", "qostaushy")),
    "diagram-ascii": (GAME_2009, ("diagram", "--width", "60", "--ascii")),
    "restore-unique": (PRINTED_2009, ("restore", "--width", "60")),
    "restore-open": (FULL_2009, ("restore", "--width", "80")),
    "restore-impossible": (PRINTED_2009.replace("20. 34 89", "20. 39 89"), ("restore", "--width", "80")),
    "convert-ruled": (RULED, ("convert", "--to", "playok")),
    "check-faulty": (f'{NOTED}\n[Round "4"]\n1. 3-2\n', ("check",)),
}
"""By name: what is read from standard input, and the words of the command."""


def printed(name: str, language: str) -> str:
    """Return what a case prints now, on both streams."""
    text, words = CASES[name]
    return run(*words, text=text, language=language).output


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for name in CASES:
        for language in LANGUAGES:
            (FOLDER / f"{name}.{language}.txt").write_text(printed(name, language), encoding="utf-8")


if __name__ == "__main__":
    main()

"""What commands print, in three languages, is what it was when somebody last looked at it."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from firmware_bridge.language import LANGUAGES
from tests.firmware_bridge.commands.record.printed import CASES, FOLDER, printed


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_printed_as_it_was(name: str, language: str) -> None:
    """Character by character."""
    assert printed(name, language) == (FOLDER / f"{name}.{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in CASES if "--width" in CASES[name][1]])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_asked(name: str, language: str) -> None:
    """In any language."""
    words = CASES[name][1]
    width = int(words[words.index("--width") + 1])
    assert max(map(cell_len, printed(name, language).splitlines())) <= width


def test_there_is_no_other_file() -> None:
    """One that nobody compares would be believed."""
    expected = {f"{name}.{language}.txt" for name in CASES for language in LANGUAGES}
    assert {path.name for path in FOLDER.iterdir()} == expected

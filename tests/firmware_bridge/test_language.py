"""Texts: found by key, filled in, counted; and which language a person is given."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.language import LANGUAGES, CatalogueError, Language, chosen_language, read_texts, texts

HEAD = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=3; plural=(n % 10 == 1 ? 0 : n == 3 ? 1 : 2);\\n"\n\n'
PO = f"""{HEAD}
msgid "a.b"
msgstr "left {{n}} of {{all}}"

msgid "n.x"
msgid_plural "n.x"
msgstr[0] "{{n}} one"
msgstr[1] "{{n}} few {{who}}"
msgstr[2] "{{n}} many"
"""


def test_a_text_is_filled_in() -> None:
    """By name; what is given beside is not minded."""
    found = read_texts("en", PO.encode(), "x.po")
    assert found.text("a.b", n=3, all="{n}", more=1) == "left 3 of {n}"
    assert found.knows("a.b")


def test_a_wrong_key_or_gap_shows_itself_and_stops_nothing() -> None:
    """It is seen on the screen, where it can be told."""
    found = read_texts("en", PO.encode(), "x.po")
    assert not found.knows("a.c")
    assert found.text("a.c", n=1) == "a.c"
    assert found.plural("a.c", 2) == "a.c"
    assert found.text("a.b", n=3) == "left 3 of {all}"
    assert found.text("n.x", n=7) == "7 many"
    assert found.plural("a.b", 7, all=9) == "left 7 of 9"


@pytest.mark.parametrize(
    ("n", "told"), [(1, "1 one"), (21, "21 one"), (3, "3 few they"), (5, "5 many"), (-1, "-1 one")]
)
def test_the_header_says_which_form_goes_with_a_number(n: int, told: str) -> None:
    """Whatever Babel knows of the language, the file counts by its own rule."""
    assert read_texts("en", PO.encode(), "x.po").plural("n.x", n, who="they") == told


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (HEAD + 'msgid "a"\nmsgtsr "b"\n', "x.po, line 6: Unknown or misformatted keyword"),
        (HEAD + 'msgid "a"\nmsgstr "b', "x.po"),
        (HEAD.replace("nplurals=3", "nplurals=many"), "x.po is no catalogue: invalid literal"),
        (HEAD.replace("n % 10", "n.real"), "x.po is no catalogue: "),
        (HEAD + 'msgid "a"\nmsgstr ""\n', "x.po: a needs 1 text(s), none of them empty, and has ('',)"),
        (PO.replace('msgstr[1] "{n} few {who}"\n', ""), "x.po: n.x needs 3 text(s)"),
        (PO.replace('"{n} many"', '""'), "x.po: n.x needs 3 text(s), none of them empty, and has"),
        (HEAD, "x.po holds no text"),
        ("", "x.po holds no text"),
        ("\udcff", "x.po is no catalogue: 'utf-8' codec can't decode"),
    ],
)
def test_a_damaged_catalogue_is_named(content: str, told: str) -> None:
    """File, and line or key; half a catalogue is none."""
    with pytest.raises(CatalogueError) as caught:
        read_texts("en", content.encode(errors="surrogateescape"), "x.po")
    assert str(caught.value).startswith(told)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: PO.encode() + text.encode()))
def test_no_content_makes_another_error(content: bytes) -> None:
    """Whatever lies in the file, it is a catalogue or a named error."""
    with contextlib.suppress(CatalogueError):
        assert read_texts("kk", content, "x.po").entries


def test_a_missing_catalogue_is_named() -> None:
    """With what to do."""
    with pytest.raises(CatalogueError, match=r"locale/xx/togyz\.po cannot be read: .*; install anew"):
        texts("xx")


def test_every_language_can_be_read_and_is_read_once() -> None:
    """The same object comes back."""
    assert get_args(Language) == LANGUAGES
    for language in LANGUAGES:
        assert texts(language) is texts(language)
        assert texts(language).language == language


@pytest.mark.parametrize(
    ("option", "environ", "language"),
    [
        (None, {}, "kk"),
        (None, {"LANG": "C"}, "kk"),
        (None, {"LANG": "POSIX"}, "kk"),
        (None, {"LANG": "de_DE.UTF-8"}, "kk"),
        (None, {"LANG": "ru_KZ.UTF-8"}, "ru"),
        (None, {"LANG": "en_US"}, "en"),
        (None, {"LANG": "kk"}, "kk"),
        (None, {"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        (None, {"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "en_GB.UTF-8", "LC_ALL": "kk_KZ"}, "kk"),
        (None, {"LANG": "ru_RU.UTF-8", "LC_ALL": ""}, "ru"),
        (None, {"LANG": "ru_RU.UTF-8", "LC_ALL": "C.UTF-8"}, "kk"),
        (None, {"LANG": "kk_KZ", "TOGYZ_LANGUAGE": "ru"}, "ru"),
        (None, {"LANG": "en_US", "TOGYZ_LANGUAGE": "xx"}, "en"),
        (None, {"LANG": "en_US", "TOGYZ_LANGUAGE": ""}, "en"),
        ("en", {"TOGYZ_LANGUAGE": "ru"}, "en"),
        ("xx", {"TOGYZ_LANGUAGE": "ru"}, "ru"),
        ("RU", {}, "ru"),
    ],
)
def test_the_language_is_the_options_then_ours_then_the_systems(
    option: str | None, environ: Mapping[str, str], language: str
) -> None:
    """The first that names one of ours; Kazakh when none does."""
    assert chosen_language(option, environ) == language

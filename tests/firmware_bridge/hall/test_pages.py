"""Pages: every word from a catalogue, every catalogue complete, every file within limits."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest

from firmware_bridge.hall.boards import Reason
from firmware_bridge.hall.pages import FAMILIES, LOGIN_FAMILIES, Pages, load_pages
from firmware_bridge.language import LANGUAGES
from firmware_bridge.wire.payloads import Sensed
from rules import EndReason, Phase, Side

_DISPLAY = Path(str(files("firmware_bridge") / "display"))
_KAZAKH = "ӘәҒғҚқҢңӨөҰұҮүҺһІі"
_WORDS = re.compile(r"\w*[^\W\d_]\w*")
# All is well, or it is the arbiter's to know first that stones lie wrongly (house law 8).
_OFFICE = ("console.html", "login.html")
_SILENT = {"matches", "idle", "differs"}


@pytest.fixture(scope="module")
def pages() -> Pages:
    """The real pages."""
    return load_pages()


def _scripts() -> Iterator[tuple[str, str]]:
    """Yield the hall's scripts without their comments; those of the table's page have words of their own."""
    for path in sorted((_DISPLAY / "js").rglob("*.js")):
        if path.name.startswith(("table_", "calibrate_")):
            continue
        code = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        yield path.relative_to(_DISPLAY / "js").as_posix(), re.sub(r"(^|\s)//.*", "", code)


def _gaps(words: str) -> set[str]:
    return set(re.findall(r"\{\w+\}", words))


def _vocabulary() -> set[str]:
    """Keys that scripts put together from what a board or the hall may say."""
    links = {*get_args(Reason), "connecting", "reconnecting"}
    return {
        *(f"phase.{phase.value}" for phase in Phase),
        *(f"reason.{reason.value}" for reason in EndReason),
        *(f"{family}.{side.value}" for side in Side for family in ("side", "result")),
        *(f"pit.{number}" for number in range(1, 10)),
        "note.not_set_up",
        "note.journal",
        *(f"pause.{code}" for code in ("device_restarted", "presses_lost", "arbiter", "record_ends")),
        *(f"watch.{sensed}" for sensed in get_args(Sensed) if sensed not in _SILENT),
        *(f"link.{link}" for link in links),
    }


def test_no_key_is_missing_in_any_language(pages: Pages) -> None:
    """All catalogues have the same keys, and the same values to be filled in."""
    first = pages.catalogues[LANGUAGES[0]]
    for language in LANGUAGES[1:]:
        other = pages.catalogues[language]
        assert set(other) == set(first), language
        for key, words in other.items():
            assert _gaps(words) == _gaps(first[key]), f"{language} {key}"


def test_every_key_that_is_used_exists(pages: Pages) -> None:
    """Keys written in pages and scripts, and those put together while running."""
    used, office = _vocabulary(), set[str]()
    for name, template in pages.templates.items():
        found = set(re.findall(r'data-(?:text|label)="([^"]+)"', template.template))
        used, office = (used, office | found) if name in _OFFICE else (used | found, office)
    for name, code in _scripts():
        found = set(re.findall(r'\btext\(\s*"([^"]+)"', code))
        used, office = (used, office | found) if name.startswith("console/") else (used | found, office)
    assert used - set(pages.catalogues["kk"]) == set()
    assert office - set(pages.console_texts["kk"]) - set(pages.login_texts["kk"]) == set()
    assert {key for key in office if key.startswith("login.")} <= set(pages.login_texts["kk"])


def test_no_text_stands_in_a_page(pages: Pages) -> None:
    """Between the tags and in attributes that people hear there are placeholders only."""

    class Reader(HTMLParser):
        found: list[str]

        def handle_data(self, data: str) -> None:
            self.found += _WORDS.findall(re.sub(r"\$\w+", "", data))

        def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
            heard = [value for name, value in attrs if name in {"alt", "title", "aria-label", "placeholder"}]
            self.found += [word for value in heard for word in _WORDS.findall(value or "")]

    for name, template in pages.templates.items():
        reader = Reader()
        reader.found = []
        reader.feed(template.template)
        assert reader.found == [], name


def test_no_text_stands_in_a_script() -> None:
    """Scripts hold no letters outside ASCII, and write no words of their own."""
    for name, code in _scripts():
        assert [letter for letter in code if letter.isalpha() and not letter.isascii()] == [], name
        written = re.findall(r'(?:textContent|innerText|title)\s*=\s*(["\'`])(.*?)\1', code)
        assert [words for _, words in written if _WORDS.search(words.replace("${", ""))] == [], name
        assert "innerHTML" not in code, name


def test_nothing_is_loaded_from_elsewhere() -> None:
    """No page, script, style or picture names another host."""
    for path in sorted(_DISPLAY.rglob("*.*")):
        found = set(re.findall(r"https?://[^\s\"')]+", path.read_text("utf-8")))
        assert found <= {"http://www.w3.org/2000/svg"}, path.name


def test_files_are_small() -> None:
    """At most 400 lines, of at most 180 characters, so that somebody reads them."""
    for path in sorted(_DISPLAY.rglob("*.*")):
        lines = path.read_text("utf-8").splitlines()
        assert len(lines) <= 400, path.name
        if path.suffix != ".svg":
            assert max(map(len, lines)) <= 180, path.name


def test_kazakh_is_written_with_kazakh_letters(pages: Pages) -> None:
    """The default catalogue is no transcription."""
    letters = set("".join(pages.catalogues["kk"].values()))
    assert len(letters & set(_KAZAKH)) > 8


def test_what_is_filled_in_cannot_break_out(pages: Pages) -> None:
    """A hostile text or board stays a text."""
    texts = {**pages.catalogues["kk"], "app.title": "</script><b>"}
    hostile = Pages(pages.assets, {"kk": texts}, pages.templates, "v")
    page = hostile.board('"><i>', "kk", show_counts=False)
    assert "<i>" not in page
    data = re.search(r'id="page-data">(.*?)</script>', page)
    assert data is not None
    assert json.loads(data.group(1))["texts"]["app.title"] == "</script><b>"


def test_a_page_knows_whether_it_may_show_counts(pages: Pages) -> None:
    """The hall decides, not the address."""
    assert '"show_counts":true' in pages.board("b01", "kk", show_counts=True)
    assert '"show_counts":false' in pages.board("b01", "kk", show_counts=False)


def test_what_an_arbiter_must_know_first_is_not_sent_to_a_page(pages: Pages) -> None:
    """A page has no words for stones that lie wrongly, nor for what a command line says (house law 8)."""
    for language in LANGUAGES:
        assert "infraction.capture_not_taken" in pages.console_texts[language]
        assert {key.partition(".")[0] for key in pages.login_texts[language]} == LOGIN_FAMILIES
        keys = set(pages.catalogues[language])
        assert {key.partition(".")[0] for key in keys} == FAMILIES
        assert {key for key in keys if key.startswith("note.")} == {"note.not_set_up", "note.journal"}
        assert not keys & {f"watch.{sensed}" for sensed in _SILENT}

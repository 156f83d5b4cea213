"""The page's files and words, read once when the program starts; no script holds words of its own."""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Final

from firmware_bridge.language import LANGUAGES, Language, texts
from firmware_bridge.serving import in_script, page_template
from firmware_bridge.table.settings import TableSettings

FAMILIES: Final = frozenset(
    {
        "age", "alert", "calib", "calibdo", "calibno", "calibremark", "calibstep", "calibword", "calibwrong",
        "fault", "goal", "language", "page", "pause", "phase", "place", "player", "reason",
        "result", "side", "table",
    }
)  # fmt: skip
"""Which texts the page is given, by the first word of their keys. What it shows of an infraction is for the
board to decide: without a route to the page no code of one ever comes here."""

_TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    """One static file: its bytes and its media type."""

    body: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Pages:
    """All that the program answers with.

    Attributes:
        assets: Static files by their path below `/static/`.
        catalogues: Texts by language and key.
        template: The page of the table.
        calibrate: The page on which its board is calibrated.
        version: Hash over all of them.
    """

    assets: Mapping[str, Asset]
    catalogues: Mapping[str, Mapping[str, str]]
    template: Template
    calibrate: Template
    version: str

    def page(self, settings: TableSettings, wish: str | None) -> str:
        """Return the table's page as HTML, in the language that is wished if there are texts in it."""
        return self._filled(self.template, "table.title", settings, wish)

    def calibrate_page(self, settings: TableSettings, wish: str | None) -> str:
        """Return the page for calibrating, likewise."""
        return self._filled(self.calibrate, "calib.title", settings, wish)

    def _filled(self, template: Template, title: str, settings: TableSettings, wish: str | None) -> str:
        language = wish if wish is not None and wish in self.catalogues else settings.language
        words = self.catalogues[language]
        data = {
            "language": language,
            "languages": {code: each["language.name"] for code, each in self.catalogues.items()},
            "assets": self.version,
            "texts": words,
            "board": settings.board_id,
            "near": settings.near,
            "turned": settings.turned,
        }
        return template.substitute(
            lang=language,
            title=html.escape(words[title].replace("{board}", settings.board_id)),
            noscript=html.escape(words["page.noscript"]),
            data=in_script(data),
        )


def load_pages() -> Pages:
    """Read the page, its files and its texts in all languages.

    Raises:
        CatalogueError: A catalogue of texts is damaged.
    """
    display = files("firmware_bridge") / "display"
    assets = {
        f"{folder}/{entry.name}": Asset(entry.read_bytes(), _TYPES[entry.name[entry.name.rfind(".") :]])
        for folder in ("css", "img", "js")
        for entry in (display / folder).iterdir()
        if entry.name[entry.name.rfind(".") :] in _TYPES
    }
    template, calibrate = page_template("table.html"), page_template("calibrate.html")
    catalogues: dict[str, Mapping[str, str]] = {language: _words(language) for language in LANGUAGES}
    pages = template.template + calibrate.template
    whole = hashlib.sha256(pages.encode() + json.dumps(catalogues, sort_keys=True).encode())
    for name, asset in sorted(assets.items()):
        whole.update(name.encode() + asset.body)
    return Pages(assets, catalogues, template, calibrate, whole.hexdigest()[:16])


def _words(language: Language) -> Mapping[str, str]:
    words = texts(language)
    return {key: words.text(key) for key in words.entries if key.partition(".")[0] in FAMILIES}

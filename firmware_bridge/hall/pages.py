"""The files and words that pages are made of: static assets, catalogues, filled templates.

Everything is read once, when the program starts: a request can never reach another file, and
a file has the same content for all viewers. A page's words come from the catalogues
(`firmware_bridge/language.py`); no page and no script holds any of its own.
"""

import hashlib
import html
import json
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template
from typing import Final

from firmware_bridge.language import LANGUAGES, Texts, texts
from firmware_bridge.serving import in_script, page_template

FAMILIES: Final = frozenset(
    {
        "age", "app", "aria", "board", "control", "language", "link", "list", "moves", "note", "page",
        "pause", "phase", "pit", "player", "reason", "result", "side", "watch",
    }
)  # fmt: skip
"""Which texts a page is given, by the first word of their keys.

What only an arbiter is to read first (house law 8) must stand in no family of these.
"""

LOGIN_FAMILIES: Final = FAMILIES | {"login"}
CONSOLE_FAMILIES: Final = FAMILIES | {
    "advice", "console", "fault", "group", "infraction", "need", "offer", "order", "pairing", "paper",
    "penalty", "proposal", "refused", "role", "round", "seal", "standing", "step", "version", "wrong",
}  # fmt: skip
"""The same for the arbiter's pages; nobody is given these without a login."""

_ACCEPTED: Final = re.compile(
    r"(?:^|,)\s*([a-z]{2,3})(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?(?=,|$)"
)
_LONGEST_HEADER: Final = 512
_TEMPLATES: Final = ("board.html", "boards.html", "console.html", "login.html")
_FOLDERS: Final = ("css", "css/console", "img", "js", "js/console")
_TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    """One static file.

    Attributes:
        body: Its bytes.
        media_type: As sent in `Content-Type`.
        etag: Quoted hash of the bytes; a browser that has them is answered without a body.
    """

    body: bytes
    media_type: str
    etag: str


@dataclass(frozen=True, slots=True)
class Pages:
    """All that the gateway needs to answer with pages.

    Attributes:
        assets: Static files by their path below `/static/`.
        catalogues: Texts of public pages by language and key.
        version: Hash over all assets, templates and texts; a page that finds another one
            after a reconnect loads itself anew.
        login_texts: Texts of the login.
        console_texts: Those of the arbiter's console.
    """

    assets: Mapping[str, Asset]
    catalogues: Mapping[str, Mapping[str, str]]
    templates: Mapping[str, Template]
    version: str
    login_texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    console_texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def language(self, wish: str | None, accepted: str, default: str) -> str:
        """Choose the language of a page.

        Args:
            wish: What the page's address asks for; goes before everything else.
            accepted: What the browser asks for, as in `Accept-Language` (RFC 9110, 12.5.4).
            default: For whoever asks for nothing that there is a catalogue for.
        """
        wishes = [wish or "", *_by_preference(accepted)]
        return next((language for language in wishes if language in self.catalogues), default)

    def board(self, board: str, language: str, *, show_counts: bool) -> str:
        """Return the page of one board as HTML."""
        title = self.catalogues[language]["page.title"].replace("{board}", board)
        return self._fill("board.html", language, title, {"board": board, "show_counts": show_counts})

    def boards(self, language: str, *, follow_single: bool, unknown: bool = False) -> str:
        """Return the page that lists the boards as HTML.

        Args:
            language: Key of a catalogue.
            follow_single: Whether the page goes on to the only board by itself.
            unknown: Whether the list stands in for a page that does not exist.
        """
        title = self.catalogues[language]["list.page_title"]
        facts = {"board": "", "follow_single": follow_single, "unknown": unknown}
        return self._fill("boards.html", language, title, facts)

    def login(self, language: str) -> str:
        """Return the page on which an arbiter says who he is."""
        words = self.login_texts[language]
        return self._fill("login.html", language, words["login.title"], {"board": ""}, words)

    def console(self, language: str, me: Mapping[str, object]) -> str:
        """Return the arbiter's console; `me` is what is told to who has opened it."""
        words = self.console_texts[language]
        return self._fill("console.html", language, words["console.title"], {"board": "", "me": me}, words)

    def _fill(
        self,
        name: str,
        language: str,
        title: str,
        facts: Mapping[str, object],
        words: Mapping[str, str] | None = None,
    ) -> str:
        words = self.catalogues[language] if words is None else words
        names = {code: each["language.name"] for code, each in self.catalogues.items()}
        data = {"language": language, "languages": names, "assets": self.version, "texts": words, **facts}
        return self.templates[name].substitute(
            lang=language,
            title=html.escape(title),
            board=html.escape(str(facts["board"])),
            noscript=html.escape(words["page.noscript"]),
            data=in_script(data),
        )


def _by_preference(accepted: str) -> list[str]:
    """Return the languages of an `Accept-Language` without their regions, the most wanted first."""
    found = _ACCEPTED.findall(accepted.lower()[:_LONGEST_HEADER])
    wanted = [(float(quality or 1), language) for language, quality in found]
    return [language for quality, language in sorted(wanted, key=lambda pair: -pair[0]) if quality > 0]


def load_pages() -> Pages:
    """Read all files of `display` and the texts in all languages.

    Raises:
        CatalogueError: A catalogue of texts is damaged.
    """
    package = files("firmware_bridge")
    display = package / "display"
    assets = {}
    for folder in _FOLDERS:
        for entry in sorted((display / folder).iterdir(), key=lambda item: item.name):
            if entry.is_file():
                assets[f"{folder}/{entry.name}"] = _asset(entry)
    templates = {name: page_template(name) for name in _TEMPLATES}
    catalogues, login_texts, console_texts = map(_words, (FAMILIES, LOGIN_FAMILIES, CONSOLE_FAMILIES))
    whole = hashlib.sha256()
    for name, asset in sorted(assets.items()):
        whole.update(f"{name} {asset.etag}".encode())
    for name, template in sorted(templates.items()):
        whole.update(f"{name} {template.template}".encode())
    whole.update(json.dumps([catalogues, login_texts, console_texts], sort_keys=True).encode())
    return Pages(assets, catalogues, templates, whole.hexdigest()[:16], login_texts, console_texts)


def _words(families: frozenset[str]) -> dict[str, Mapping[str, str]]:
    """Return the texts of some families in all languages."""
    return {language: _for_pages(texts(language), families) for language in LANGUAGES}


def _asset(entry: Traversable) -> Asset:
    body = entry.read_bytes()
    suffix = entry.name[entry.name.rfind(".") :]
    media_type = _TYPES.get(suffix) or mimetypes.guess_type(entry.name)[0] or "application/octet-stream"
    return Asset(body, media_type, f'"{hashlib.sha256(body).hexdigest()[:24]}"')


def _for_pages(words: Texts, families: frozenset[str]) -> Mapping[str, str]:
    return {key: words.text(key) for key in words.entries if key.partition(".")[0] in families}

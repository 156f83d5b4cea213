"""Texts in Kazakh, Russian and English, and which of them a person is given.

Every text has a key, such as `link.fresh`, and stands in `locale/LANGUAGE/togyz.po`, a gettext catalogue
whose message ids are the keys. It is read with Babel when it is first asked for: there is nothing to compile,
and no language is read that nobody wants. `tests/house/catalogues.py` keeps the files in order.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from types import MappingProxyType
from typing import Final, Literal

Language = Literal["kk", "ru", "en"]

LANGUAGES: Final[tuple[Language, ...]] = ("kk", "ru", "en")
"""Languages with a catalogue, the default first."""

VARIABLE: Final = "TOGYZ_LANGUAGE"
"""Environment variable that chooses a language for our programs only."""

_LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")  # in the order of POSIX, first set one counts
_GAP: Final = re.compile(r"\{(\w+)\}")


class CatalogueError(ValueError):
    """Raised when a catalogue cannot be used; the text names the file and, where known, the line or key."""


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts of one language.

    An unknown key shows itself, and a gap that no value fills stays as it is: a text that is wrong
    is better than a program that stops.

    Attributes:
        language: Code of the language.
        entries: By key the text, or the forms of a text that counts something.
        form_of: Gives for a number which of the forms it takes, from 0.
    """

    language: Language
    entries: Mapping[str, str | tuple[str, ...]]
    form_of: Callable[[int], int]

    def knows(self, key: str) -> bool:
        """Tell whether there is a text of this key."""
        return key in self.entries

    def text(self, key: str, /, **values: object) -> str:
        """Return the text of `key` with each `{name}` filled in from `values`."""
        entry = self.entries.get(key, key)
        return _filled(entry if isinstance(entry, str) else entry[-1], values)

    def of(self, family: str, code: str) -> str:
        """Return a code such as a phase in words; one that has none shows itself."""
        key = f"{family}.{code}"
        return self.text(key) if self.knows(key) else code.replace("_", " ")

    def gaps(self, key: str) -> frozenset[str]:
        """Return the names of the values that fill the text of `key`."""
        entry = self.entries.get(key, key)
        return frozenset(_GAP.findall(entry if isinstance(entry, str) else entry[-1]))

    def plural(self, key: str, n: int, /, **values: object) -> str:
        """Return the text of `key` in the form that goes with `n`, which fills `{n}` too."""
        entry = self.entries.get(key, key)
        form = entry if isinstance(entry, str) else entry[min(self.form_of(abs(n)), len(entry) - 1)]
        return _filled(form, {"n": n, **values})


def _filled(text: str, values: Mapping[str, object]) -> str:
    return _GAP.sub(lambda gap: str(values.get(gap[1], gap[0])), text) if values else text


@cache
def texts(language: Language) -> Texts:
    """Return the texts of a language, read once.

    Raises:
        CatalogueError: The catalogue is missing or damaged.
    """
    file = files("firmware_bridge") / "locale" / language / "togyz.po"
    name = f"firmware_bridge/locale/{language}/togyz.po"
    try:
        content = file.read_bytes()
    except OSError as error:
        raise CatalogueError(f"{name} cannot be read: {error.strerror or error}; install anew") from error
    return read_texts(language, content, name)


def read_texts(language: Language, content: bytes, name: str) -> Texts:
    """Return the texts in a catalogue.

    Args:
        language: What the texts are written in.
        content: The `.po` file.
        name: What the file is called in errors.

    Raises:
        CatalogueError: It is no catalogue, or holds a text that is empty or has too few forms.
    """
    # Half of what it takes to show a text is to load Babel, and a program may have nothing to say.
    from babel.messages.pofile import PoFileError, read_po  # noqa: PLC0415 - said above

    entries: dict[str, str | tuple[str, ...]] = {}
    try:
        # Without a locale, or Babel would count by its own knowledge and not by the file's header.
        catalogue = read_po(BytesIO(content), abort_invalid=True, charset="utf-8")
        form_of = gettext.c2py(catalogue.plural_expr)
        for message in catalogue:
            if message.id:
                key = message.id if isinstance(message.id, str) else message.id[0]
                text = message.string or ""
                entries[key] = text if isinstance(text, str) else tuple(text)
    except PoFileError as error:
        what = str(error).rpartition(" on ")[0]  # Babel counts its lines from 0
        raise CatalogueError(f"{name}, line {error.lineno + 1}: {what}") from error
    except (ValueError, LookupError) as error:
        raise CatalogueError(f"{name} is no catalogue: {error}") from error
    for key, entry in entries.items():
        forms = 1 if isinstance(entry, str) else catalogue.num_plurals
        found = (entry,) if isinstance(entry, str) else entry
        if len(found) != forms or not all(found):
            raise CatalogueError(
                f"{name}: {key} needs {forms} text(s), none of them empty, and has {found!r}"
            )
    if not entries:
        raise CatalogueError(f"{name} holds no text")
    return Texts(language, MappingProxyType(entries), form_of)


def chosen_language(option: str | None, environ: Mapping[str, str]) -> Language:
    """Return the language a person wants.

    What names no language of ours is passed over: a board must not stand still for a variable. The
    command line refuses such an option before it comes here.

    Args:
        option: What the command line asks for, which goes before everything else; None: nothing.
        environ: Environment variables: `TOGYZ_LANGUAGE`, then the first of `LC_ALL`, `LC_MESSAGES` and
            `LANG` that is set. A locale without a catalogue (`C`, `de_DE.UTF-8`) gives the default.
    """
    locale = next((environ[name] for name in _LOCALE_VARIABLES if environ.get(name)), "")
    wishes = (option or "", environ.get(VARIABLE, ""), locale)
    return next((found for found in map(_ours, wishes) if found is not None), LANGUAGES[0])


def _ours(locale: str) -> Language | None:
    """Return the language of a locale's name such as `ru_RU.UTF-8`, if there is a catalogue for it."""
    code = re.split(r"[_.@-]", locale.strip(), maxsplit=1)[0].lower()
    return next((language for language in LANGUAGES if language == code), None)

"""`make catalogues`: the texts in three languages, in one order and one form, and what they still lack.

It writes every `firmware_bridge/locale/LANGUAGE/togyz.po` anew: keys in order, the English text above each
Kazakh and Russian one for whoever translates, nothing that changes from run to run. Then it lists keys that
are used and have no text, texts that nobody uses, and entries that are not translated yet.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.pofile import read_po

from firmware_bridge.language import LANGUAGES, Language
from tests.house.committed import ROOT
from tests.house.keys import used

NAMES: Mapping[Language, str] = {"kk": "Kazakh", "ru": "Russian", "en": "English"}

PLURAL_FORMS: Mapping[Language, str] = {
    "kk": "nplurals=2; plural=(n != 1);",
    "ru": "nplurals=3; plural=(n % 10 == 1 && n % 100 != 11 ? 0"
    " : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2);",
    "en": "nplurals=2; plural=(n != 1);",
}
"""CLDR's rules for whole numbers, in gettext's words; a test counts both ways."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One text as it stands in a file.

    Attributes:
        key: Its key.
        forms: The text; several for a text that counts something. A form that is missing is empty.
        counts: Whether it counts something.
        comments: What translators wrote about it.
        flags: Gettext's flags, such as `fuzzy`.
    """

    key: str
    forms: tuple[str, ...]
    counts: bool = False
    comments: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


def path_of(root: Path, language: Language) -> Path:
    """Return the catalogue's file in a checkout."""
    return root / "firmware_bridge" / "locale" / language / "togyz.po"


def read_entries(content: bytes) -> dict[str, Entry]:
    """Return the entries of a catalogue by key, as they are, complete or not.

    Raises:
        PoFileError: It is no `.po` file.
    """
    found = {}
    for message in read_po(BytesIO(content), abort_invalid=True, charset="utf-8"):
        if not message.id:
            continue
        counts = not isinstance(message.id, str)
        key = message.id if isinstance(message.id, str) else message.id[0]
        forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        found[key] = Entry(key, forms, counts, tuple(message.user_comments), tuple(sorted(message.flags)))
    return found


def written(language: Language, entries: Iterable[Entry], english: Mapping[str, Entry]) -> str:
    """Return a catalogue's file, the same for the same entries.

    Args:
        language: The catalogue's language.
        entries: Its entries, in any order.
        english: The English entries, shown above those of another language.
    """
    head = f"""\
# The {NAMES[language]} texts of Togyz Bridge. Keys are never shown; gaps such as {{n}} are filled in.
# `make catalogues` puts this file in order.
msgid ""
msgstr ""
"Project-Id-Version: togyz-bridge\\n"
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {PLURAL_FORMS[language]}\\n"
"""
    shown: Mapping[str, Entry] = {} if language == "en" else english
    ordered = sorted(entries, key=lambda entry: entry.key)
    return "\n".join([head, *(_block(entry, shown.get(entry.key)) for entry in ordered)])


def _block(entry: Entry, english: Entry | None) -> str:
    lines = [f"# {comment}" for comment in entry.comments]
    for form in english.forms if english else ():
        lines += [f"#. {line}" for line in form.split("\n")]
    if entry.flags:
        lines.append(f"#, {', '.join(entry.flags)}")
    lines.append(f'msgid "{entry.key}"')
    if entry.counts:
        lines.append(f'msgid_plural "{entry.key}"')
        for number, form in enumerate(entry.forms):
            lines += _quoted(f"msgstr[{number}]", form)
    else:
        lines += _quoted("msgstr", entry.forms[0])
    return "\n".join(lines) + "\n"


def _quoted(word: str, text: str) -> list[str]:
    """Return a text as gettext writes it: a line of its own for each line of a longer text."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    parts = [f"{part}\\n" for part in escaped.split("\n")]
    parts[-1] = parts[-1].removesuffix("\\n")
    if len(parts) == 1:
        return [f'{word} "{parts[0]}"']
    return [f'{word} ""', *(f'"{part}"' for part in parts if part)]


def tidy(root: Path) -> list[Path]:
    """Write the catalogues of a checkout anew where they are not as they should be, and return which."""
    english = read_entries(path_of(root, "en").read_bytes())
    changed = []
    for language in LANGUAGES:
        path = path_of(root, language)
        content = path.read_bytes()
        new = written(language, read_entries(content).values(), english).encode()
        if new != content:
            path.write_bytes(new)
            changed.append(path)
    return changed


def lacking(root: Path) -> list[str]:
    """Return a line for each key that is used and has no text, is not used, or is not translated."""
    wanted = used(root)
    told = []
    for language in LANGUAGES:
        entries = read_entries(path_of(root, language).read_bytes())
        name = path_of(root, language).relative_to(root)
        told += [
            f"{name}: no text for {key} ({wanted[key]})" for key in sorted(wanted.keys() - entries.keys())
        ]
        told += [f"{name}: nobody uses {key}" for key in sorted(entries.keys() - wanted.keys())]
        told += [
            f"{name}: {key} is not translated"
            for key, entry in entries.items()
            if not all(entry.forms) or "fuzzy" in entry.flags
        ]
    return told


def main() -> int:
    """Put the catalogues of this checkout in order, and list what they lack; 1 if they lack anything."""
    sys.stdout.writelines(f"{path.relative_to(ROOT)}: put in order\n" for path in tidy(ROOT))
    found = lacking(ROOT)
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

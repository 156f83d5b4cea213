"""Turns our docstrings into the descriptions of a schema, so that each fact is written once. Pure.

A class's paragraphs describe it; the lines of its section `Attributes:` describe its fields.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Final, TypeAlias

Schema: TypeAlias = dict[str, Any]

_SECTION: Final = re.compile(r"^(?:Attributes|Args|Raises|Returns):$", re.MULTILINE)
_JSON: Final = {"None": "null", "True": "true", "False": "false"}
_PYTHON: Final = re.compile(r"\b(?:None|True|False)\b")
_FIELD: Final = re.compile(r"^ {4}(\w+): ", re.MULTILINE)


class UndescribedError(ValueError):
    """Raised when a field has no description; the text names class and field."""


def summary_of(cls: type) -> str:
    """Return what a class's docstring says outside its sections, in one line."""
    first, *sections = _SECTION.split(inspect.cleandoc(cls.__doc__ or ""))
    return _joined(" ".join((first, *(_parted(section)[1] for section in sections))))


def fields_of(cls: type) -> dict[str, str]:
    """Return the descriptions of a class's fields, those of its bases included.

    A class made from another's fields names that one as `described_by`; its own words go before.
    """
    other = getattr(cls, "described_by", None)
    found: dict[str, str] = {} if other is None else fields_of(other)
    for each in reversed(cls.__mro__):
        text = inspect.cleandoc(each.__dict__.get("__doc__") or "")
        if "\nAttributes:\n" not in text:
            continue
        section, _ = _parted(_SECTION.split(text.split("\nAttributes:\n", 1)[1])[0])
        pieces = _FIELD.split(section)[1:]
        found |= {name: _joined(words) for name, words in zip(pieces[::2], pieces[1::2], strict=True)}
    return found


def describe(schema: Schema, cls: type) -> None:
    """Give a schema and each of its properties the words of the class it was made from.

    Raises:
        UndescribedError: The class says nothing about one of the properties.
    """
    words = fields_of(cls)
    schema["description"] = summary_of(cls)
    for name, inner in schema.get("properties", {}).items():
        if name not in words:
            raise UndescribedError(f"{cls.__name__}.{name}: say in the class's docstring what it is")
        inner.pop("title", None)
        inner["description"] = words[name]


def _parted(section: str) -> tuple[str, str]:
    """Part what belongs to a section, which is indented, from the paragraphs behind it."""
    inside, *behind = re.split(r"\n(?=\S)", section, maxsplit=1)
    return inside, "".join(behind)


def _joined(text: str) -> str:
    """Return a text in one line, with JSON's own names for what Python calls otherwise."""
    return _PYTHON.sub(lambda word: _JSON[word.group()], " ".join(text.split()))

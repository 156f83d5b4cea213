"""What can be wrong in a configuration file, as values: told in English here, in the language by commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

WORDS: Final[Mapping[str, str]] = {
    "no_file": "cannot be read (it is no file); name a configuration file",
    "unreadable": "cannot be read ({why}); name a configuration file",
    "no_text": "cannot be read (no UTF-8 text at byte {at}); name a configuration file",
    "no_toml": "not valid TOML: {why}",
    "too_deep": "not valid TOML: nested too deep",
    "unknown": "`{name}` is not a setting; known here: {known}",
    "near": "`{name}` is not a setting; did you mean `{near}`?",
    "missing": "`{name}` is missing; add it",
    "wrong": "`{name}` = {value}: {why}",
}
"""Kinds of mistakes."""

VALUE_WORDS: Final[Mapping[str, str]] = {
    "unseen": "holds a character that cannot be seen; remove it",
    "blank": "shows nothing; write a name",
    "path": "a path is needed, in quotation marks",
    "no_user": "there is no such user here; write the path without `~`",
    "host_blank": "a host name holds no blanks",
    "host": "this is no host name: a part of it is empty or too long",
    "cells": "`cells = false` says that there are no cells; take {keys} out",
    "control_twice": "`control` says how long they have; take {keys} out",
    "whose_password": "a username or password needs the `host` of the broker it is for",
    "password": "a password needs a `username`",
    "pins_clock": "converters need the pin of their `clock`",
    "pins_data": "a `clock` is for converters: give their pins in `data`",
    "pins_twice": "GPIO {pin} stands in {keys}: a pin is one thing only",
    "pins_channel": "[layout] names channel {channel}, and `{key}` of [pins] has no such channel",
    "pins_button": "[layout] names button {button}, and `buttons` of [pins] has no such button",
    "room": "`total_mb` is less than `file_mb`: not even one trace may be kept",
}
"""What our own rules say of a value."""

OF_PYDANTIC: Final[Mapping[str, str]] = {
    "float_type": "number",
    "int_type": "whole",
    "bool_type": "switch",
    "string_type": "text",
    "tuple_type": "row",
    "model_type": "table",
    "model_attributes_type": "table",
    "greater_than_equal": "at_least",
    "less_than_equal": "at_most",
    "string_too_short": "empty",
    "string_too_long": "too_long",
    "string_pattern_mismatch": "pattern",
    "literal_error": "one_of",
}
"""Codes of ours for what pydantic says of a value; what has none is told in its words."""


class ValueMistakeError(ValueError):
    """Raised by a rule of ours about a value; pydantic makes a mistake of it.

    Attributes:
        code: Which rule, of `VALUE_WORDS`.
        values: What its text is filled with.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(VALUE_WORDS[code].format(**values))
        self.code, self.values = code, values


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong in a configuration file.

    Attributes:
        code: Of `WORDS`.
        values: What its text is filled with; `why` is in English.
        why: Of a wrong value what is wrong with it, of `VALUE_WORDS` or `OF_PYDANTIC`; "" for what only
            `values["why"]` says.
        more: What the text of `why` is filled with.
    """

    code: str
    values: Mapping[str, object] = field(default_factory=dict)
    why: str = ""
    more: Mapping[str, object] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The mistake in English."""
        return WORDS[self.code].format(**self.values)


def mistaken_value(name: str, item: Mapping[str, Any]) -> Mistake:
    """Return what pydantic found wrong with a value."""
    why = str(item["msg"]).removeprefix("Value error, ")
    values = {"name": name, "value": _shown(item["input"]), "why": why}
    context: Mapping[str, Any] = item.get("ctx", {})
    error = context.get("error")
    if isinstance(error, ValueMistakeError):
        return Mistake("wrong", values, error.code, error.values)
    return Mistake("wrong", values, OF_PYDANTIC.get(item["type"], ""), context)


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # a number of more digits than Python prints
        return "that many digits"
    if isinstance(value, Mapping) and len(text) > 80:
        return "{...}"  # of a whole file nobody reads a part
    return text if len(text) <= 200 else text[:200] + "..."

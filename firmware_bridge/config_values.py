"""What may stand in a configuration file; each kind of value says what is wrong with one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, Strict

from firmware_bridge.mistakes import ValueMistakeError
from rules.control_text import parse_control

Identifier = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,32}$")]
"""Names that travel in topics: small letters, digits and hyphens, at most 32."""


Whole = Annotated[int, Strict()]
Real = Annotated[float, Strict()]
Flag = Annotated[bool, Strict()]
"""Numbers and switches as TOML writes them: `minutes = true` or `"60"` is a slip of the pen."""

Channel = Annotated[int, Strict(), Field(ge=0, le=254)]
"""Number of a channel or button; the wire counts them in one byte."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueMistakeError("unseen")
    return text


def _visible(text: str) -> str:
    if not text.strip():
        raise ValueMistakeError("blank")
    return _printable(text)


def _path(value: object) -> Path:
    if not isinstance(value, str) or not value:
        raise ValueMistakeError("path")
    try:
        return Path(_printable(value)).expanduser()
    except RuntimeError as error:
        raise ValueMistakeError("no_user") from error


def _host(text: str) -> str:
    if " " in text:
        raise ValueMistakeError("host_blank")
    try:
        _printable(text).encode("idna")
    except UnicodeError as error:
        raise ValueMistakeError("host") from error
    return text


def control_text(text: str) -> str:
    """Return a time control as it is written, if it is one."""
    parse_control(text)  # its error says at which character, and what was expected there
    return text


AnyPath = Annotated[Path, BeforeValidator(_path)]
"""A path that can be opened and logged; `~` is a home folder."""

PersonName = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_visible)]

Host = Annotated[str, Field(min_length=1), AfterValidator(_host)]

Credential = Annotated[str, Field(max_length=1024), AfterValidator(_printable)]
"""User name or password: MQTT carries 65535 bytes, nobody types so many."""

Routes = tuple[Literal["arbiter", "lamp", "page", "sound"], ...]
"""Who is told of an alert; a test holds routes and kinds to the board's own (`board/alerts.py`)."""

"""Files of keys: JSON, for their owner's eyes alone, and after a power cut the old one or the new one.

A board's file has the keys that open it, a hall's those of all boards. Both have the same form.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from firmware_bridge.wire.regular import MAX_BYTES, read_regular
from firmware_bridge.wire.signing import Key, Keyring, SigningError, read_object

FORMAT: Final = 1
OWNER_ONLY: Final = 0o600

KeyFault: TypeAlias = Literal["unreadable", "open", "damaged", "exists", "unwritable"]
"""What may be wrong with a file: `open`: others than its owner may read it."""

_FIELDS: Final = frozenset({"id", "event", "board", "secret", "made", "revoked"})


class KeyFileError(ValueError):
    """Raised when a file of keys cannot be read or written.

    Attributes:
        path: The file.
        fault: What is wrong, for programs and translations.
        why: In words, without a secret.
    """

    def __init__(self, path: Path, fault: KeyFault, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path, self.fault, self.why = path, fault, why


def load_keys(path: Path) -> Keyring:
    """Read a file of keys.

    Raises:
        KeyFileError: It cannot be read, others may read it too, or it is no file of keys.
    """
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        data = read_regular(path)
    except OSError as error:
        raise KeyFileError(path, "unreadable", f"cannot be read: {error.strerror or error}") from error
    if mode & 0o077:
        why = f"others than its owner may read or change it (mode {mode:o}); type: chmod 600 {path}"
        raise KeyFileError(path, "open", why)
    try:
        return _ring(read_object(data))
    except (SigningError, ValueError, TypeError, KeyError) as error:
        raise KeyFileError(path, "damaged", f"is no file of keys: {error}") from None


def save_keys(path: Path, ring: Keyring, *, replace: bool) -> None:
    """Write a file of keys, whole or not at all, readable by its owner alone.

    Args:
        path: The file.
        ring: The keys.
        replace: Whether a file that is there may be replaced.

    Raises:
        KeyFileError: One is there and may not be replaced, or it cannot be written.
    """
    data = _written(ring)
    if len(data) > MAX_BYTES:
        raise KeyFileError(path, "unwritable", f"so many keys make {len(data)} bytes, more than {MAX_BYTES}")
    draft = path.with_name(f".{path.name}.new")
    try:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()  # left behind by a power cut
        _write(draft, data)
        if replace:
            draft.replace(path)
        else:
            _put_if_free(draft, path)
        _settle(path.parent)
    except FileExistsError as error:
        raise KeyFileError(path, "exists", "is there already") from error
    except OSError as error:
        raise KeyFileError(path, "unwritable", f"cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _put_if_free(draft: Path, path: Path) -> None:
    """Give the draft its name; of two programs that do so at once one is refused."""
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # a USB stick's file system knows no second name
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        draft.replace(path)


def _write(draft: Path, data: bytes) -> None:
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, OWNER_ONLY)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(fd)


def _settle(folder: Path) -> None:
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _written(ring: Keyring) -> bytes:
    keys = [
        {
            "id": key.id,
            "event": key.event,
            "board": key.board,
            "secret": key.secret.hex(),
            "made": key.made,
            "revoked": key.revoked,
        }
        for key in ring.keys
    ]
    return json.dumps({"format": FORMAT, "keys": keys}, ensure_ascii=False, indent=1).encode() + b"\n"


def _ring(document: dict[str, Any]) -> Keyring:
    if document.get("format") != FORMAT:
        raise ValueError(f"its `format` is not {FORMAT}")
    keys = tuple(_key(number, fields) for number, fields in enumerate(document["keys"], start=1))
    if len({key.id for key in keys}) != len(keys):
        raise ValueError("two keys have the same id")
    return Keyring(keys)


def _key(number: int, fields: Any) -> Key:
    """Return one key; what is wrong is said by its number, for it may be a secret that is wrong."""
    right = isinstance(fields, dict) and fields.keys() == _FIELDS
    if not right or not isinstance(fields["revoked"], bool):
        raise ValueError(f"key {number} has not the fields it must have")
    if not all(isinstance(fields[name], str) for name in _FIELDS - {"revoked"}):
        raise ValueError(f"key {number} holds something that is no text")
    try:
        secret = bytes.fromhex(fields["secret"])
    except ValueError:
        raise ValueError(f"the secret of key {number} is not hexadecimal") from None
    return Key(**{**fields, "secret": secret})

"""Signed commands for tests: one key, one board, and whatever a test says otherwise."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from firmware_bridge.wire.gate import Gate
from firmware_bridge.wire.signing import UNSIGNED, Key, Keyring, SignedCommand

KEY = Key("board-b-1", "e", "b", bytes(range(32)))
OTHER = Key("board-b-2", "e", "b", bytes(range(32, 64)))
REVOKED = Key("board-b-0", "e", "b", bytes(range(64, 96)), revoked=True)
BOOT_ID, NONCE = "b0" * 16, "0e" * 16

_ids = count(1)


def gate(boot_id: str = BOOT_ID, nonce: str = NONCE) -> Gate:
    """Return the gate of board `b` of event `e`, just started."""
    return Gate(Keyring((REVOKED, KEY, OTHER)), "e", "b", boot_id=boot_id, nonce=nonce)


def command(
    do: str = "suspend", *, key: Key = KEY, sign_with: Key | None = None, **changes: Any
) -> SignedCommand:
    """Return a command, each with an id of its own.

    Args:
        do: What is to be done.
        key: The key it names.
        sign_with: The key it is signed with; None: that one.
        changes: Other fields of the command.
    """
    fields: dict[str, Any] = {
        "event": "e",
        "board": "b",
        "key": key.id,
        "id": f"{next(_ids):032x}",
        "who": "Төреші",
        "boot_id": BOOT_ID,
        "nonce": NONCE,
        "seq": 1,
        "ply": 0,
        "body": json.dumps({"do": do}),
        "mac": UNSIGNED,
    }
    unsigned = SignedCommand(**{**fields, **changes})
    signer = sign_with or key
    return unsigned.model_copy(update={"mac": signer.mac(unsigned.signed_bytes())})

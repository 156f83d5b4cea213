"""Makes the committed documents from the code they describe.

`python -m firmware_bridge.contract.generate` writes them anew after a change of the models; a test
says when that is due.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from firmware_bridge.contract.asyncapi import asyncapi_document
from firmware_bridge.contract.openapi import openapi_document
from firmware_bridge.contract.schemas import message_schemas

REMAKE: Final = "python -m firmware_bridge.contract.generate"
"""The command that makes the committed documents anew."""


def made() -> dict[str, str]:
    """Make all documents; return their texts by file name."""
    values = {f"{kind}.schema.json": schema for kind, schema in message_schemas().items()}
    values |= {"asyncapi.json": asyncapi_document(), "openapi.json": openapi_document()}
    return {name: json.dumps(value, ensure_ascii=False, indent=2) + "\n" for name, value in values.items()}


def remake(folder: Path) -> None:
    """Write all documents into a folder, and take away those that are no more.

    Raises:
        OSError: The folder cannot be written.
    """
    texts = made()
    for old in folder.glob("*.json"):
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    remake(Path(__file__).parent / "documents")

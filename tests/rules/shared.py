"""Data that lies beside a checkout of the repository where its makers have it, and nowhere else."""

import json
from typing import Any

import pytest

from tests.machine import find_shared_data


def shared_lines(name: str) -> list[Any]:
    """Return the JSON values of a file with one in each line; skips the test when there is no such file."""
    return [json.loads(line) for line in _text(name).splitlines()]


def shared_json(name: str) -> Any:
    """Return the JSON value of a file; skips the test when there is no such file."""
    return json.loads(_text(name))


def _text(name: str) -> str:
    folder = find_shared_data()
    if folder is None:
        pytest.skip(f"no {name} beside this checkout")
    return (folder / name).read_text(encoding="utf-8")

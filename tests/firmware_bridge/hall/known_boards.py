"""Registries of boards that have said something."""

from typing import Any

from firmware_bridge.hall.boards import BoardRegistry
from firmware_bridge.wire.payloads import (
    AvailPayload,
    DiagPayload,
    StatePayload,
)
from tests.firmware_bridge.hall.plays import (
    EVENT,
)

WALL_MS = 1_000_500


def registry_of(
    *payloads: AvailPayload | DiagPayload | StatePayload, retained: bool = False
) -> BoardRegistry:
    """Return a registry, connected, that has taken these."""
    registry = BoardRegistry(EVENT, stale_after_s=10.0)
    registry.link(up=True, now_s=0.0)
    for payload in payloads:
        registry.take(payload, retained=retained, now_s=0.0, wall_ms=WALL_MS)
    return registry


def take(registry: BoardRegistry, payload: Any, now_s: float = 0.0, **more: Any) -> str | None:
    """Let a registry take a payload; `more` replaces arguments."""
    return registry.take(payload, **{"retained": False, "now_s": now_s, "wall_ms": WALL_MS, **more})


def version_of(registry: BoardRegistry) -> int:
    """Return the version of the only board's picture."""
    version: int = registry.snapshot("b01", 0.0)["version"]
    return version

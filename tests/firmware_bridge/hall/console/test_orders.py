"""What an order needs, by the offices of 2.4.11 to 2.4.15."""

from __future__ import annotations

import pytest

from firmware_bridge.hall.console.orders import Order, OrderError, check_rights
from firmware_bridge.hall.ledger.roles import Role
from rules.conduct.ladder import LAST_LEVEL


def warning(level: int) -> Order:
    """Return the order to give a warning of a step."""
    return Order("order-0001", "r1-b01", 4, ({"do": "warn", "side": "bastaushy", "level": level},), None)


def test_the_last_warning_is_for_the_chief_panel() -> None:
    """A line arbiter gives all warnings but the last, the fifth (2.4.7)."""
    check_rights(warning(LAST_LEVEL - 1), Role.LINE)
    check_rights(warning(LAST_LEVEL), Role.CHIEF)
    with pytest.raises(OrderError, match="line may not warn: it needs panel"):
        check_rights(warning(LAST_LEVEL), Role.LINE)

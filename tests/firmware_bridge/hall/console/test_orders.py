"""What an order needs, by the offices of 2.4.11 to 2.4.15."""

from __future__ import annotations

import pytest

from firmware_bridge.hall.console.orders import Order, OrderError, check_rights
from firmware_bridge.hall.ledger.roles import RIGHTS, Right, Role
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


def test_whoever_may_answer_a_call_may_hear_a_complaint_about_the_set_up() -> None:
    """The line arbiter at the table hears it (2.9.5); who only registers results does not."""
    complaint = Order("order-0001", "r1-b01", 0, ({"do": "complain", "side": "bastaushy"},), None)
    answer = Order("order-0002", "r1-b01", 0, ({"do": "answer_call"},), None)
    for role in Role:
        may = Right.RULE in RIGHTS[role]
        for order in (complaint, answer):
            if may:
                check_rights(order, role)
            else:
                with pytest.raises(OrderError, match="it needs rule"):
                    check_rights(order, role)
    assert Right.RULE in RIGHTS[Role.LINE]

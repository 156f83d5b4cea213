"""How another program differs from this one."""

from __future__ import annotations

import pytest

from firmware_bridge.wire.version import CONTRACT_VERSION, SOFTWARE, difference


@pytest.mark.parametrize(
    ("contract", "software", "due"),
    [
        (CONTRACT_VERSION, SOFTWARE, None),
        ("", SOFTWARE, None),
        ("", "", None),
        (CONTRACT_VERSION, "another 1", "software"),
        ("", "another 1", "software"),
        ("1.999.0", SOFTWARE, "minor"),
        ("1", SOFTWARE, "minor"),
        ("2.4.0", SOFTWARE, "contract"),
        ("nonsense", "another 1", "contract"),
        (CONTRACT_VERSION.rsplit(".", 1)[0] + ".99", SOFTWARE, None),
    ],
)
def test_the_gravest_difference_is_the_one(contract: str, software: str, due: str | None) -> None:
    """The last number is no difference: it adds nothing."""
    assert difference(contract, software) == due

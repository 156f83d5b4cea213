"""Which version of the contract this is, and which version of the program; and how another one differs.

The major number stands in every topic and payload; it changes when an old reader would go wrong.
The minor number rises with every field, kind or code that is added.
"""

from typing import Final, Literal, TypeAlias

from firmware_bridge import __version__

CONTRACT_VERSION: Final = "1.4.0"

SOFTWARE: Final = f"togyz-bridge {__version__}"
"""What this program calls itself to others."""

Difference: TypeAlias = Literal["contract", "minor", "software"]
"""How two programs differ: in the contract, so that they misread each other; in its minor number, so that one
does not know what the other adds; or only in what they are."""


def difference(contract: str, software: str) -> Difference | None:
    """Return how another program differs from this one; None: in nothing that it tells.

    Args:
        contract: The version of the contract it speaks; "" where it does not say (before 1.4).
        software: What it calls itself; "" likewise.
    """
    theirs, ours = contract.split("."), CONTRACT_VERSION.split(".")
    if contract and theirs[:1] != ours[:1]:
        return "contract"
    if contract and theirs[:2] != ours[:2]:
        return "minor"
    return "software" if software and software != SOFTWARE else None

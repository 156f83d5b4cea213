"""Which version of the contract this is.

The major number stands in every topic and payload; it changes when an old reader would go wrong.
The minor number rises with every field, kind or code that is added.
"""

from typing import Final

CONTRACT_VERSION: Final = "1.3.0"

"""Every illegal sowing named from plain values: the board before, the board seen, and what hands did."""

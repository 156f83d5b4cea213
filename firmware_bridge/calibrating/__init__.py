"""How a board of load cells is calibrated: the steps, what is measured, what may be trusted of it."""

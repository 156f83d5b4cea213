"""What follows for a table from a fault of its link, and from the game its configuration names."""

from __future__ import annotations

from firmware_bridge.board.inputs import Assign, DeviceGone, DeviceTrouble, Input, Suspend
from firmware_bridge.board.settings import GamePlan
from sensors.samples import Fault, FaultKind


def of_fault(fault: Fault, at_us: int) -> Input | None:
    """Return what a fault of the link does to the table at table time `at_us`; None: nothing."""
    match fault.kind:
        case FaultKind.PRESSES_LOST:
            return Suspend(at_us, "presses_lost")
        case FaultKind.INCOMPATIBLE:
            return DeviceGone(fault.detail)
        case FaultKind.MALFORMED | FaultKind.PRESS_TIME | FaultKind.TIME_JUMPED:
            # One frame without sense is no lost device. A press of a wrong time counts as of its
            # arrival, and a jump of the device's time comes with a hello of its own.
            return None
        case _:
            return DeviceTrouble(fault.detail)


def of_plan(plan: GamePlan, game_id: str, at_us: int) -> Assign:
    """Return the game that a configuration names, to be assigned at table time `at_us`."""
    return Assign(
        at_us=at_us,
        game_id=game_id,
        names=plan.names,
        starter_seat=plan.starter_seat,
        control=plan.control,
    )

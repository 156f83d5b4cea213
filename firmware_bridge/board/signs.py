"""What a board shows at the table itself: lamps and sounds of its device, and what its page is told."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.board.alerts import Alert, Alerts, Said, lamps, sound
from firmware_bridge.board.showing import Lying, table_view
from firmware_bridge.board.table import Table
from firmware_bridge.wire.payloads import StatePayload
from firmware_bridge.wire.table_view import TableView
from sensors.link import Link


class Signs:
    """Lamps, buzzer and page of one board.

    Args:
        table: The table.
        link: The way to its device.
        alerts: Who is told of what.
        unsafe: Tells why nothing can be made durable; empty while all is well.

    Attributes:
        page: Called with each view for the table's page. The board sets it.
    """

    def __init__(self, table: Table, link: Link, alerts: Alerts, unsafe: Callable[[], str]) -> None:
        self.page: Callable[[TableView], None] = lambda _view: None
        self._table, self._link, self._alerts, self._unsafe = table, link, alerts, unsafe
        self._told: tuple[Alert, ...] = ()
        self._lit = (0, 0)

    def show(self, state: StatePayload) -> None:
        """Show how it is now, as `state` tells it; what has just come up sounds if it may."""
        session = self._table.session
        said = Said(self._unsafe(), self._table.ruled, session.misplaced(self._table.timeline.latest_us))
        told = self._alerts.raised(session.game, self._table.watch, said)
        lit = lamps(self._alerts, told, session.seating)
        if lit != self._lit:
            self._lit = lit
            self._link.set_lamps(on=lit[0], blink=lit[1])
        sounds = sound(self._alerts, self._told, told)
        if sounds is not None:
            self._link.buzz(*sounds)
        self._told = told
        lying = Lying(self._table.infractions, session.stones_now, session.conduct.sowing.remedy)
        self.page(table_view(state, session.game, told, self._alerts, lying))

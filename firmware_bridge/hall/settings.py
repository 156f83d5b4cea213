"""What a hall is told when it starts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.language import LANGUAGES
from firmware_bridge.wire.settings import BrokerSettings
from firmware_bridge.wire.signing import Keyring
from firmware_bridge.wire.topics import check_id
from rules.conduct.options import CLASSICAL, Conduct
from rules.tournament.options import DEFAULTS, Tournament

_BEAT_RANGE_S: Final = (0.1, 5.0)  # a page gives a silent connection up after 12 s


class HallError(RuntimeError):
    """Raised when the hall cannot run as told; the text says what to change."""


class ListenError(HallError):
    """Raised when the hall cannot listen where it is told to; its cause is what the system says.

    Args:
        host: Where it was told to listen.
        port: On which port.
        why: What the system says, in its words.
    """

    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(f"cannot listen on {host} port {port}: {why}; choose another host or port")
        self.host, self.port = host, port


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleSettings:
    """What the arbiter's console needs to know.

    Attributes:
        ledger: The ledger's file.
        keys: The keys that open the boards; None: there are none, so boards can be seen and not commanded.
        conduct: What the event has chosen where the regulations leave a choice.
        control: The time control of games that name none, as text.
        tournament: What it has chosen about its pairings.
    """

    ledger: Path
    keys: Keyring | None = None
    conduct: Conduct = CLASSICAL
    control: str = "1h"
    tournament: Tournament = DEFAULTS


@dataclass(frozen=True, slots=True, kw_only=True)
class HallSettings:
    """The hall's own settings.

    Attributes:
        event_id: Event whose boards are shown, `[a-z0-9-]{1,32}`.
        broker: Where the boards publish. An empty client id is replaced by a random one.
        host: Address to listen on.
        port: TCP port, 0 for a free one.
        show_counts: Whether pages print the number of stones beside each pit. Screens that
            players can see must not, unless the event says so.
        language: Language of pages where neither address nor browser ask for one we have: kk, ru or en.
        stale_after_s: Seconds without a sign of life after which a board's picture counts as stale.
            A board tells its state every 2 s.
        beat_s: Seconds between two signs of life of the hall to a viewer, 0.1..5.
        max_viewers: Connections served at once; later ones are asked to come back.
        console: The arbiter's console; None: this hall has none.

    Raises:
        HallError: A value is out of its range.
        TopicError: The event's id is none.
    """

    event_id: str
    broker: BrokerSettings
    host: str = "127.0.0.1"
    port: int = 0
    show_counts: bool = False
    language: str = "kk"
    stale_after_s: float = 7.0
    beat_s: float = 2.0
    max_viewers: int = 2000
    console: ConsoleSettings | None = None

    def __post_init__(self) -> None:
        check_id(self.event_id, "event")
        if not 0 <= self.port <= 65_535:
            raise HallError(f"port {self.port} is not 0..65535")
        if self.language not in LANGUAGES:
            raise HallError(f"language {self.language!r} is none of {', '.join(LANGUAGES)}")
        if self.stale_after_s <= 0:
            raise HallError(f"stale_after_s {self.stale_after_s} is not above 0")
        low, high = _BEAT_RANGE_S
        if not low <= self.beat_s <= high:
            raise HallError(f"beat_s {self.beat_s} is not {low}..{high} s")
        if self.max_viewers < 1:
            raise HallError(f"max_viewers {self.max_viewers} is not above 0")

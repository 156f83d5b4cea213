"""Where the broker is and as whom one speaks to it."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """Everything a client needs to reach a broker.

    Attributes:
        host: Name or address of the broker.
        port: TCP port, 1..65535.
        username: User name; None for anonymous brokers.
        password: Its password; never shown by `repr`.
        client_id: Id of this client, one per program: a broker throws the older of two
            equal ones out. A board uses its board id.
        keepalive_s: Seconds, 1..3600, after which a silent connection is tested. The broker
            sends the will after one and a half times this.
        kept: Whether the broker keeps what this client misses while it is away; needs a client id of its own
            that stays the same.
    """

    host: str
    port: int
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    client_id: str = ""
    keepalive_s: int = 10
    kept: bool = False

    def __post_init__(self) -> None:
        """Refuse what could never connect.

        Raises:
            ValueError: Host is empty, port or keepalive out of range, or a password has no user.
        """
        if not self.host:
            raise ValueError("broker host is empty")
        if not 1 <= self.port <= 65535:
            raise ValueError(f"broker port {self.port} is not within 1..65535")
        if not 1 <= self.keepalive_s <= 3600:
            raise ValueError(f"broker keepalive_s {self.keepalive_s} is not within 1..3600")
        if self.password is not None and self.username is None:
            raise ValueError("broker password is given without a username")
        if self.kept and not self.client_id:
            raise ValueError("a client whose messages are kept needs a client id")

    @property
    def where(self) -> str:
        """The address in words, `host:port`."""
        return f"{self.host}:{self.port}"

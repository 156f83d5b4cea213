"""Topic names: the only place that knows how the tree `tk/1/...` is spelled.

A topic names the writer (one board of one event) and what is said (the leaf). The number in
second place is the major version of the payloads; minor versions only add fields.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

ROOT: Final = "tk/1"

Leaf: TypeAlias = Literal["avail", "meta", "state", "ev", "diag"]
LEAVES: Final[tuple[Leaf, ...]] = get_args(Leaf)

RETAINED_LEAVES: Final[frozenset[Leaf]] = frozenset({"avail", "meta", "state"})
"""What a late joiner must find; events and diagnostics are news and never retained."""

_ID = re.compile(r"[a-z0-9-]{1,32}")


class TopicError(ValueError):
    """Raised when a topic or an id cannot be one of ours; the text names it."""


@dataclass(frozen=True, slots=True)
class BoardTopic:
    """One topic of one board.

    Attributes:
        event: Id of the event, `[a-z0-9-]{1,32}`.
        board: Id of the board, same alphabet.
        leaf: What is said there.
    """

    event: str
    board: str
    leaf: Leaf

    def __str__(self) -> str:
        return f"{ROOT}/{self.event}/board/{self.board}/{self.leaf}"


def is_id(text: str) -> bool:
    """Tell whether `text` may stand in a topic as an event's or a board's id."""
    return _ID.fullmatch(text) is not None


def check_id(text: str, what: str) -> str:
    """Return `text` if it may stand in a topic.

    Args:
        text: The id.
        what: Named in the error, e.g. "event".

    Raises:
        TopicError: It may not; a wildcard or a slash here would reach foreign topics.
    """
    if not is_id(text):
        raise TopicError(f"{what} id {text[:60]!r} must be 1..32 of a-z, 0-9 and '-'")
    return text


def build(event: str, board: str, leaf: Leaf) -> str:
    """Spell the topic of a board.

    Raises:
        TopicError: An id is not `[a-z0-9-]{1,32}` or the leaf is unknown.
    """
    check_id(event, "event")
    check_id(board, "board")
    if leaf not in LEAVES:
        raise TopicError(f"leaf {leaf!r} is none of {', '.join(LEAVES)}")
    return str(BoardTopic(event, board, leaf))


def parse(topic: str) -> BoardTopic:
    """Read a topic of a board.

    Raises:
        TopicError: It is none of ours, of another major version, or holds a bad id.
    """
    levels = topic.split("/", 6)
    if len(levels) != 6 or "/".join(levels[:2]) != ROOT or levels[3] != "board":
        raise TopicError(f"topic {topic[:120]!r} is not {ROOT}/<event>/board/<board>/<leaf>")
    event, board, last = levels[2], levels[4], levels[5]
    check_id(event, "event")
    check_id(board, "board")
    for leaf in LEAVES:
        if leaf == last:
            return BoardTopic(event, board, leaf)
    raise TopicError(f"topic {topic[:120]!r} ends in {last[:40]!r}, which is none of {', '.join(LEAVES)}")


def boards_filter(event: str | None = None, leaf: Leaf | None = None) -> str:
    """Spell the subscription to all boards.

    Args:
        event: Only this event; None means every event.
        leaf: Only this leaf; None means every leaf.

    Raises:
        TopicError: An id is not `[a-z0-9-]{1,32}`.
    """
    middle = "+" if event is None else check_id(event, "event")
    return f"{ROOT}/{middle}/board/+/{leaf or '+'}"

"""Topic names: the only place that knows how the tree `tk/1/...` is spelled.

A topic names the writer (one board of one event) and what is said (the leaf). The number in
second place is the major version of the payloads; minor versions only add fields.
"""

import hashlib
import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

ROOT: Final = "tk/1"

Leaf: TypeAlias = Literal["avail", "meta", "state", "ev", "diag"]
LEAVES: Final[tuple[Leaf, ...]] = get_args(Leaf)

RETAINED_LEAVES: Final[frozenset[Leaf]] = frozenset({"avail", "meta", "state"})
"""What a late joiner must find; events and diagnostics are news and never retained."""

CommandLeaf: TypeAlias = Literal["cmd", "ack"]
"""Where a board is commanded, and where it answers; never retained. No leaf of the board's telling."""

MAX_PARTS: Final = 256
"""Most parts of one record: about 900 KiB of it, twice the longest game a record can hold."""

_ID = re.compile(r"[a-z0-9-]{1,32}")
_GAME_KEY = re.compile(r"[a-z0-9-]{1,64}")
_PART = re.compile(r"[1-9][0-9]{0,2}")
_RECORD_LEVELS = 8


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


@dataclass(frozen=True, slots=True)
class RecordTopic:
    """The topic of one part of the record of one game.

    Attributes:
        event: Id of the event.
        board: Id of the board.
        game: Key of the game, see `game_key`.
        part: Which part, 1..256.
    """

    event: str
    board: str
    game: str
    part: int

    def __str__(self) -> str:
        return f"{ROOT}/{self.event}/board/{self.board}/record/{self.game}/{self.part}"


@dataclass(frozen=True, slots=True)
class CommandTopic:
    """Where a board takes commands, or answers them.

    Attributes:
        event: Id of the event.
        board: Id of the board.
        leaf: Which of both.
    """

    event: str
    board: str
    leaf: CommandLeaf

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


def build_command(event: str, board: str, leaf: CommandLeaf) -> str:
    """Spell the topic on which a board takes commands, or that of its answers.

    Raises:
        TopicError: An id is not `[a-z0-9-]{1,32}`.
    """
    return str(CommandTopic(check_id(event, "event"), check_id(board, "board"), leaf))


def command_topic(topic: str) -> CommandTopic | None:
    """Read the topic of commands or of their answers; None when it is another."""
    levels = topic.split("/", 6)
    if len(levels) != 6 or "/".join(levels[:2]) != ROOT or levels[3] != "board":
        return None
    event, board = levels[2], levels[4]
    for leaf in get_args(CommandLeaf):
        if leaf == levels[5] and is_id(event) and is_id(board):
            return CommandTopic(event, board, leaf)
    return None


def acks_filter(event: str) -> str:
    """Spell the subscription to the answers of all boards of an event.

    Raises:
        TopicError: The id is not `[a-z0-9-]{1,32}`.
    """
    return f"{ROOT}/{check_id(event, 'event')}/board/+/ack"


def game_key(game: str) -> str:
    """Return what stands for a game's id in topics and addresses.

    The id itself where it is 1..64 of a-z, 0-9 and '-'; else `game-` and 24 hexadecimal digits of the
    SHA-256 of its UTF-8 bytes.
    """
    if _GAME_KEY.fullmatch(game):
        return game
    return f"game-{hashlib.sha256(game.encode(errors='replace')).hexdigest()[:24]}"


def is_game_key(text: str) -> bool:
    """Tell whether `text` may stand for a game in a topic."""
    return _GAME_KEY.fullmatch(text) is not None


def is_record(topic: str) -> bool:
    """Tell whether a topic looks like that of a record's part; `parse_record` reads it strictly."""
    levels = topic.split("/", _RECORD_LEVELS)
    return len(levels) == _RECORD_LEVELS and levels[5] == "record"


def parse_record(topic: str) -> RecordTopic:
    """Read the topic of a record's part.

    Raises:
        TopicError: It is none of ours, of another major version, or holds a bad id, key or number.
    """
    levels = topic.split("/", _RECORD_LEVELS)
    known = len(levels) == _RECORD_LEVELS and "/".join(levels[:2]) == ROOT
    if not known or (levels[3], levels[5]) != ("board", "record"):
        raise TopicError(f"topic {topic[:120]!r} is not {ROOT}/<event>/board/<board>/record/<game>/<part>")
    event, board, game, part = levels[2], levels[4], levels[6], levels[7]
    check_id(event, "event")
    check_id(board, "board")
    if not is_game_key(game):
        raise TopicError(f"game key {game[:80]!r} must be 1..64 of a-z, 0-9 and '-'")
    if not _PART.fullmatch(part) or int(part) > MAX_PARTS:
        raise TopicError(f"part {part[:20]!r} is not 1..{MAX_PARTS}")
    return RecordTopic(event, board, game, int(part))


def records_filter(event: str | None = None, board: str | None = None) -> str:
    """Spell the subscription to the records of all boards, or of one.

    Args:
        event: Only this event; None means every event.
        board: Only this board; None means every board.

    Raises:
        TopicError: An id is not `[a-z0-9-]{1,32}`.
    """
    middle = "+" if event is None else check_id(event, "event")
    last = "+" if board is None else check_id(board, "board")
    return f"{ROOT}/{middle}/board/{last}/record/+/+"


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

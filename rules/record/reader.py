"""Reading the lines of one game: each word gets its place in the record, or an error its place in the text.

Knows one game. Where it begins and ends in a file was decided before, by `rules.record.files`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rules.errors import NotationError, PositionFormatError, RecordError, RecordFormatError, due
from rules.notation.movetext import Word, WordKind, nothing_behind, parse_result, read_move, scan
from rules.notation.parts import is_stood, stood_taken_apart
from rules.notation.positions import parse_diagram, parse_fen
from rules.position import START, Result, Side
from rules.record.check import UNPRINTABLE, check_record
from rules.record.files import GameLines
from rules.record.model import (
    ILLEGAL_STANDS,
    MAX_PLIES,
    POSITION_KINDS,
    TAG_NAMES,
    Comment,
    Dials,
    GameRecord,
    RecordPly,
    Ruling,
    Stood,
    Tags,
    placed,
)
from rules.record.notes import COMMAND, parse_dials, parse_ruling, parse_words
from rules.record.tags import TAG_LINE, canonical_name, parse_value

_FIELDS = {name: field for field, name in TAG_NAMES.items()}
_OWN_FIELDS = {
    "Recorder": "recorder",
    "Remaining": "remaining_ms",
    "Signed": "signed",
    "Position": "start",
    "Result": "result",
    "Reason": "reason",
}
_MARKS = (WordKind.JUDGEMENT, WordKind.DRAW, WordKind.KAZAN)
_NO_RESULT = ("", "?")
_RESTORE = "(a sheet with moves missing has to be restored first)"
_DIAGRAM = re.compile(r"%diagram(?: (bastaushy|qostaushy))? *\n(.*)", re.DOTALL)

_Place = tuple[int, int, str]
"""Line and column, from 1, and the word there."""


class RecordReader:
    """The record of one game while its lines are read.

    Args:
        game: The lines.
    """

    def __init__(self, game: GameLines) -> None:
        self._game = game
        self._texts: dict[str, str] = {}
        self._other: list[tuple[str, str]] = []
        self._own: dict[str, str] = {}
        # Where in the text each part of the record stands, by the path that `check_record` names it with.
        self._places: dict[str, _Place] = {}
        self._start, self._start_number = START, 1
        self._position = START
        self._turn = 0  # as `Stop.turn`, of the position as the moves left it
        self._stood: Word | None = None  # a sowing that stands and waits for its ruling
        self._plies: list[RecordPly] = []
        self._move: list[Word] = []
        self._rulings: list[Ruling] = []
        self._comments: list[Comment] = []
        self._result: Word | None = None

    @property
    def tags(self) -> Tags:
        """The tags as far as they were read."""
        return Tags(**self._texts, other=tuple(self._other))

    def read(self) -> GameRecord:
        """Return the record.

        Raises:
            RecordError: Something in the lines is wrong; names line, column and word.
        """
        self._refuse_control_characters()
        self.read_tags()
        if "Position" in self._own:
            self._read_start()
        self._turn = 2 * self._start_number + self._start.to_move.index
        for word in self._words():
            self._take(word)
        self._play()
        self._check_stood()
        record = GameRecord(
            tags=self.tags,
            start=self._start,
            start_number=self._start_number,
            plies=tuple(self._plies),
            rulings=tuple(self._rulings),
            comments=tuple(self._comments),
            result=self._read_result(),
            reason=self._own.get("Reason", "").strip() or None,
            remaining_ms=self._remaining(),
            recorder=self._own.get("Recorder"),
            signed=self._signed(),
        )
        try:
            check_record(record)
        except RecordFormatError as error:
            raise RecordError(*self._place_of(error.where), error.expected) from error
        return record

    def read_tags(self) -> None:
        """Read the tags, so that they are known even where the rest cannot be read.

        Raises:
            RecordError: A tag stands there twice.
        """
        seen = set()
        for index in self._game.tags:
            found = TAG_LINE.fullmatch(self._game.lines[index])
            assert found is not None, "it was found to be a tag"
            name, value = canonical_name(found[1]), parse_value(found[2])
            number = self._game.first_line + index
            if name in seen:
                raise RecordError(number, found.start(1) + 1, found[1], due("once", "each tag once"))
            seen.add(name)
            if name in _FIELDS:
                where = f"tags.{_FIELDS[name]}"
                self._texts[_FIELDS[name]] = value
            elif name in _OWN_FIELDS:
                where = _OWN_FIELDS[name]
                self._own[name] = value
            else:
                where = f"tags.other[{len(self._other)}]"
                self._other.append((name, value))
            self._places[where] = (number, found.start(2) + 1, value)

    def _refuse_control_characters(self) -> None:
        for number, line in enumerate(self._game.lines, self._game.first_line):
            for found in UNPRINTABLE.finditer(line):
                if found[0] != "\t":
                    raise RecordError(
                        number, found.start() + 1, found[0], due("no_control", "no control character")
                    )

    def _read_start(self) -> None:
        text = self._own["Position"]
        try:
            self._start, self._start_number = parse_fen(text)
        except PositionFormatError as error:
            expected = due("fen", "a position as PlayStrategy writes it")
            raise RecordError(*self._places["start"], expected, error) from error
        self._position = self._start

    def _words(self) -> Iterator[Word]:
        """Yield the words below the tags."""
        tags = set(self._game.tags)
        lines = ["" if n in tags else line.replace("\t", " ") for n, line in enumerate(self._game.lines)]
        try:
            yield from scan(lines, self._game.first_line, first_ply=self._due)
        except RecordError as error:
            self._play()  # a move that waits comes first, and so does what is wrong with it
            if not error.word.startswith("["):
                raise
            expected = due("tag", 'a tag such as [City "Almaty"], on a line of its own above the moves')
            raise RecordError(error.line, error.column, error.word, expected) from error

    @property
    def _due(self) -> int:
        """The ply of the next move, counted from the first of a whole game."""
        return self._turn - 1 + (self._turn % 2 != self._position.to_move.index)

    def _take(self, word: Word) -> None:
        """Take the next word; a move waits for the marks behind it."""
        if word.kind is WordKind.COMMENT:
            self._play()
            self._take_comment(word)
        elif self._result is not None:
            raise _wrong(word, nothing_behind(self._result))
        elif word.kind in _MARKS:
            if not self._move:
                raise _wrong(word, due("before", "its move directly before it"))
            self._move.append(word)
        else:
            self._play()
            if word.kind is WordKind.RESULT:
                self._result = word
            elif word.kind is not WordKind.NUMBER:
                self._check_turn(word)
                self._move = [word]

    def _check_turn(self, word: Word) -> None:
        self._check_stood()
        number = f"{(self._due + 1) // 2}{'.' if self._due % 2 else '...'}"
        if word.kind is WordKind.MISSING:
            raise _wrong(word, due("move", f"the move {number} {_RESTORE}", number=number))
        if word.ply != self._due:
            raise _wrong(word, due("move", f"the move {number} before it {_RESTORE}", number=number))
        if len(self._plies) == MAX_PLIES:
            raise _wrong(word, due("at_most", f"at most {MAX_PLIES} moves"))

    def _check_stood(self) -> None:
        if self._stood is not None:
            told = f"a legal move, or the ruling {ILLEGAL_STANDS} behind it"
            raise _wrong(self._stood, due("stands", told))

    def _play(self) -> None:
        """Play the move that waits, if one does."""
        if not self._move:
            return
        word = self._move[0]
        self._places[f"plies[{len(self._plies)}]"] = (word.line, word.column, word.text)
        self._turn = self._due + 2
        if is_stood(word.text):
            self._plies.append(RecordPly(self._read_stood(self._move)))
            self._stood = word
        else:
            move = read_move(self._move, self._position)
            # The kazan was checked; it follows from the move, and a record holds nothing that follows.
            self._plies.append(RecordPly(replace(move, kazan=None)))
            self._position = move.sowing.after
        self._move = []

    def _read_stood(self, words: list[Word]) -> Stood:
        word = words[0]
        try:
            said = stood_taken_apart("".join(word.text for word in words))
        except NotationError as error:
            raise _wrong(word, due("stood", error.expected)) from error
        if said.kazan is not None:
            raise _wrong(word, due("no_kazan", "no kazan behind a sowing that stands"))
        number = int(word.text[:-1]) if word.text[:-1] else None
        return Stood(self._position.to_move, number, said.judgement, said.draw_offered)

    def _take_comment(self, word: Word) -> None:
        command = COMMAND.match(word.text)
        place = (word.line, word.column, word.text)
        if command is None:
            if word.text:
                self._places[f"comments[{len(self._comments)}]"] = place
                self._comments.append(Comment(len(self._plies), parse_words(word.text)))
        elif command[1] == "clock":
            self._take_clock(word)
        elif command[1] == "diagram":
            self._check_diagram(word)
        elif command[1] == "ruling":
            self._places[f"rulings[{len(self._rulings)}]"] = place
            self._take_ruling(word)
        else:
            told = "%clock, %ruling or %diagram; words that begin so are written \\%"
            raise _wrong(word, due("command", told))

    def _take_ruling(self, word: Word) -> None:
        try:
            ruling = parse_ruling(word.text, len(self._plies))
        except ValueError:
            told = "a ruling such as %ruling warning bastaushy: left the table"
            raise _wrong(word, due("ruling", told)) from None
        self._rulings.append(ruling)
        if ruling.kind not in POSITION_KINDS:
            return
        if ruling.kind == ILLEGAL_STANDS:
            self._stood = None
        self._check_stood()
        try:
            self._position = placed(ruling).position
        except PositionFormatError as error:
            told = f"%ruling {ruling.kind} and a position as PlayStrategy writes it"
            expected = due("fen", told)
            raise RecordError(word.line, word.column, word.text, expected, error) from error

    def _take_clock(self, word: Word) -> None:
        if not self._plies or self._plies[-1].clock_ms is not None:
            raise _wrong(word, due("clock", "one clock behind each move"))
        try:
            dials = parse_dials(word.text.removeprefix("%clock"))
        except ValueError:
            expected = due("clock", "both dials, such as %clock 1:29:58 0:00:09.5 or a dash for one")
            raise _wrong(word, expected) from None
        self._places[f"plies[{len(self._plies) - 1}].clock_ms"] = (word.line, word.column, word.text)
        self._plies[-1] = replace(self._plies[-1], clock_ms=None if dials == (None, None) else dials)

    def _check_diagram(self, word: Word) -> None:
        self._check_stood()
        found = _DIAGRAM.fullmatch(word.text)
        if found is None:
            told = "%diagram, who sits below unless bastaushy does, and four lines below it"
            raise _wrong(word, due("diagram", told))
        try:
            diagram = parse_diagram(found[2], Side(found[1] or "bastaushy"))
        except PositionFormatError as error:
            expected = due("diagram", "a diagram as printed")
            raise RecordError(word.line, word.column, "%diagram", expected, error) from error
        wrong = diagram.contradictions(self._position)
        if wrong:
            plies = len(self._plies)
            expected = due("position", f"the position after {plies} plies, but {wrong[0]} there", n=plies)
            raise RecordError(word.line, word.column, "%diagram", expected)

    def _read_result(self) -> Result | None:
        """Return the result that tag and last word agree on."""
        word, tag = self._result, self._own.get("Result")
        if word is not None:
            self._places["result"] = (word.line, word.column, word.text)
        said = None if word is None else parse_result(word.text)
        if tag is None:
            return said
        try:
            tagged = None if tag.strip() in _NO_RESULT else parse_result(tag)
        except ValueError:
            raise RecordError(*self._places["result"], due("result", "1-0, 0-1, 1/2-1/2 or *")) from None
        if word is not None and tagged != said:
            raise _wrong(word, due("as_tag", f"{tagged or '*'}, as the tag Result says", score=tagged or "*"))
        return tagged

    def _remaining(self) -> Dials | None:
        text = self._own.get("Remaining")
        if text is None:
            return None
        try:
            dials = parse_dials(text)
        except ValueError:
            expected = due("clock", "both dials, such as 0:12:30 0:00:09.5 or a dash for one")
            raise RecordError(*self._places["remaining_ms"], expected) from None
        return None if dials == (None, None) else dials

    def _signed(self) -> tuple[bool, bool]:
        names = self._own.get("Signed", "").split()
        sides = [side.value in names for side in Side]
        if len(names) != sum(sides):
            raise RecordError(*self._places["signed"], "bastaushy, qostaushy or both, each once")
        return sides[0], sides[1]

    def _place_of(self, where: str) -> _Place:
        """Return where in the text the part of the record stands that a path names."""
        known = [path for path in self._places if where.startswith(path)]
        if not known:
            return self._game.first_line, 1, self._game.lines[0]
        return self._places[max(known, key=len)]


def _wrong(word: Word, expected: str) -> RecordError:
    return RecordError(word.line, word.column, word.text, expected)

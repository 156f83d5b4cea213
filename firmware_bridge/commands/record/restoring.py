"""What was found out about a sheet with holes, in words. Pure: an answer and texts in, lines out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_bridge.commands.record.drawing import Ink, Labels, Line, printable
from firmware_bridge.commands.record.scoresheet import Look, board_lines, wrap
from firmware_bridge.commands.record.speaking import Texts
from rules.notation.forms import format_short
from rules.position import Side, Sowing
from rules.sheets.answers import (
    Ambiguous,
    Difference,
    Impossible,
    Repair,
    Restored,
    SheetContradiction,
    Shift,
    TooOpen,
    Unique,
)
from rules.sheets.facts import Place
from rules.sheets.sheet import Sheet

_BLANK: Line = (("", Ink.PLAIN),)


class Teller:
    """Puts answers into words.

    Args:
        sheets: What was asked about.
        names: What the sheets are called.
        texts: The texts of a language.
        look: How boards are to look.
        limit: How many games are listed at most.
    """

    def __init__(
        self, sheets: Sequence[Sheet], names: Sequence[str], texts: Texts, look: Look, *, limit: int
    ) -> None:
        self._sheets, self._names, self._texts, self._look = sheets, names, texts, look
        self._limit = limit

    def lines(self, answer: Restored) -> Iterator[Line]:
        """Yield the answer in words."""
        if isinstance(answer, Unique):
            yield self._head(self._texts.plural("record.restore.unique", len(answer.sowings)))
            yield from self._found(dict(enumerate(map(format_short, answer.sowings), 1)), answer.shifts)
            yield from self._apart(answer.differences, answer.shifts)
        elif isinstance(answer, Ambiguous):
            yield from self._ambiguous(answer)
        elif isinstance(answer, Impossible):
            yield from self._impossible(answer)
        else:
            yield from self._too_open(answer)

    def _ambiguous(self, answer: Ambiguous) -> Iterator[Line]:
        many = self._texts.text("record.restore.many")
        total = many if answer.total is None else self._texts.plural("record.restore.total", answer.total)
        yield self._head(self._texts.text("record.restore.ambiguous", total=total))
        certain = {ply: answer.candidates[ply - 1][0].text for ply in answer.certain_plies}
        yield from self._found(certain, answer.shifts)
        yield self._part("record.restore.open")
        for ply in answer.open_plies:
            moves = [f"{one.text} ({one.games})" for one in answer.candidates[ply - 1]]
            yield from self._item(f"{reference(ply):<8}", "  ".join(moves))
        yield self._part("record.restore.games")
        for number, game in enumerate(answer.solutions[: self._limit], 1):
            open_plies = [ply for ply in answer.open_plies if ply <= len(game)]
            yield from self._item(f"{number:>3})", _line_of(game, open_plies))
        if answer.total is None or answer.total > min(self._limit, len(answer.solutions)):
            yield from self._text("record.restore.more")
        yield from self._apart(answer.differences, answer.shifts)

    def _impossible(self, answer: Impossible) -> Iterator[Line]:
        yield self._head(self._texts.text("record.restore.impossible"))
        yield from self._contradiction(answer.contradiction)
        if answer.repairs:
            yield _BLANK
            yield self._part("record.restore.repairs")
            for repair in answer.repairs:
                yield from self._item("   -", self._repair(repair))
        else:
            yield from self._text("record.restore.no_repair")
        if not answer.all_tried:
            yield from self._text("record.restore.not_all_tried")

    def _contradiction(self, found: SheetContradiction) -> Iterator[Line]:
        what = self._texts.of("contradiction", found.reason.value)
        subject = self._texts.of("subject", found.subject.value)
        where = reference(found.ply) if found.ply else self._texts.text("record.restore.start")
        said = "; ".join(map(self._place, found.places))
        yield from self._item("  ", f"{where} {subject}: {said}" if said else f"{where} {subject}")
        yield from self._item("  ", what)
        if found.allowed:
            yield from self._text("record.restore.possible", moves=" ".join(found.allowed))
        if found.noticed > found.ply:
            yield from self._text("record.restore.noticed", ply=reference(found.noticed))
        yield _BLANK
        if found.positions > 1:
            yield from self._text("record.restore.one_board", n=found.positions)
        else:
            yield from self._text("record.restore.board")
        yield from board_lines(found.position, self._labels(), self._look)

    def _repair(self, repair: Repair) -> str:
        if repair.shift is not None:
            change = self._shift(repair.shift)
        else:
            said = "; ".join(map(self._place, repair.places))
            instead = " / ".join(map(self._cell, repair.instead))
            subject = self._texts.of("subject", repair.subject.value)
            change = f"{reference(repair.ply)} {subject}: {said} → {instead}"
        kind = self._texts.of("repair", repair.kind.value)
        if repair.reaches is not None:
            until = self._texts.text("record.restore.reaches", ply=reference(repair.reaches))
            return f"{change} ({kind}; {until})"
        games = self._texts.plural("record.restore.total", repair.games)
        return f"{change} ({kind}; {games})"

    def _cell(self, text: str) -> str:
        """Return a move as it is, and a cell such as `bastaushy 7=12` in words."""
        side, blank, rest = text.partition(" ")
        return f"{self._texts.of('side', side)} {rest}" if blank else text

    def _too_open(self, answer: TooOpen) -> Iterator[Line]:
        yield self._head(self._texts.text("record.restore.too_open"))
        yield from self._text(
            "record.restore.gap",
            first=reference(answer.first_ply),
            last=reference(answer.last_ply),
            positions=answer.positions,
        )

    def _found(self, texts: dict[int, str], shifts: Sequence[Shift]) -> Iterator[Line]:
        """Yield the moves that stand on no sheet, or not in full."""
        written = self._written(shifts)
        found = [(ply, text) for ply, text in texts.items() if not _readable(written.get(ply, []))]
        if not found:
            return
        yield self._part("record.restore.found")
        for ply, text in found:
            parts = [self._place(place) for place in written.get(ply, [])]
            where = "; ".join(parts) or self._texts.text("record.restore.missing")
            yield from self._item(f"{reference(ply):<8}{text:<6}", where)

    def _apart(self, differences: Sequence[Difference], shifts: Sequence[Shift]) -> Iterator[Line]:
        if differences:
            yield self._part("record.restore.differences")
        for difference in differences:
            subject = self._texts.of("subject", difference.subject.value)
            versions = " | ".join(
                "; ".join(map(self._place, version.places)) for version in difference.versions
            )
            right = difference.right
            verdict = self._texts.text("record.restore.undecided")
            if right is not None:
                place = difference.versions[right].places[0]
                verdict = self._texts.text(
                    "record.restore.right", sheet=self._names[place.sheet], text=printable(place.text)
                )
            yield from self._item("  ", f"{reference(difference.ply)} {subject}: {versions} → {verdict}")
        for shift in shifts:
            yield from self._item("  ", self._shift(shift))

    def _shift(self, shift: Shift) -> str:
        n, values = abs(shift.by), {"sheet": self._names[shift.sheet], "ply": reference(shift.ply)}
        if shift.by > 0:
            return self._texts.plural("record.restore.left_out", n, **values)
        return self._texts.plural("record.restore.doubled", n, **values)

    def _written(self, shifts: Sequence[Shift]) -> dict[int, list[Place]]:
        """Return what is written of each ply; the plies of a sheet with wrong numbers are put right."""
        of_sheet = {shift.sheet: shift for shift in shifts}
        written: dict[int, list[Place]] = {}
        for number, sheet in enumerate(self._sheets):
            shift = of_sheet.get(number)
            for entry in sheet.entries:
                ply = entry.ply if shift is None else _moved(entry.ply, shift)
                if entry.text.strip("_"):
                    written.setdefault(ply, []).append(Place(number, entry.text, entry.line, entry.column))
        return written

    def _place(self, place: Place) -> str:
        """Return what was written and where, such as `7:6 (a.txt:12:5)`."""
        where = self._names[place.sheet]
        if place.line:
            where += f":{place.line}" + (f":{place.column}" if place.column else "")
        return f"{printable(place.text)} ({where})"

    def _labels(self) -> Labels:
        sides = [*(self._texts.of("side", side.value) for side in Side)]
        kazan = self._texts.text("record.kazan")
        return Labels(
            players=(sides[0], sides[1]),
            kazans=(f"{kazan}: {sides[0]}", f"{kazan}: {sides[1]}"),
            to_move=self._texts.text("record.turn"),
        )

    def _head(self, text: str) -> Line:
        return ((text, Ink.PLAYER),)

    def _part(self, key: str) -> Line:
        return ((f"{self._texts.text(key)}:", Ink.NUMBER),)

    def _text(self, key: str, **values: object) -> Iterator[Line]:
        yield from self._item("  ", self._texts.text(key, **values))

    def _item(self, head: str, text: str) -> Iterator[Line]:
        indent = f"  {head} " if head.strip() else "  "
        for place, part in enumerate(wrap(text, self._look.width - len(indent))):
            yield ((indent if place == 0 else " " * len(indent), Ink.NUMBER), (part, Ink.PLAIN))


def _readable(places: Sequence[Place]) -> bool:
    return any("_" not in place.text for place in places)


def _moved(ply: int, shift: Shift) -> int:
    """Return where an entry of a sheet with wrong numbers belongs; 0 for one that is too many."""
    if ply < shift.ply:
        return ply
    return 0 if ply < shift.ply - shift.by else ply + shift.by


def _line_of(game: Sequence[Sowing], plies: Sequence[int]) -> str:
    """Return some plies of a game; the second of a full move stands behind the first without a number."""
    texts = []
    for place, ply in enumerate(plies):
        follows = ply % 2 == 0 and place > 0 and plies[place - 1] == ply - 1
        texts.append(f"{'' if follows else f' {reference(ply)} '}{format_short(game[ply - 1])}")
    return " ".join(texts).strip()


def reference(ply: int) -> str:
    """Return the printed number of a ply from 1, such as `12.` or `12...`."""
    return f"{(ply + 1) // 2}{'.' if ply % 2 else '...'}"

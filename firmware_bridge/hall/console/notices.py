"""What is announced on paper: the warnings after a round, and a round with its boards.

A notice is a title, a table and lines below it; a page shows it as HTML to be printed, a command as text.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Final

from firmware_bridge.hall.console.event import announced_after, watched_people
from firmware_bridge.hall.console.proposals import sheets
from firmware_bridge.hall.ledger.event_values import Book
from firmware_bridge.hall.ledger.values import Warned
from firmware_bridge.language import Texts
from rules.conduct.ladder import LADDER
from rules.conduct.options import Conduct

_BETWEEN: Final = "  "


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A paper to be put up.

    Attributes:
        title: Its heading.
        heads: The headings of its columns.
        rows: Its lines, each as long as `heads`.
        notes: What stands below; of an empty table, why it is empty.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def warnings_notice(book: Book, round_number: int | None, texts: Texts) -> Notice:
    """Return the list of warnings as it is announced after a round (2.4.10); None: all there are."""
    listed = announced_after(book, round_number)
    number = "" if round_number is None else str(round_number)
    title = texts.text("paper.warnings", n=number) if number else texts.text("paper.all_warnings")
    heads = ("person", "step", "round", "article", "reason", "giver")
    watched = ", ".join(watched_people(book))
    notes = [] if listed else [texts.text("paper.no_warnings")]
    if watched:
        notes.append(texts.text("paper.watched", names=watched))
    return Notice(
        title=title,
        heads=tuple(texts.of("paper", head) for head in heads),
        rows=tuple(_warned(each, texts) for each in listed),
        notes=tuple(notes),
    )


def _warned(each: Warned, texts: Texts) -> tuple[str, ...]:
    step = LADDER[each.level - 1]
    told = texts.of("step", str(each.level))
    if step.to_panel:
        told += f"; {texts.text('paper.to_panel')}"
    if step.against_representative:
        told += f": {each.against or texts.text('paper.nobody_named')}"
    reason = texts.of("fault", each.reason) if texts.knows(f"fault.{each.reason}") else each.reason
    return (each.person, told, str(each.round or "—"), each.article or "—", reason, each.given_by)


def round_notice(book: Book, round_number: int, conduct: Conduct, texts: Texts) -> Notice:
    """Return the boards of a round, and whether score sheets are written at them (2.9.2)."""
    games = [each for each in book.fixtures if each.round == round_number]
    duty = sheets(conduct)
    told = texts.text("paper.sheets" if duty["written"] else "paper.no_sheets")
    notes = [f"{told} ({', '.join(duty['articles'])})"]
    if not games:
        notes.append(texts.text("paper.no_games"))
    return Notice(
        title=texts.text("paper.round_title", n=round_number),
        heads=tuple(texts.text(f"round.{head}") for head in ("board", "bastaushy", "qostaushy", "result")),
        rows=tuple(
            (
                each.board,
                each.bastaushy,
                each.qostaushy,
                each.score or ("" if each.postponed is None else texts.text("paper.postponed")),
            )
            for each in games
        ),
        notes=tuple(notes),
    )


def notice_text(notice: Notice) -> list[str]:
    """Return a notice as lines of text with its columns below each other."""
    table = [notice.heads, *notice.rows] if notice.rows else []
    widths = [max(len(row[column]) for row in table) for column in range(len(notice.heads))] if table else []
    lines = [
        _BETWEEN.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
    return [notice.title, *lines, *notice.notes]


def notice_html(notice: Notice, language: str) -> str:
    """Return a notice as a page that can be printed."""
    heads = "".join(f"<th>{html.escape(head)}</th>" for head in notice.heads)
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in notice.rows
    )
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>" if notice.rows else ""
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in notice.notes)
    title = html.escape(notice.title)
    return (
        f'<!doctype html><html lang="{html.escape(language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title}</title><link rel="icon" href="/static/img/emblem.svg">'
        '<link rel="stylesheet" href="/static/css/console/paper.css"></head>'
        f"<body><main><h1>{title}</h1>{table}{notes}</main></body></html>"
    )

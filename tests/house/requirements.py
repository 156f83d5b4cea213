"""The table of requirements, `rules/REQUIREMENTS.md`: read, and held to the tests and options it names."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from pydantic import BaseModel

from firmware_bridge.config import Config
from rules.conduct.options import CLASSICAL
from tests.house.tables import codes, rows_of

TABLE = Path("rules/REQUIREMENTS.md")
COLUMNS = ("No.", "What is asked", "Articles", "How", "Tests", "Options", "Remark")
NUMBERS = (*range(1, 51), 94)
"""What a board, a hall or an arbiter at a board can meet; the others are those of whole events."""

TESTED = ("enforced", "recorded", "printed")
HOWS = (*TESTED, "not observable", "missing")

_ID = re.compile(r"(?P<number>[1-9]\d*)(?P<part>[a-z]?)")
_ARTICLE = re.compile(r"\d(\.\d+)+|000|002")
_SET_ASIDE = {"skip", "skipif", "xfail", "importorskip", "bench"}
"""Marks and calls by which a test is not run, or may fail; `bench` runs in no `make test`."""

_OPTIONS_THEMSELVES = {"options", "options_json"}

_OWNERS = {"conduct": "conduct", "sowing": "sowing", "policy": "sowing"}
"""What the options are called where they are read, and under which key they stand."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table.

    Attributes:
        line: Its line in the file, from 1.
        name: Number and, of a part, its letter.
        what: The requirement in our own words.
        articles: Where it stands.
        how: One of HOWS.
        tests: The tests that would fail if it broke, `path::name` below `tests/`.
        options: Keys of a configuration file with their default, `key = value` or `key unset`.
        remark: Why it cannot be observed, or what is missing; empty: nothing.
    """

    line: int
    name: str
    what: str
    articles: tuple[str, ...]
    how: str
    tests: tuple[str, ...]
    options: tuple[str, ...]
    remark: str

    @property
    def key(self) -> tuple[int, str]:
        """Number and letter; (0, name) where it is none."""
        match = _ID.fullmatch(self.name)
        return (0, self.name) if match is None else (int(match["number"]), match["part"])


def read_rows(text: str) -> list[Row]:
    """Return the rows of all tables of a Markdown text whose first column is the number.

    Raises:
        ValueError: A row has another number of cells; the message names its line.
    """
    rows = []
    for line, (name, what, articles, how, tests, options, remark) in rows_of(text, COLUMNS):
        said = tuple(articles.split(", ")) if articles else ()
        rows.append(Row(line, name, what, said, how, codes(tests), codes(options), remark))
    return rows


def complaints(rows: list[Row], root: Path) -> Iterator[str]:
    """Yield what is wrong with the table, and with each row behind its name."""
    yield from _numbers(rows)
    for row in rows:
        found = [*_said(row), *_tests(row, root), *_options(row), *_asked(row, root)]
        yield from (f"{row.name}: {each}" for each in found)
    named = {option.split()[0] for row in rows for option in row.options}
    yield from (f"{option} stands in no row" for option in conduct_options() if option not in named)


def _numbers(rows: list[Row]) -> Iterator[str]:
    """Yield numbers that are not there, there twice, out of order, or not lettered from a on."""
    found = []
    for number, parts in groupby((row.key for row in rows), key=lambda key: key[0]):
        letters = "".join(letter for _, letter in parts)
        found.append(number)
        if letters and (len(letters) == 1 or letters != "abcdefghijklmnopqrstuvwxyz"[: len(letters)]):
            yield f"{number}: its parts are {letters!r}, not a, b and so on"
    twice = [row.name for row in rows if sum(other.key == row.key for other in rows) > 1]
    yield from (f"{name} is there more than once" for name in dict.fromkeys(twice))
    if tuple(found) != NUMBERS:
        wrong = [str(number) for number in (*NUMBERS, *found) if number not in NUMBERS or number not in found]
        yield f"numbers missing, unknown or out of order: {', '.join(wrong) or found}"


def _said(row: Row) -> Iterator[str]:
    """Yield what a row does not say, or says against its class."""
    if row.how not in HOWS:
        yield f"{row.how!r} is none of {', '.join(HOWS)}"
    if not row.what:
        yield "nothing is asked"
    if not row.articles or not all(_ARTICLE.fullmatch(article) for article in row.articles):
        yield f"these are no articles: {', '.join(row.articles) or 'none'}"
    if row.how in TESTED and not row.tests:
        yield f"{row.how}, and no test says so"
    if row.how == "not observable" and row.tests:
        yield "not observable, and yet there are tests"
    if row.how in ("not observable", "missing") and not row.remark:
        yield f"{row.how}, and no remark says why"


def _tests(row: Row, root: Path) -> Iterator[str]:
    """Yield the tests of a row that are none."""
    if len(set(row.tests)) < len(row.tests):
        yield "a test is named twice"
    for test in row.tests:
        wrong = fault_of(test, root)
        if wrong:
            yield f"{test}: {wrong}"


def fault_of(test: str, root: Path) -> str:
    """Return what is wrong with a test named `path::name` or `path::Class::name`; empty: nothing."""
    path, *names = test.split("::")
    file = root / "tests" / path
    if not names or not file.is_file():
        return "no such file"
    chain: list[ast.AST] = [_tree(file)]
    for name in names:
        inner = [each for each in getattr(chain[-1], "body", ()) if getattr(each, "name", None) == name]
        if not inner:
            return f"no {name} there"
        chain.append(inner[-1])
    node = chain[-1]
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
        return "that is no test"
    if _set_aside(chain):
        return "it is skipped, may fail or is never run by `make test`"
    return "" if _asserts(node, _helpers(file)) else "it asserts nothing"


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _set_aside(chain: Iterable[ast.AST]) -> bool:
    """Return whether a module's `pytestmark`, a class, a test or its body sets the test aside."""
    marks: list[ast.AST] = []
    for node in chain:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            marks.append(node)
        else:
            marks += getattr(node, "decorator_list", ())
            marks += [
                each
                for each in getattr(node, "body", ())
                if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "pytestmark"
            ]
    return any(
        isinstance(each, ast.Attribute)
        and each.attr in _SET_ASIDE
        and ast.unparse(each.value) in ("pytest", "pytest.mark")
        for mark in marks
        for each in ast.walk(mark)
    )


@cache
def _helpers(file: Path) -> frozenset[str]:
    """Return the functions of a file that assert something themselves."""
    functions = [each for each in _tree(file).body if isinstance(each, ast.FunctionDef)]
    return frozenset(each.name for each in functions if _asserts(each, frozenset()))


def _asserts(test: ast.AST, helpers: frozenset[str]) -> bool:
    """Return whether a test, or a helper of its own file, asserts what can be false or expects an error."""
    for each in ast.walk(test):
        if isinstance(each, ast.Call) and ast.unparse(each.func) in helpers:
            return True
        if isinstance(each, ast.Assert) and not isinstance(each.test, ast.Constant):
            return True
        if isinstance(each, ast.Call) and ast.unparse(each.func) == "pytest.raises":
            return True
    return False


def conduct_options() -> list[str]:
    """Return every option of `rules.conduct` by its key in a configuration file."""
    keys = []
    for field in fields(CLASSICAL):
        value = getattr(CLASSICAL, field.name)
        inner = [each.name for each in fields(value)] if is_dataclass(value) else []
        keys += [f"conduct.{field.name}.{name}" for name in inner] or [f"conduct.{field.name}"]
    return keys


def _options(row: Row) -> Iterator[str]:
    """Yield options that there are not, and defaults that the code does not have."""
    for option in row.options:
        key = option.split(" ")[0]
        try:
            has = _default(key)
        except AttributeError:
            yield f"`{option}`: there is no such option"
            continue
        written = option.removeprefix(key).strip()
        says = None if written == "unset" else _value(written)
        if (type(has), has) != (type(says), says):
            yield f"`{option}`: the code has {has!r}"


def _value(written: str) -> object:
    """Return what stands behind a key as TOML; an Ellipsis where it is none."""
    try:
        return tomllib.loads(f"x {written}")["x"]
    except tomllib.TOMLDecodeError:
        return ...


def _default(key: str) -> object:
    """Return the default of an option by its key in a configuration file.

    Raises:
        AttributeError: There is none.
    """
    table, *names = key.split(".")
    value: object = CLASSICAL if table == "conduct" else None
    for name in names if table == "conduct" else ():
        value = getattr(value, name)
    if table == "conduct" and names and not is_dataclass(value):
        return value
    kind = Config.model_fields[table].annotation if table in Config.model_fields else None
    if (
        isinstance(kind, type)
        and issubclass(kind, BaseModel)
        and len(names) == 1
        and names[0] in kind.model_fields
    ):
        return kind.model_fields[names[0]].default
    raise AttributeError(key)


def _asked(row: Row, root: Path) -> Iterator[str]:
    """Yield options of `[conduct]` that are said to do something, and that nothing a program runs reads."""
    if row.how not in TESTED:
        return
    for key in (option.split(" ")[0] for option in row.options):
        if key.startswith("conduct.") and tuple(key.split(".")[-2:]) not in read_by_programs(root):
            yield f"`{key}` is read by no program, nor by a module of rules/conduct that one imports"


@cache
def read_by_programs(root: Path) -> frozenset[tuple[str, str]]:
    """Return what programs read as `conduct.X` or `sowing.X`, in files of theirs or rules they import."""
    programs = [_tree(path) for path in sorted((root / "firmware_bridge").rglob("*.py"))]
    imported = {
        f"{node.module}.{alias.name}".split(".")[2]
        for tree in programs
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if f"{node.module}.".startswith("rules.conduct.")
    }
    rules = [_tree(root / "rules" / "conduct" / f"{each}.py") for each in imported - _OPTIONS_THEMSELVES]
    return frozenset(
        (owner, node.attr)
        for tree in (*programs, *rules)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        for owner in [_OWNERS.get(ast.unparse(node.value).rpartition(".")[2].lstrip("_"))]
        if owner is not None
    )

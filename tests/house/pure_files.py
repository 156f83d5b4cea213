"""Pure files: which they are, and what must not stand in them.

A pure file takes values and returns values. It has no clock, no file, no socket, no thread and no log, so
that the same input gives the same answer on a board, in a test and in a replay years later. This file holds
the table and the check; it reads source text and imports nothing of what it judges. `make check` runs it,
and so does a test.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

SEEDED = "a random.Random with a given seed is a value like any other: same seed, same hands, same noise"


@dataclass(frozen=True, slots=True)
class PureFiles:
    """One line of the table.

    Attributes:
        glob: Which files, from the root of the checkout. Files that are not there yet are no error.
        allowed: Module names that these files may import although the law forbids them, each with the reason.
        only_standard_library: True if only the standard library and pure files of ours may be imported.
    """

    glob: str
    allowed: Mapping[str, str] = field(default_factory=dict)
    only_standard_library: bool = False


TABLE: tuple[PureFiles, ...] = (
    PureFiles(
        "rules/tournament/**/*.py",
        allowed={"networkx": "pairings are matchings in a graph"},
        only_standard_library=True,
    ),
    PureFiles("rules/**/*.py", only_standard_library=True),
    PureFiles("sensors/simulator/**/*.py", allowed={"random": SEEDED}),
    PureFiles("sensors/**/*.py", only_standard_library=True),
    PureFiles("firmware_bridge/**/__init__.py"),
    PureFiles("firmware_bridge/**/errors.py"),
    PureFiles("firmware_bridge/layout.py"),
    PureFiles("firmware_bridge/card/*.py"),
    PureFiles("firmware_bridge/watchdog.py"),
    *(
        PureFiles(f"firmware_bridge/board/{room}/*.py")
        for room in ("counting", "hands", "session", "watching")
    ),
    *(
        PureFiles(f"firmware_bridge/board/{name}.py")
        for name in (
            "alerts",
            "requests/answers",
            "requests/commands",
            "dials",
            "inputs",
            "memory/records",
            "memory/rows",
            "incident_inputs",
            "requests/incidents",
            "memory/telling",
            "memory/timeline",
            "refereeing/advice",
            "refereeing/answered",
            "refereeing/conducting",
            "refereeing/gathering",
            "refereeing/judging",
            "refereeing/referee",
            "refereeing/telling",
            "requests/words",
            "showing",
            "surveying",
            "tracing/trace_rows",
            "vigil",
        )
    ),
    *(
        PureFiles(f"firmware_bridge/emulator/{name}.py")
        for name in (
            "acting",
            "actions",
            "breaches",
            "commands",
            "console",
            "misconduct",
            "misdeeds",
            "misplays",
            "pace",
            "pacing",
            "strokes",
            "table",
            "told",
        )
    ),
    *(
        PureFiles(f"firmware_bridge/commands/record/{name}.py")
        for name in ("converting", "drawing", "merging", "restoring", "scoresheet", "speaking")
    ),
    *(
        PureFiles(f"firmware_bridge/emulator/{name}.py", allowed={"random": SEEDED})
        for name in ("afterwards", "fingers", "hands", "offences", "offending", "steps", "turns")
    ),
    *(PureFiles(f"firmware_bridge/discovery/{name}.py") for name in ("notices",)),
    PureFiles("firmware_bridge/doctor/[a-df-z]*.py"),
    *(PureFiles(f"firmware_bridge/trace/{name}.py") for name in ("blocks", "columns", "header", "rows")),
    *(
        PureFiles(f"firmware_bridge/bench/{name}.py")
        for name in (
            "arbiter",
            "away",
            "baselines",
            "bounds",
            "door",
            "expected",
            "judge",
            "mishaps",
            "referee",
            "refereed",
            "scene",
            "score",
            "summary",
            "table",
            "theory",
            "thinking",
        )
    ),
    *(
        PureFiles(f"firmware_bridge/bench/{name}.py", allowed={"random": SEEDED})
        for name in ("made", "stretches")
    ),
    *(
        PureFiles(f"firmware_bridge/contract/{name}.py")
        for name in ("asyncapi", "described", "events", "schemas")
    ),
    *(PureFiles(f"firmware_bridge/hall/{name}.py") for name in ("messages", "record_view", "records")),
    *(
        PureFiles(f"firmware_bridge/calibrating/{name}.py")
        for name in (
            "from_setup",
            "judging",
            "measuring",
            "procedure",
            "progress",
            "steps",
            "telling",
            "touching",
            "verdict",
        )
    ),
    PureFiles("firmware_bridge/table/screen.py"),
    *(
        PureFiles(f"firmware_bridge/pins/{name}.py", allowed={"pathlib": "PurePath names files, opens none"})
        for name in ("header_device", "report")
    ),
    PureFiles("firmware_bridge/commands/trace/labels.py"),
    *(
        PureFiles(f"firmware_bridge/hall/console/{name}.py")
        for name in (
            "attention",
            "evidence",
            "event",
            "event_facts",
            "knocks",
            "learning",
            "offers",
            "orders",
            "proposals",
            "undo",
            "urgency",
            "views",
        )
    ),
    *(
        PureFiles(f"firmware_bridge/hall/ledger/{name}.py")
        for name in ("entry_file", "event_values", "pairings", "roles", "schema", "values")
    ),
    *(
        PureFiles(f"deploy/pico/{name}.py")
        for name in (
            *("buttons", "config", "device", "dials", "hx711"),
            *("pins", "signals", "ticks", "tm1637", "transposing"),
        )
    ),
    PureFiles("firmware_bridge/wire/topics.py"),
    PureFiles("firmware_bridge/wire/parts.py"),
    PureFiles("firmware_bridge/wire/payloads.py"),
    PureFiles("firmware_bridge/wire/records.py"),
    PureFiles("firmware_bridge/wire/table_view.py"),
    PureFiles("firmware_bridge/wire/outbox.py"),
    PureFiles("firmware_bridge/wire/signing.py"),
    PureFiles("firmware_bridge/wire/gate.py"),
    PureFiles("firmware_bridge/wire/version.py"),
)

# Where a whole room is pure, these are its doors to the world.
SHELLS: Mapping[str, str] = MappingProxyType(
    {
        "sensors/serial_port.py": "owns the serial port",
        "sensors/gpio.py": "owns the header pins",
        "sensors/gpiochips.py": "asks the kernel for its GPIO chips",
        "sensors/device/port.py": "owns the pseudo terminal of a device that is a program",
        "sensors/calibration_file.py": "reads and writes the calibration",
    }
)

OUR_PACKAGES = ("rules", "sensors", "firmware_bridge")

# What each is for tells what to do instead.
_TIME = "take the time as an argument (at_us, now_us)"
_FILES = "let a shell file read and write; take and return the values"
_NETWORK = "return the bytes to send, take the bytes received"
_TASKS = "return what is to be done; the runtime does it"
_CHANCE = "take a seeded random.Random or the drawn value as an argument"
_LOG = "return a value that tells it (a fault, an event); the shell logs"
_PROCESS = "leave the process and its surroundings to the shell"

FORBIDDEN_MODULES: Mapping[str, str] = MappingProxyType(
    {
        "time": _TIME,
        "sched": _TIME,
        "io": _FILES,
        "pathlib": _FILES,
        "shutil": _FILES,
        "tempfile": _FILES,
        "fcntl": _FILES,
        "mmap": _FILES,
        "sqlite3": _FILES,
        "importlib": _FILES,
        "socket": _NETWORK,
        "ssl": _NETWORK,
        "http": _NETWORK,
        "urllib": _NETWORK,
        "serial": _NETWORK,
        "paho": _NETWORK,
        "amqtt": _NETWORK,
        "gpiozero": _NETWORK,
        "RPi": _NETWORK,
        "asyncio": _TASKS,
        "concurrent": _TASKS,
        "multiprocessing": _TASKS,
        "queue": _TASKS,
        "select": _TASKS,
        "selectors": _TASKS,
        "threading": _TASKS,
        "random": _CHANCE,
        "secrets": _CHANCE,
        "uuid": _CHANCE,
        "logging": _LOG,
        "warnings": _LOG,
        "os": _PROCESS,
        "signal": _PROCESS,
        "subprocess": _PROCESS,
    }
)

FORBIDDEN_CALLS: Mapping[str, str] = MappingProxyType(
    {
        "open": _FILES,
        "input": _PROCESS,
        "print": _LOG,
        "breakpoint": _PROCESS,
        "__import__": _FILES,
        "eval": _PROCESS,
        "exec": _PROCESS,
    }
)

# A datetime is a value; asking what time it is now is not.
CLOCK_METHODS = frozenset({"now", "utcnow", "today"})


@dataclass(frozen=True, slots=True)
class Impurity:
    """One thing that must not stand in a pure file.

    Attributes:
        file: The file, from the root of the checkout.
        line: Line number, from 1.
        what: What stands there and what to do instead.
    """

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


def pure_files(root: Path) -> dict[Path, PureFiles]:
    """Return every pure file under root with its line of the table.

    The first line that fits counts; the doors named in SHELLS fall under none.
    """
    found: dict[Path, PureFiles] = {}
    for entry in TABLE:
        for path in sorted(root.glob(entry.glob)):
            if path.relative_to(root).as_posix() not in SHELLS:
                found.setdefault(path, entry)
    return found


def check_pure_files(root: Path) -> list[Impurity]:
    """Return all impurities in the pure files under root, in the order of the table."""
    files = pure_files(root)
    return [
        impurity
        for path, entry in files.items()
        for impurity in impurities(path.read_text(encoding="utf-8"), path, root, entry, files)
    ]


def impurities(
    source: str, path: Path, root: Path, entry: PureFiles, files: Collection[Path] | None = None
) -> Iterator[Impurity]:
    """Yield what must not stand in one pure file.

    Args:
        source: The file's text.
        path: Where the file lies, or would lie.
        root: The root of the checkout; other files are looked up there.
        entry: The line of the table that the file falls under.
        files: The pure files under root; None: they are looked up.

    Yields:
        One Impurity for each import or call that breaks the law.

    Raises:
        SyntaxError: If the text is no Python.
    """
    file = path.relative_to(root).as_posix()
    pure = pure_files(root) if files is None else files
    for node in ast.walk(ast.parse(source, filename=file)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found = (_import_complaint(target, root, entry, pure) for target in _targets(node))
            # Three names from one wrong module are one impurity.
            for complaint in dict.fromkeys(found):
                if complaint:
                    yield Impurity(file, node.lineno, complaint)
        elif isinstance(node, ast.Call):
            complaint = _call_complaint(node.func, entry)
            if complaint:
                yield Impurity(file, node.lineno, complaint)


def _targets(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the dotted names that an import statement reaches for; a relative one begins with a dot."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    origin = "." * node.level + (node.module or "")
    return [f"{origin}.{alias.name}" for alias in node.names]


def _import_complaint(target: str, root: Path, entry: PureFiles, pure: Collection[Path]) -> str | None:
    if target.startswith("."):
        return f"relative import {target}: name the module in full"
    top = target.partition(".")[0]
    if top in entry.allowed:
        if top == "random" and target not in {"random", "random.Random"}:
            return f"{target} draws from the hidden generator of the process: {_CHANCE}"
        return None
    if top in FORBIDDEN_MODULES:
        return f"a pure file imports {top}: {FORBIDDEN_MODULES[top]}"
    if top in OUR_PACKAGES:
        return _own_import_complaint(target, root, pure)
    if entry.only_standard_library and top not in sys.stdlib_module_names and top != "__future__":
        return f"{target} is not of the standard library: this room gets along without other packages"
    return None


def _own_import_complaint(target: str, root: Path, pure: Collection[Path]) -> str | None:
    """Judge an import of ours: the file it reaches must be pure too, or purity would end one step further."""
    path = _own_file(target, root)
    if path is None or path in pure:
        return None
    return (
        f"a pure file imports {path.relative_to(root).as_posix()}, which is none: "
        "take the value as an argument, or move what is pure there into a file of its own"
    )


def _own_file(target: str, root: Path) -> Path | None:
    """Return the file a dotted name of ours reaches: the module itself, or the one the name is taken from."""
    parts = target.split(".")
    for length in (len(parts), len(parts) - 1):
        base = root.joinpath(*parts[:length])
        for candidate in (base.with_suffix(".py"), base / "__init__.py"):
            if length and candidate.is_file():
                return candidate
    return None


def _call_complaint(called: ast.expr, entry: PureFiles) -> str | None:
    if isinstance(called, ast.Name) and called.id in FORBIDDEN_CALLS:
        return f"a pure file calls {called.id}(): {FORBIDDEN_CALLS[called.id]}"
    if not isinstance(called, ast.Attribute):
        return None
    owner = ast.unparse(called.value)
    if called.attr in CLOCK_METHODS and owner.rpartition(".")[2] in {"datetime", "date"}:
        return f"a pure file calls {owner}.{called.attr}(): {_TIME}"
    if owner == "random" and "random" in entry.allowed and called.attr != "Random":
        return f"random.{called.attr}() draws from the hidden generator of the process: {_CHANCE}"
    return None


def main() -> int:
    """Print every impurity of this checkout and return how many there are."""
    found = check_pure_files(Path(__file__).resolve().parents[2])
    sys.stdout.writelines(f"{impurity}\n" for impurity in found)
    return len(found)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)

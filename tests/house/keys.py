"""Which texts are used: the keys written in our code, and those put together from a family and a code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import get_args

from babel.messages.extract import extract

from firmware_bridge.board.alerts import Kind
from firmware_bridge.board.refereeing.advice import CALLED, SETUP_COMPLAINT
from firmware_bridge.board.showing import Goal
from firmware_bridge.calibrating.procedure import Word
from firmware_bridge.calibrating.steps import Step
from firmware_bridge.card.roster import RosterFault
from firmware_bridge.commands.common import KNOWN_ERRORS
from firmware_bridge.commands.record.converting import Loss
from firmware_bridge.doctor.findings import CODES, Severity
from firmware_bridge.hall.boards import Reason
from firmware_bridge.hall.console.orders import RIGHT_OF
from firmware_bridge.hall.console.urgency import RANKS
from firmware_bridge.hall.ledger.event_values import PENALTY_KINDS
from firmware_bridge.hall.ledger.pairings import FaultCode
from firmware_bridge.hall.ledger.roles import Role
from firmware_bridge.hall.ledger.values import STATUSES
from firmware_bridge.mistakes import OF_PYDANTIC, VALUE_WORDS, WORDS
from firmware_bridge.trace.blocks import Damage
from firmware_bridge.wire.key_files import KeyFault
from firmware_bridge.wire.payloads import Sensed
from firmware_bridge.wire.version import Difference
from rules import Confirmation, EndReason, GameEvent, Phase, Side
from rules.conduct.codes import Code
from rules.conduct.faults import OF_PEOPLE
from rules.conduct.ladder import LAST_LEVEL
from rules.flags import FlagOutcome
from rules.incidents import ADJOURNED, Closing
from rules.infractions.kinds import Fault
from rules.problems import ProblemKind
from rules.sheets import answers
from rules.sheets.facts import Subject
from sensors.samples import CELL_TEXTS, ChannelStatus

PYTHON_WORDS: Mapping[str, None] = dict.fromkeys(("say", "plural", "later", "code_said"))
"""Functions of ours whose first argument is a key, or, of `code_said`, a family."""

_IN_RECORDS = re.compile(r'\._?(?:text|plural|of|part)\(\s*"([a-z_0-9.]+)"')
"""How keys and families stand in what draws and tells of records, which is handed the texts."""

SCRIPT_WORDS: Mapping[str, None] = dict.fromkeys(("text", "textOf", "because"))
"""The same in the scripts of the pages; the last two take a family."""

_IN_PAGES = re.compile(r'data-(?:text|label)="([^"]+)"')
_TYPERS = re.compile(r'"(usage\.\w+)"')
_NOTE = re.compile(r'Note(?:Part)?\(\s*(?:code=)?"(\w+)"')
_DUE = re.compile(r'\bdue\(\s*"(\w+)"')
_REFUSED = re.compile(r'refused="(\w+)"')

# All is well, or it is the arbiter's to know first that stones lie wrongly (house law 8).
SILENT_ON_PAGES = frozenset({"matches", "idle", "differs"})

ALERTS_SAID_OTHERWISE = frozenset({"suspended", "flag", "draw"})
"""Alerts that the table's page tells in other words: the phase and its reason, each player's own line."""

PAUSES = frozenset(
    {"device_restarted", "presses_lost", "arbiter", "record_ends", CALLED, SETUP_COMPLAINT, ADJOURNED}
)
"""Why a game rests: said by session and runtime, by whoever suspends without a reason, and by the demo."""

FAULTS = frozenset({*(fault.value for fault in Fault), *(offence.value for offence in OF_PEOPLE)})
"""What an infraction can be: read from stones and clock, or said by people."""

_SAID_TO_NO_ARBITER = frozenset(
    {
        Code.BREACH_LOSES, Code.DRAW_AGREED, Code.DRAW_OFFERED, Code.DRAW_OFFER_REPEATED, Code.DRAW_REFUSED,
        Code.FLAG_CALL_NOT_HEARD, Code.LATE_CLOCK_HALVES, Code.LATE_CLOCK_LEAST, Code.NO_BREACH,
        Code.NO_DRAW_OFFER, Code.NO_FLAG_DOWN, Code.BOTH_WRITE, Code.NO_SHEETS, Code.POSTPONED,
        Code.POSTPONED_BY_PANEL_ONLY, Code.POSTPONED_WITH_SEALED_MOVE, Code.REFUSAL_TO_BE_JUDGED,
        Code.REFUSED_TO_CONTINUE, Code.REFUSED_WITH_REASON, Code.RESIGNED, Code.SEALED_MOVE_ILLEGAL,
        Code.SEALED_MOVE_PLAYED, Code.SEALED_MOVE_UNREADABLE, Code.SEAL_BROKEN, Code.SETUP_COMPLAINT_LATE,
        Code.SETUP_TO_BE_PUT_RIGHT, Code.SOWING_NOT_COMMITTED, Code.SOWING_NOT_HEARD, Code.SOWING_NO_GAME,
        Code.SOWING_RESULT_SIGNED, Code.SPILLED_RESTORES, Code.START_CLOCK, Code.STOPPED_BY_MISTAKE,
        Code.TIME_PENALTY, Code.TOUCH_MOVE_BINDS, Code.TOUCH_MOVE_OFF,
    }
)  # fmt: skip
"""What a board carries out, refuses or does not ask, and so publishes as no advice."""

ADVICE = frozenset(
    code.value
    for code in Code
    if code not in _SAID_TO_NO_ARBITER and not code.value.startswith(("panel_", "warning_"))
)
"""What a board can propose."""

DECISIONS = frozenset({"flag", "agreement", "resignation", "arbiter", "forfeit"})
"""How a game ends off the board (2.6.3)."""

TAGS = frozenset(
    {
        "event", "event_dates", "level", "dedication", "round", "table", "board", "city", "country", "date",
        "bastaushy", "qostaushy", "bastaushy_team", "qostaushy_team", "time_control", "arbiter",
        "recorder", "remaining", "signed", "position", "result", "reason",
    }
)  # fmt: skip
"""Headings of a record: what stands at the head of a score sheet (1.6.4) and what a record says of itself."""

SHEET = frozenset(
    {"move", "moves", "diagram", "kazan", "tuzdyk", "rulings", "draw_offered", "clock", "judgement", "start"}
)
"""What else is written on a sheet."""

RULINGS = frozenset(
    {
        "warning", "time_adjusted", "clock_set", "move_by_arbiter", "suspended", "resumed", "flag",
        "touch_move", "infraction", "infraction_closed", "illegal_stands", "position_set",
        "corrected", "restored", "taken_back", "draw_offered", "draw_accepted", "draw_declined",
        "arbiter_called", "call_answered", "flag_called", "adjourned", "seal_opened",
    }
)  # fmt: skip
"""What an arbiter, a player or a clock decides during a game."""


RULED: frozenset[str] = frozenset({"corrected", "restored", "stands", "warned", "dismissed"})
"""What can be decided about an infraction, each with a text that says what it means."""

DECIDED = RULED | {"set", "taken_back", "put_right", "ended"}
"""How an infraction has ended."""

ORDERED = frozenset(
    {
        "accepted", "refused", "sending", "unknown", "failed", "stale", "forbidden", "csrf", "malformed",
        "no_keys", "no_key", "key_not_known", "board_takes_none", "board_unknown", "unknown_board",
        "no_broker", "no_answer", "no_command", "ledger", "wrong_ply", "stale_nonce", "played", "begun",
        "order", "no_score",
        "unknown_game", "unknown_warning", "another_arbiter", "taken_back", "unknown_penalty",
        "postponed_by_panel_only",
    }
)  # fmt: skip
"""What came of an order: said by the hall, its ledger, the gate of a board, or the page itself."""

ADVISED = frozenset(
    {
        "arbiter_called", "both_flags_add_time", "both_flags_discretion", "both_flags_draw",
        "breach_loses", "breach_warns", "draw_offer_misplaced", "flag_announced", "flag_at_half",
        "flag_check_moves", "flag_draws", "flag_loses", "flag_wins", "nobody_has_to_write",
        "one_may_stop_writing", "quota_made", "quota_missed", "sealed_move_bad", "sealed_move_binds",
        "sealed_move_not_played", "setup_complaint_heard", "setup_complaint_late",
        "sowing_claimed_late", "sowing_corrected", "sowing_no_game", "sowing_not_committed",
        "sowing_not_heard", "sowing_restored", "sowing_result_signed", "sowing_stands", "stop_grounded",
        "stop_groundless", "stopped_by_mistake",
    }
)  # fmt: skip
"""What can be proposed about something that is open at a board (`rules.conduct.codes`)."""

SAID_OTHERWISE = frozenset({"rule", "close", "warn", "adjust", "end"})
"""Orders that the console tells with what they hold."""


PROPOSED = frozenset({"late_charged_and_warned", "sheet_not_signed"})
"""Warnings that the hall proposes beside those of infractions."""

PAPER = frozenset(
    {
        "warnings", "all_warnings", "no_warnings", "watched", "to_panel", "nobody_named", "sheets",
        "no_sheets", "no_games", "round_title", "postponed", "person", "step", "round", "article", "reason",
        "giver",
    }
)  # fmt: skip
"""What stands on the papers of an event: warnings after a round, a round with its boards."""


def _of_the_console() -> dict[str, frozenset[str]]:
    """Return the families of the arbiter's console and of the ledger behind it."""
    return {
        "console": frozenset(
            f"do_{word}"
            for word in {"assign", "adjust", "end", "take_back", *RIGHT_OF}
            - (SAID_OTHERWISE - {"adjust", "end"})
        ),
        "infraction": FAULTS,
        "advice": ADVISED,
        "need": frozenset(RANKS),
        "group": frozenset({"now", "soon", "calm"}),
        "offer": DECIDED | {f"{code}_means" for code in RULED},
        "step": frozenset(map(str, range(1, LAST_LEVEL + 1))),
        "role": frozenset(role.value for role in Role),
        "standing": frozenset(STATUSES),
        "order": ORDERED,
        "pairing": frozenset(get_args(FaultCode)),
        "proposal": frozenset({"both_flags_draw", "flag_draws", "flag_loses", "flag_wins"}) | PROPOSED,
        "penalty": frozenset(PENALTY_KINDS),
        "paper": PAPER,
        "round": frozenset({"board", "bastaushy", "qostaushy", "state", "result", "round"}),
        "account": frozenset({"no_name", "no_password"}),
    }


_COMPLAINT = re.compile(r'Complaint\(\s*"(\w+)"')
_CALIB_REFUSED = re.compile(r'"calib_(\w+)"')
_REMARKS = re.compile(r"remarks = \{(.*?)\n    \}", re.DOTALL)
_REMARK = re.compile(r'"(\w+)":')


def _of_calibrating(root: Path) -> dict[str, frozenset[str]]:
    """Return the families of calibrating: its steps, words, complaints and remarks."""
    package = root / "firmware_bridge"
    paths = [*sorted((package / "calibrating").glob("*.py")), *(package / "board").glob("calibrating.py")]
    source = "".join(path.read_text("utf-8") for path in paths)
    steps = frozenset(step.value for step in Step)
    broken = {"saturated", "excluded", "not_ready", "read_error", "stuck", "moving", "restless"}
    return {
        "calibstep": steps,
        "calibdo": steps,
        "calibword": frozenset(word.value for word in Word) | {"keep", "begin", "pause"},
        "calibwrong": frozenset(_COMPLAINT.findall(source)) | broken,
        "calibremark": frozenset(_REMARK.findall("".join(_REMARKS.findall(source)))),
        "calibno": frozenset(_CALIB_REFUSED.findall(source)) | {"here", "gone"},
    }


def families(root: Path) -> dict[str, frozenset[str]]:
    """Return the codes of every family of which keys are put together while a program runs."""
    sides = frozenset(side.value for side in Side)
    board = "".join(
        path.read_text("utf-8") for path in sorted((root / "firmware_bridge/board").rglob("*.py"))
    )
    records = [*(root / "rules").rglob("*.py"), *(root / "firmware_bridge/commands/record").glob("*.py")]
    expecting = "".join(path.read_text("utf-8") for path in sorted(records))
    return {
        "phase": frozenset(phase.value for phase in Phase),
        "reason": DECISIONS | {reason.value for reason in EndReason},
        "side": sides,
        "result": sides,
        "pit": frozenset(map(str, range(1, 10))),
        "note": frozenset({"not_set_up", "journal"}),
        "pause": PAUSES,
        "watch": (frozenset(get_args(Sensed)) | {"one_unread"}) - SILENT_ON_PAGES,
        "link": frozenset({*get_args(Reason), "connecting", "reconnecting"}),
        "status": frozenset(get_args(Sensed)),
        "wrong": frozenset(_NOTE.findall(board)),
        "fault": FAULTS,
        "advised": ADVICE,
        "alert": frozenset(kind.value for kind in Kind) - ALERTS_SAID_OTHERWISE,
        "goal": frozenset(get_args(Goal)),
        "place": frozenset({"hand", "beside"}),
        "wrong.why": frozenset(kind.value for kind in CELL_TEXTS),
        "flag": frozenset(outcome.value for outcome in FlagOutcome),
        "refused": frozenset(_REFUSED.findall(board)),
        "keys": frozenset(get_args(KeyFault)),
        "roster": frozenset(get_args(RosterFault)),
        "record": TAGS | SHEET,
        "ruling": RULINGS,
        "ruled": frozenset({*get_args(Closing), "groundless"}),
        "loss": frozenset(loss.value for loss in Loss),
        "record.expected": frozenset(_DUE.findall(expecting)) - {kind.value for kind in ProblemKind},
        "subject": frozenset(subject.value for subject in Subject),
        "contradiction": frozenset(reason.value for reason in answers.Reason),
        "setting": frozenset(WORDS),
        "value": frozenset({*VALUE_WORDS, *OF_PYDANTIC.values()}),
        "oserror": frozenset(KNOWN_ERRORS),
        "damage": frozenset(damage.value for damage in Damage),
        "event": frozenset(kind.kind for kind in GameEvent.__subclasses__()),
        "confirmed": frozenset(get_args(Confirmation)),
        "sample": frozenset(
            status.name.lower() for status in ChannelStatus if status is not ChannelStatus.OK
        ),
        **_of_calibrating(root),
        "found": frozenset(CODES),
        "version": frozenset(get_args(Difference)),
        "severity": frozenset(severity.value for severity in Severity),
        **_of_the_console(),
        "repair": frozenset(kind.value for kind in answers.RepairKind),
    }


def used(root: Path) -> dict[str, str]:
    """Return every key that is used, with where that is; of a family that is not declared, `family.`."""
    declared = families(root)
    found = {f"{family}.{code}": family for family, codes in declared.items() for code in codes}
    # What the hall itself writes into a page.
    found |= dict.fromkeys(
        (
            "language.name",
            "page.title",
            "page.noscript",
            "list.page_title",
            "login.title",
            "console.title",
        ),
        "hall/pages.py",
    )
    found |= dict.fromkeys(("table.title", "calib.title"), "table/pages.py")
    for path, words in written(root):
        key = words.partition("${")[0]
        family = key.rstrip(".") if "." not in key or key.endswith(".") else None
        if family is None:
            found[key] = path.relative_to(root).as_posix()
        elif family and family not in declared:
            found[f"{family}."] = path.relative_to(root).as_posix()
    return found


def written(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield each key, or family of keys, that stands in a file as it is."""
    package = root / "firmware_bridge"
    commands = package / "commands"
    for path in [*sorted(commands.glob("*.py")), *sorted(commands.glob("trace/*.py")), package / "cli.py"]:
        for key in _extracted("python", path, PYTHON_WORDS):
            yield path, key
    for path in sorted((package / "commands/record").glob("*.py")):
        for key in (*_extracted("python", path, PYTHON_WORDS), *_IN_RECORDS.findall(path.read_text("utf-8"))):
            yield path, key
    for path in sorted((package / "display/js").rglob("*.js")):
        for key in _extracted("javascript", path, SCRIPT_WORDS):
            yield path, key
    for path in sorted((package / "display").glob("*.html")):
        for key in _IN_PAGES.findall(path.read_text("utf-8")):
            yield path, key
    spoken = package / "commands/spoken.py"
    for key in _TYPERS.findall(spoken.read_text("utf-8")):
        yield spoken, key


def _extracted(method: str, path: Path, words: Mapping[str, None]) -> Iterator[str]:
    for _line, message, _comments, _context in extract(method, BytesIO(path.read_bytes()), keywords=words):
        yield message if isinstance(message, str) else message[0]

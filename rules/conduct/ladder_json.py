"""Entries of the list of warnings as JSON objects and back."""

from __future__ import annotations

from rules.conduct.ladder import LAST_LEVEL, WarningEntry, WarningGiven, WarningTakenBack
from rules.conduct.offences import Offence
from rules.errors import ConductFormatError
from rules.events import JSON
from rules.strict import Strict

MAX_ROUND = 1000
"""Highest number of a round; the regulations know 15 (2.1.4)."""

_STRICT = Strict(ConductFormatError)
_KINDS = ("given", "taken_back")
_GIVEN = ("kind", "key", "person", "arbiter", "round_number", "game", "offence", "level", "representative")
_TAKEN_BACK = ("kind", "key", "arbiter", "reason")
_OFFENCES = tuple(offence.value for offence in Offence)


def warning_to_json(entry: WarningEntry) -> dict[str, JSON]:
    """Return an entry as a JSON object."""
    if isinstance(entry, WarningTakenBack):
        return {"kind": "taken_back", "key": entry.key, "arbiter": entry.arbiter, "reason": entry.reason}
    return {
        "kind": "given",
        "key": entry.key,
        "person": entry.person,
        "arbiter": entry.arbiter,
        "round_number": entry.round_number,
        "game": entry.game,
        "offence": entry.offence.value,
        "level": entry.level,
        "representative": entry.representative,
    }


def warning_from_json(data: object, where: str = "warning") -> WarningEntry:
    """Return the entry that a JSON object means.

    Raises:
        ConductFormatError: It is none; names the key and what was expected there.
    """
    kind = _STRICT.choice(_STRICT.mapping(data, where, ("kind",))["kind"], f"{where}.kind", _KINDS)
    found = _STRICT.exactly(data, where, _GIVEN if kind == "given" else _TAKEN_BACK)

    def text(name: str) -> str:
        return _STRICT.text(found[name], f"{where}.{name}")

    def text_or_none(name: str) -> str | None:
        return None if found[name] is None else text(name)

    if kind == "taken_back":
        return WarningTakenBack(key=text("key"), arbiter=text("arbiter"), reason=text("reason"))
    return WarningGiven(
        key=text("key"),
        person=text("person"),
        arbiter=text("arbiter"),
        round_number=_STRICT.integer(found["round_number"], f"{where}.round_number", 1, MAX_ROUND),
        game=text_or_none("game"),
        offence=Offence(_STRICT.choice(found["offence"], f"{where}.offence", _OFFENCES)),
        level=_STRICT.integer(found["level"], f"{where}.level", 1, LAST_LEVEL),
        representative=text_or_none("representative"),
    )

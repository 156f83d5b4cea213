"""The options of an event as a JSON object and back.

An object names the options it sets, and perhaps a `preset` that all others are taken from (`classical` unless
said); what is not an option is refused. Written are always all of them, without a preset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeAlias, TypeVar, get_args

from rules.conduct import options
from rules.conduct.options import (
    CLASSICAL,
    MAX_GRACE_MS,
    MAX_PENALTY_MS,
    PRESETS,
    Conduct,
    Conducts,
    SowingPolicy,
)
from rules.errors import ConductFormatError
from rules.events import JSON
from rules.flags import EvenKazan
from rules.strict import Strict

_STRICT = Strict(ConductFormatError)

_Reader: TypeAlias = Callable[[object, str], Any]
_Options = TypeVar("_Options", Conduct, SowingPolicy)


def conduct_to_json(conduct: Conduct) -> dict[str, JSON]:
    """Return all options as a JSON object."""
    told: dict[str, JSON] = {
        each.name: getattr(conduct, each.name) for each in fields(conduct) if each.name != "sowing"
    }
    told["sowing"] = {each.name: getattr(conduct.sowing, each.name) for each in fields(conduct.sowing)}
    return told


def conduct_from_json(data: object, where: str = "conduct") -> Conduct:
    """Return the options that a JSON object means.

    Args:
        data: The object.
        where: The path to it, for errors.

    Raises:
        ConductFormatError: It holds something that is no option, or a value that is none of the option's.
    """
    found = dict(_STRICT.mapping(data, where, ()))
    base = CLASSICAL
    if "preset" in found:
        base = PRESETS[_STRICT.choice(found.pop("preset"), f"{where}.preset", tuple(PRESETS))]
    sowing = base.sowing
    if "sowing" in found:
        sowing = _overlaid(sowing, found.pop("sowing"), f"{where}.sowing", _SOWING)
    return replace(_overlaid(base, found, where, _CONDUCT), sowing=sowing)


def conducts_to_json(conducts: Conducts) -> dict[str, JSON]:
    """Return the options of each kind of game as a JSON object, by the names of the presets."""
    return {each.name: conduct_to_json(getattr(conducts, each.name)) for each in fields(conducts)}


def conducts_from_json(data: object, where: str = "conducts") -> Conducts:
    """Return the options that `conducts_to_json` wrote; a kind that is missing has its preset's.

    Raises:
        ConductFormatError: It holds something that is no kind of game, or no options of one.
    """
    found = _STRICT.mapping(data, where, ())
    for name in found:
        if name not in PRESETS:
            raise ConductFormatError(where, name, "only " + ", ".join(PRESETS))
    read = {name: conduct_from_json(options, f"{where}.{name}") for name, options in found.items()}
    return replace(Conducts(), **read)


def _overlaid(base: _Options, data: object, where: str, readers: Mapping[str, _Reader]) -> _Options:
    """Return `base` with the options that `data` sets."""
    found = _STRICT.mapping(data, where, ())
    for name in found:
        if name not in readers:
            raise ConductFormatError(where, name, "only the options " + ", ".join(readers))
    return replace(base, **{name: readers[name](value, f"{where}.{name}") for name, value in found.items()})


def _choice(alternatives: Any) -> _Reader:
    """Return the reader of an option whose type is a Literal of texts."""
    texts: tuple[str, ...] = get_args(alternatives)
    return lambda value, where: _STRICT.choice(value, where, texts)


def _grace(value: object, where: str) -> int:
    return _STRICT.integer(value, where, 0, MAX_GRACE_MS)


def _penalty(value: object, where: str) -> int | None:
    return None if value is None else _STRICT.integer(value, where, 0, MAX_PENALTY_MS)


_SOWING: Mapping[str, _Reader] = {
    "clock": _choice(options.SowingClock),
    "remedy": _choice(options.Remedy),
    "on_offenders_time": _STRICT.boolean,
    "window": _choice(options.ClaimWindow),
    "first_warns": _STRICT.boolean,
    "repeated_warns": _STRICT.boolean,
}

_CONDUCT: Mapping[str, _Reader] = {
    "touch_move": _STRICT.boolean,
    "adjusting_by_hand": _STRICT.boolean,
    "score_sheets": _STRICT.boolean,
    "arbiter_writes_for_both": _STRICT.boolean,
    "relief_in_every_period": _STRICT.boolean,
    "start": _choice(options.Start),
    "setup_complaints": _STRICT.boolean,
    "stones_in_hand_grace_ms": _grace,
    "late_warning": _choice(options.LateWarning),
    "both_late": _choice(options.BothLate),
    "draw_offer_lasts": _choice(options.OfferLasts),
    "misplaced_offer": _choice(options.MisplacedOffer),
    "flag_callers": _choice(options.FlagCallers),
    "completed_move": _choice(options.CompletedMove),
    "even_kazan": _choice(EvenKazan),
    "both_flags": _choice(options.BothFlags),
    "both_flags_declined": _choice(options.Declined),
    "groundless_stop": _choice(options.GroundlessStop),
    "penalty_takes_ms": _penalty,
    "penalty_gives_ms": _penalty,
    "bad_sealed_move": _choice(options.BadSealedMove),
    "warning_scope": _choice(options.WarningScope),
}

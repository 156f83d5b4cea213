"""A calibration in words: what is to be done, what moves, what is wrong, what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from firmware_bridge.calibrating.steps import Step
from firmware_bridge.commands.common import code_said, say, speech
from firmware_bridge.layout import PITS, is_kazan

SEATS = ("a", "b")
ENTER = "Enter"
DIFFERS = 0.7
"""Stones by which a place is shown as not yet as asked: what comes through the plate is less."""
KEYS: Final = {"": "next", "n": "next", "r": "repeat", "b": "back", "s": "skip", "q": "pause", "x": "cancel"}
"""What a person types; a program writes the words themselves."""


def place_said(place: int) -> str:
    """Return a place as it is said while calibrating: `a3`, or a kazan."""
    if is_kazan(place):
        return say("calib.kazan", seat=SEATS[place - PITS])
    return f"{SEATS[place // 9]}{place % 9 + 1}"


def places_said(places: Iterable[int]) -> str:
    """Return places in a row."""
    return ", ".join(map(place_said, places))


def complaints_said(complaints: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what is wrong, a line each; what has no text of ours shows its code."""
    for each in complaints:
        key = f"calibwrong.{each['code']}"
        values = {**each["values"], "places": places_said(each["places"])}
        yield say(key, **values) if speech.texts.knows(key) else f"{each['code']}: {values['places']}"


def refusal_said(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield why a board did not do what it was asked, a line each."""
    code = str(answer.get("code", "")).removeprefix("calib_")
    key, why = f"calibno.{code}", str(answer.get("why", ""))
    phase = code_said("phase", str(answer.get("phase", "")))
    yield say(key, why=why, phase=phase) if speech.texts.knows(key) else why
    yield from complaints_said(answer.get("complaints", ()))


def auto_said(file: Path, answer: Mapping[str, Any]) -> str:
    """Return what new zeros from a set-up have brought."""
    most = max(map(abs, answer["moved"]), default=0.0)
    return say("calib.auto_kept", file=file, stones=f"{most:.2f}")


def headline(view: Mapping[str, Any]) -> tuple[object, ...]:
    """Return what is told anew when it changes: the step, whether it is refused, and why."""
    if not view:
        return ()
    state = "asking" if view["state"] == "waiting" else view["state"]
    return view["step"], state, json.dumps(view["complaints"])


def lines(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is told of a step: what to do, or what is wrong, and what may be typed."""
    if view["state"] == "judged":
        yield from verdict_said(view["verdict"])
        yield say("calib.finished")
    elif view["state"] == "refused":
        yield from complaints_said(view["complaints"])
        yield from _layout(view)
    else:
        yield ""
        number = say("calib.number", n=view["number"], of=view["of"])
        yield " · ".join((number, code_said("calibstep", view["step"])))
        yield code_said("calibdo", view["step"])
    yield words_said(view["words"], kept=view["state"] == "judged")


def words_said(words: Sequence[str], *, kept: bool) -> str:
    """Return what may be typed."""
    keys = {word: key or ENTER for key, word in reversed(KEYS.items())}
    named = [(keys[word], "keep" if kept and word == "next" else word) for word in (*words, "pause")]
    return " · ".join(f"[{key}] " + code_said("calibword", word) for key, word in named)


def live(view: Mapping[str, Any]) -> str:
    """Return what is seen now, in a line; "" if there is nothing to say."""
    if not view:
        return ""
    if view["state"] == "waiting":
        moving = view["moving"]
        return say("calib.moves", places=places_said(moving)) if moving else say("calib.waiting")
    touch = view["touch"]
    if view["state"] == "asking" and view["step"] == Step.MARKS:
        marks = [place for place, seen in enumerate(view["seen"]) if seen is not None and seen > DIFFERS]
        return say("calib.felt", place=places_said(marks)) if marks else ""
    if view["state"] == "asking" and view["loads"] is not None:
        return _differs(view)
    if touch is None or view["state"] != "asking" or touch["place"] is None:
        return ""
    told = say("calib.touch", place=place_said(touch["place"]))
    if not touch["felt"]:
        return told
    last = touch["place"] - 1
    if touch["felt"] == [last]:
        felt = say("calib.felt", place=place_said(last))
    else:
        felt = say("calib.felt_other", place=places_said(touch["felt"]))
    return f"{felt} · {told}"


def _differs(view: Mapping[str, Any]) -> str:
    """Return which places do not hold what is asked yet, as far as that is known; "" if none is known."""
    known = [
        (place, seen, due)
        for place, (seen, due) in enumerate(zip(view["seen"], view["loads"], strict=True))
        if seen is not None
    ]
    wrong = [
        f"{place_said(place)} {seen:.0f}/{due}" for place, seen, due in known if abs(seen - due) > DIFFERS
    ]
    if wrong:
        return say("calib.differs", places=", ".join(wrong))
    return say("calib.as_asked") if known else ""


def verdict_said(verdict: Mapping[str, Any]) -> Iterator[str]:
    """Yield what came of it: a line for each cell that is to be spoken of, and on the whole."""
    spoken = [row for row in verdict["channels"] if row["remarks"]]
    for row in spoken:
        told = "; ".join(code_said("calibremark", code) for code in row["remarks"])
        yield f"{place_said(row['place'])} ({row['channel']}): {told}"
    if not spoken:
        yield say("calib.all_good")
    yield say("calib.summary", **verdict["values"])
    for code in verdict["remarks"]:
        yield _remark(code, verdict["values"])


def _remark(code: str, values: Mapping[str, Any]) -> str:
    """Return a remark on the whole."""
    return speech.texts.text(f"calibremark.{code}", **values)


def _layout(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the wiring as it was felt, as lines of the configuration."""
    if view["layout"] is not None:
        yield say("calib.layout")
        yield "[layout]"
        yield from (f"{key} = {value}" for key, value in view["layout"].items())

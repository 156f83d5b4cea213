"""Asks the running board, over its socket, what its device says and what lies on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from firmware_bridge.board.control import (
    ControlError,
    LateAnswerError,
    NotAllowedError,
    ask,
)
from firmware_bridge.doctor.device import DeviceFacts
from sensors.frames import Hello
from sensors.survey import SurveyError, SurveyReport, survey_from_json

SURVEY_S: Final = 3.0
ANSWER_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFacts:
    """What is known of the board's process.

    Attributes:
        outcome: `none`: nothing listens at its socket; `late`; `not_allowed`; `answers`.
        owner: Who may talk to it, where we may not.
        state: What it publishes of its table; empty where it does not answer.
        survey: What it said of its device; empty likewise.
    """

    outcome: Literal["none", "late", "not_allowed", "answers"]
    owner: str = ""
    state: Mapping[str, Any]
    survey: Mapping[str, Any]

    @property
    def running(self) -> bool:
        """Whether there is a board's process, whatever it answers."""
        return self.outcome != "none"


def ask_board(socket: Path) -> BoardFacts:
    """Ask the board at a socket; of one without samples the survey says so itself."""
    try:
        state = ask(socket, {"do": "status"}, ANSWER_S)
        survey = ask(socket, {"do": "survey", "seconds": SURVEY_S}, ANSWER_S)
    except LateAnswerError:
        return BoardFacts(outcome="late", state={}, survey={})
    except NotAllowedError as error:
        return BoardFacts(outcome="not_allowed", owner=error.owner, state={}, survey={})
    except ControlError:
        return BoardFacts(outcome="none", state={}, survey={})
    told = state.get("state")
    return BoardFacts(
        outcome="answers",
        state=told if isinstance(told, dict) else {},
        survey=survey if survey.get("ok") else {},
    )


def device_of(board: BoardFacts, path: str) -> DeviceFacts | None:
    """Return what a board said of its device; None: it is of another version and said nothing of it."""
    told = board.survey
    link = told.get("link")
    if not isinstance(link, dict):
        return None
    try:
        hello, survey = _hello(told.get("device")), survey_from_json(told["survey"])
    except (SurveyError, KeyError, TypeError, ValueError):
        return None
    up = link.get("state") == "up"
    age_s = told.get("sample_age_s")
    return DeviceFacts(
        path=path,
        seconds=SURVEY_S,
        hello=hello if up else None,
        foreign="?" if link.get("state") == "foreign" else "",
        # Samples of a device that has fallen silent are no news of it.
        survey=survey if isinstance(age_s, int | float) and age_s < SURVEY_S else _of_nothing(survey),
        frames=survey.samples,
        watched=False,
    )


def _of_nothing(survey: SurveyReport) -> SurveyReport:
    """Return a survey as of a window in which nothing came."""
    return replace(survey, samples=0, rate_hz=None, channels=())


def _hello(told: object) -> Hello | None:
    if not isinstance(told, dict):
        return None
    return Hello(**{name: told[name] for name in Hello._fields})

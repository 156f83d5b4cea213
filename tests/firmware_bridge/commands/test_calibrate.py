"""`togyz calibrate` at a terminal: what a person reads and types; the board behind it is a simulated one."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
import typer

from firmware_bridge.calibrating.procedure import Procedure, State, Word, WordRefusedError
from firmware_bridge.calibrating.steps import LOADS, Complaint, Step
from firmware_bridge.calibrating.telling import complaints_told, told
from firmware_bridge.commands import calibrate_said as said
from firmware_bridge.commands.calibrate_talk import Talk
from firmware_bridge.commands.common import console, speech
from firmware_bridge.config import Config, load_config
from firmware_bridge.language import LANGUAGES
from firmware_bridge.layout import Wiring
from sensors.simulator.profile import SLOW
from tests.firmware_bridge.calibrating.person import Person

CONFIG = """\
[board]
id = "board-1"
[device]
port = "device"
[calibration]
file = "calibration.json"
"""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """The configuration of a board."""
    path = tmp_path / "board.toml"
    path.write_text(CONFIG)
    return load_config(path)


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each language in turn."""
    monkeypatch.setattr(speech, "option", request.param)
    return str(request.param)


class Table:
    """Answers as a board does, and lets hands do what each step asks when it is asked for the first time."""

    def __init__(self, typed: list[str]) -> None:
        """Let the person type these lines, one whenever the board waits for him."""
        self.person = Person(SLOW, seed=2)
        self.typed = typed
        self.talk: Talk | None = None
        self.asked: list[str] = []
        self._laid: Step | None = None

    async def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer one request."""
        step, person = request["step"], self.person
        self.asked.append(step)
        try:
            if step == "mass":
                person.procedure.weighed(request["grams"])
            elif step in set(Word):
                person.say(Word(step))
            elif step not in ("begin", "state", "pause"):
                return {"ok": False, "code": "calib_word", "why": step}
        except WordRefusedError as error:
            return {"ok": False, "code": error.code, "why": str(error)}
        if person.procedure.state is State.WAITING:
            person.wait(4.0)
        over = person.procedure.state in (State.DONE, State.CANCELLED) or step == "pause"
        view = None if over else told(person.procedure)
        if step == "state" and self.talk is not None and not self.talk._lines:
            self._act()
        return {"ok": True, "calibration": view}

    def _act(self) -> None:
        """Do what the step asks, then type the next line."""
        assert self.talk is not None
        step = self.person.procedure.progress.step
        if step is Step.TOUCH and not self.typed:
            self.person.touch(len(self.person.procedure.progress.heard))
            return
        if step is not None and step is not self._laid and not self.typed:
            self._laid = step
            self.person.lay(LOADS[step], (3, 14) if step is Step.MARKS else ())
        self.talk._lines.append(self.typed.pop(0) if self.typed else "")
        self.talk._came.set()


def talked(config: Config, typed: list[str], monkeypatch: pytest.MonkeyPatch) -> Table:
    """Return the table after a talk in which these lines are typed first, and then what each step asks."""
    monkeypatch.setattr(Talk, "_listen", lambda _self: None)
    monkeypatch.setattr("firmware_bridge.commands.calibrate_talk.LOOK_EVERY_S", 0.001)
    table = Table(typed)

    async def scene() -> None:
        table.talk = Talk(table.answer, config, anew=False, as_json=False)
        await table.talk.run()

    asyncio.run(scene())
    return table


def test_a_person_is_guided_from_the_first_question_to_the_file(
    config: Config, language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In his language: each step with what to do, what is felt, what came of it, and what may be typed."""
    table = talked(config, ["much", "186,3", "dance", "s"], monkeypatch)
    out, err = capsys.readouterr()
    for step in Step:
        assert speech.texts.text(f"calibstep.{step}") in out
        assert speech.texts.text(f"calibdo.{step}") in out
    assert speech.texts.text("calib.all_good") in out
    assert speech.texts.text("calib.summary", unit_g=1.15, spread_percent=1.6, mark_stones=2.54)[:12] in out
    assert str(config.calibration.file) in out
    for code in ("grams", "word", "needed"):
        assert speech.texts.text(f"calibno.{code}") in err
    assert speech.texts.text("calib.felt", place=said.place_said(4)) in out
    assert table.person.procedure.progress.total_g == 186.3
    assert table.person.procedure.state is State.DONE
    keys = re.findall(r"\{\w+\}|calib\w*\.(?!json)\w+", out + err)
    assert not keys, language


def test_who_puts_it_off_is_told_that_it_is_kept(
    config: Config, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The board gets its device back; the program has not succeeded."""
    monkeypatch.setattr(speech, "option", "en")
    with pytest.raises(typer.Exit) as raised:
        talked(config, ["", "q"], monkeypatch)
    assert raised.value.exit_code == 1
    assert "What is measured is kept. The same command goes on later." in capsys.readouterr().err


def test_who_is_impatient_answers_no_question_that_he_has_not_read(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter while the board is measured is dropped; to put it off is heard. Of a program all is kept."""
    talk = Talk(Table([]).answer, config, anew=False, as_json=False)
    monkeypatch.setattr("firmware_bridge.commands.calibrate_talk.LOOK_EVERY_S", 0.001)

    def heard(state: str, *lines: str, person: bool) -> list[str]:
        talk._person = person
        talk._lines.clear()
        talk._lines.extend(lines)
        first = asyncio.run(talk._line({"state": state}))
        return [*([] if first is None else [first]), *talk._lines]

    assert heard("waiting", "\n", "n\n", "q\n", "\n", person=True) == ["q\n"]
    assert heard("waiting", "\n", "\n", person=False) == ["\n", "\n"]
    assert heard("asking", "\n", "\n", person=True) == ["\n", "\n"]


def test_who_is_not_the_one_to_end_it_is_told(
    config: Config, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two terminals calibrate one board: what one of them ends, the other has not kept."""
    monkeypatch.setattr(speech, "option", "en")
    table = Table([])

    async def other(request: dict[str, Any]) -> dict[str, Any]:
        if request["step"] == "state":
            await table.answer({"step": "cancel"})
        return await table.answer(request)

    monkeypatch.setattr(Talk, "_listen", lambda _self: None)
    monkeypatch.setattr("firmware_bridge.commands.calibrate_talk.LOOK_EVERY_S", 0.001)
    with pytest.raises(typer.Exit) as raised:
        asyncio.run(Talk(other, config, anew=False, as_json=False).run())
    assert raised.value.exit_code == 1
    assert "The calibration was ended elsewhere" in capsys.readouterr().err


def test_who_cancels_is_told_that_nothing_has_changed(
    config: Config, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`x` at any step."""
    monkeypatch.setattr(speech, "option", "en")
    table = talked(config, ["", "x"], monkeypatch)
    assert "Cancelled: the calibration is as it was." in capsys.readouterr().out
    assert table.person.procedure.state is State.CANCELLED


def test_every_complaint_is_said_with_its_places(language: str) -> None:
    """What has no text shows its code; what has one is filled."""
    gaps = "hz nominal percent board channel noise most stones first second marks due"
    values: dict[str, float | int | str] = {gap: number for number, gap in enumerate(gaps.split())}
    codes = [key.split(".")[1] for key in speech.texts.entries if key.startswith("calibwrong.")]
    assert len(codes) > 30
    lines = list(said.complaints_said(complaints_told(Complaint(code, (4, 12), values) for code in codes)))
    assert not any("{" in line for line in lines), language
    assert sum("a5, b4" in line for line in lines) > 20
    (strange,) = said.complaints_said(complaints_told([Complaint("unheard_of", (18,))]))
    assert strange == f"unheard_of: {said.place_said(18)}"


def test_what_lies_otherwise_is_shown_while_stones_are_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as the cells can tell: a pit whose gain is known, and what is due there."""
    monkeypatch.setattr(speech, "option", "en")
    person = Person(SLOW, seed=2)
    person.until(Step.HEAPS)
    stones = list(LOADS[Step.HEAPS])
    stones[4], stones[11] = 15, 3
    person.lay(stones)
    assert said.live(person.view()) == "Not yet as asked: a5 15/18, b3 3/0"
    person.lay(LOADS[Step.HEAPS])
    person.wait(0.5)
    assert said.live(person.view()) == "Lies as asked."
    person.procedure = Procedure(Wiring(), person.hello)
    assert said.live(person.view()) == ""


def test_what_is_seen_is_written_over_and_only_when_it_changes(
    config: Config, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line at a terminal, however long a step takes and however narrow the terminal is."""
    monkeypatch.setattr(speech, "option", "en")
    monkeypatch.setattr(console, "_force_terminal", True)
    monkeypatch.setattr(console, "_width", 40)
    talk = Talk(Table([]).answer, config, anew=False, as_json=False)
    talk._live = True
    person = Person(SLOW, seed=2)
    person.until(Step.HEAPS)
    for fewer in (8, 8, 12):
        person.lay([max(0, due - fewer) for due in LOADS[Step.HEAPS]])
        person.wait(0.5)
        talk._show(person.view())
        talk._show(person.view())
    shown = capsys.readouterr().out.split("\r\x1b[0K")
    assert len(shown) == 3
    assert [len(each) for each in shown[1:]] == [40, 40]
    assert "\n" not in "".join(shown[1:])


def test_marks_that_lie_as_asked_are_not_told_as_stones_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """They weigh like stones of which none is due: where one is felt is said, and nothing of a difference."""
    monkeypatch.setattr(speech, "option", "en")
    person = Person(SLOW, seed=2)
    person.until(Step.MARKS)
    assert said.live(person.view()) == ""
    person.lay(LOADS[Step.MARKS], (3, 14))
    person.wait(0.5)
    assert said.live(person.view()) == "a4, b6: felt"

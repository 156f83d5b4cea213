"""A table in virtual time without a cable: world and hands on one side, the session on the other (pure).

Nothing is sent, written or waited for. Every step is one sample: the hands do what is due, presses go to the
session at once, the cells are read, and what they say goes through the same doors as on a board's process.
The hands see the dial of the session's own clock.

Thinking is lapsed: only its last second is sampled, and while it is, the world ages as long as the players
think, so that a long game costs no more than a short one and drifts as far.

When a ply is asked about, or long overdue, the players stop between two plies and wait, as they would for an
arbiter. If the board does not come to a judgement by itself, the bench enters the plies truly played.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from firmware_bridge.bench import scene as scenes
from firmware_bridge.bench.baselines import Baselines
from firmware_bridge.bench.judge import Judge
from firmware_bridge.bench.scene import REACH, SEATING, WIRING, Scene
from firmware_bridge.bench.score import Score
from firmware_bridge.board.counting import Anchor, PlaceReading, Units, reanchor, stones_due, tuzdyk_places
from firmware_bridge.board.inputs import (
    Assign,
    ButtonPressed,
    DeviceArrived,
    Enter,
    Input,
    Looked,
    Watch,
)
from firmware_bridge.board.session import Session
from firmware_bridge.emulator.actions import (
    AllDone,
    Button,
    Drop,
    Lift,
    PlaceMark,
    PlyDone,
    Signals,
    Timed,
    Touch,
)
from firmware_bridge.emulator.hands import Hands
from firmware_bridge.emulator.pace import Span
from rules.game import Game, MovePlayed, Phase, PressId
from rules.notation.moves import format_short
from rules.position import Position, Side, outcome, play
from sensors.calibration import Calibration, to_loads
from sensors.samples import ChannelStatus, RawSample
from sensors.settle import ChannelReading, Settler, spread_for

SAMPLED_THINKING_S = 1.0
"""How much of a think is sampled: longer than any stretch of quiet that settling asks for."""

OVERDUE_US = 8_000_000
"""A press unanswered for so long stops the players even if the board asks nothing."""

ANSWER_AFTER_US = 6_000_000
"""How long an arbiter watches a quiet board before he enters what was played."""

LINGER_US = 4_000_000
"""How long the board is watched after the last ply of a record that just stops."""

SETTLE_US = 1_200_000
"""How long a board laid out in the middle of a game rests before it is taken over."""

_STATUS = tuple(ChannelStatus)


def _sampled(think_s: Span) -> Span:
    return (min(think_s[0], SAMPLED_THINKING_S), min(think_s[1], SAMPLED_THINKING_S))


class BenchTable:
    """One scene being played.

    Args:
        scene: what is played.

    Attributes:
        session: the board's life, as in a board's process.
        judge: holds its claims against the truth.
        now_us: device time of the last sample.
        samples: samples taken.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        made, self.calibration = scenes.board(scene.profile, scene.seed)
        self.world = made.copy(scene.seed)
        scenes.lay_out(self.world, scene.start)
        self._rng = Random(f"thinking {scene.seed}")
        self._think_s = scene.pace.think_s
        pace = replace(scene.pace, think_s=_sampled(self._think_s))
        self.hands = Hands(scene.played, REACH, pace, scene.manners, scene.seed)
        self._settler = Settler(spread_g=spread_for(self.calibration.unit_g))
        self._units = Units(self.calibration.unit_g, self.calibration.mark_g)
        self.baselines = Baselines(self.calibration.unit_g, self.calibration.mark_g)
        self.judge = Judge(scene.first, scene.start)
        self.samples = 0
        self.now_us = self._start_us = round(self.world.time_us)
        self._first_sample = self.samples
        self._held_us = 0
        self._hold_since_us: int | None = None
        self._between = False
        self._all_done_us: int | None = None
        self._presses = 0
        self._judged = 0
        self._watch: Watch | None = None
        self._readings: tuple[ChannelReading, ...] = ()
        self.session = self._begin()

    # --- beginning -----------------------------------------------------------------------------------

    def _begin(self) -> Session:
        scene = self.scene
        if scene.first:
            while self.now_us - self._start_us < SETTLE_US:
                self._read()
            anchor = self._anchor(scene.start)
            self._tare()
            session = Session(wiring=WIRING, units=self._units, game=scenes.game_before(scene), anchor=anchor)
            session.handle(DeviceArrived(self.now_us, restarted=False))
            return session
        session = Session(wiring=WIRING, units=self._units)
        session.handle(DeviceArrived(self.now_us, restarted=False))
        session.handle(
            Assign(
                at_us=self.now_us,
                game_id=scene.name,
                names=("", ""),
                starter_seat="a",
                control=scenes.CONTROL,
            )
        )
        return session

    def _anchor(self, position: Position) -> Anchor:
        """Return the zeros that the board's process would have had from the ply before."""
        places = tuple(
            PlaceReading(reading.load_g, reading.since_us, reading.reason)
            for reading in (self._readings[channel] for channel in SEATING.channel_of_place)
        )
        return reanchor(places, Anchor(), self._units, stones_due(position), tuzdyk_places(position))

    def _tare(self) -> None:
        loads_g = self._loads_g()
        if not any(load_g is None for load_g in loads_g):
            start = self.scene.start
            sure = [0.0 if load_g is None else load_g for load_g in loads_g]
            self.baselines.tare(sure, stones_due(start), tuzdyk_places(start))

    # --- one sample ----------------------------------------------------------------------------------

    def step(self) -> None:
        """Let one sample period go by."""
        self.now_us = self._time_of(self.samples + 1)
        if self._hold_since_us is None:
            while (timed := self.hands.next_action(self.now_us - self._held_us, self._signals)) is not None:
                self._carry_out(timed)
        else:
            self._wait_for_arbiter()
        self._read()
        self._tell(Looked(self.now_us, self._readings))
        if self.session.watch is not self._watch:
            self._watch = self.session.watch
            if self.session.game.phase is Phase.PLAYING:
                self.judge.watches(self._watch, self.now_us)
        if self._between and self._hold_since_us is None:
            self._see_to_it()

    def _time_of(self, sample: int) -> int:
        return self._start_us + round(sample * self.world.period_us)

    def _read(self) -> None:
        self.samples += 1
        self.now_us = self._time_of(self.samples)
        raw, codes = self.world.read(self.now_us)
        sample = RawSample(self.now_us, raw, tuple([_STATUS[code] for code in codes]))
        self._readings = self._settler.update(self.now_us, to_loads(sample, self.calibration))

    def _tell(self, event: Input) -> None:
        before = self.session.game
        step = self.session.handle(event)
        if not step.events:
            return
        moves = [item for item in step.events if isinstance(item, MovePlayed)]
        if moves:
            self._final(before, moves)
        elif before.phase is Phase.SETTING_UP and self.session.game.setup_ok and not before.setup_ok:
            self._tare()

    def _final(self, before: Game, moves: list[MovePlayed]) -> None:
        after, position = [], before.position
        for move in moves:
            position = play(position, move.number).after
            after.append(position)
        self.judge.moves(moves, after, self.now_us)
        if not self.judge.lost:
            self._judge_baselines()

    def _signals(self) -> Signals:
        clock = self.session.game.clock
        running = None if clock is None else clock.running
        return Signals(host_lost=False, running=0 if running is None else SEATING.button_of(running) + 1)

    # --- the hands -----------------------------------------------------------------------------------

    def _carry_out(self, timed: Timed) -> None:
        world, at_us = self.world, timed.at_us + self._held_us
        action = timed.action
        if isinstance(action, Touch | Lift | Drop | PlaceMark):
            self._moves(at_us)
        match action:
            case Touch(channel, firmness):
                world.touch(channel, firmness, at_us)
            case Lift(channel, hand, stones):
                world.lift(channel, hand, at_us, stones)
            case Drop(channel, hand, stones):
                world.drop(channel, hand, at_us, stones)
            case PlaceMark(channel):
                world.place_mark(channel, at_us)
            case Button(button, down=True):
                self._press(button, at_us)
            case PlyDone():
                self._between = True
            case AllDone():
                self._between = True
                self._all_done_us = at_us
            case _:
                pass

    def _moves(self, at_us: int) -> None:
        """Note that a hand is on the board; the first time after a ply it begins the next one."""
        begun = len(self.judge.plies)
        if begun == self.hands.plies and begun < len(self.scene.played):
            self._judge_baselines()
            self.judge.begins(self.scene.played[begun])
            self._lapse()
        if self.judge.plies and not (self._all_begun and self._between):
            self._between = False
            self.judge.touched(at_us)

    @property
    def _all_begun(self) -> bool:
        return len(self.judge.plies) == len(self.scene.played)

    def _press(self, button: int, at_us: int) -> None:
        self._presses += 1
        playing = self.session.game.phase is Phase.PLAYING
        self._tell(ButtonPressed(at_us, button, PressId(1, self._presses)))
        if playing and self.judge.plies:
            held = sum(self.world.held(hand) for hand in range(4))
            lying = tuple(self.world.stones(channel) for channel in SEATING.channel_of_place)
            self.judge.pressed(at_us, () if held else lying)

    def _lapse(self) -> None:
        """Age the world by what the players thought beyond what is sampled."""
        lapse = getattr(self.world, "lapse", None)
        seconds = self._rng.uniform(*self._think_s) - SAMPLED_THINKING_S
        if lapse is not None and seconds > 0:
            lapse(seconds)

    # --- the arbiter ---------------------------------------------------------------------------------

    def _see_to_it(self) -> None:
        """Stop the players between two plies when the board asks, or owes an answer for too long."""
        waiting = self.judge.open_plies if self._all_done_us is not None else self.judge.waiting
        if not waiting:
            return
        since_us = waiting[0].pressed_us or waiting[0].touched_us
        if self.now_us - since_us >= OVERDUE_US:
            self.judge.overdue(self.now_us)
        if self.judge.asking:
            self._hold_since_us = self.now_us

    def _wait_for_arbiter(self) -> None:
        assert self._hold_since_us is not None, "called while the players wait"
        waiting = self.judge.open_plies
        if waiting and self.now_us - self._hold_since_us >= ANSWER_AFTER_US:
            self._tell(Enter(self.now_us, tuple(format_short(truth.sowing) for truth in waiting)))
            waiting = self.judge.open_plies
        if not waiting or self.judge.lost:
            self._held_us += self.now_us - self._hold_since_us
            self._hold_since_us = None

    # --- baselines -----------------------------------------------------------------------------------

    def _loads_g(self) -> list[float | None]:
        return [self._readings[channel].load_g for channel in SEATING.channel_of_place]

    def _judge_baselines(self) -> None:
        """Let the baselines count the latest ply once: when it is final, or before a hand moves again."""
        done = self.hands.plies
        if done <= self._judged or len(self.judge.plies) < done:
            return
        self._judged = done
        after = self.judge.plies[done - 1].sowing.after
        if outcome(after) is None:
            self.baselines.judge(self._loads_g(), stones_due(after), tuzdyk_places(after))

    # --- the whole scene -----------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether nothing more is to be expected."""
        if self.judge.lost:
            return True
        if self._all_done_us is None or self._hold_since_us is not None:
            return False
        quiet_us = self.now_us - self._all_done_us - self._held_us
        return (not self.judge.open_plies and quiet_us >= 0) or quiet_us >= LINGER_US + OVERDUE_US

    def run(self, most_samples: int = 10_000_000) -> Score:
        """Play the scene to its end; return the score."""
        while not self.over and self.samples < most_samples:
            self.step()
        score = self.judge.finish()
        score.baselines = dict(self.baselines.wrong)
        score.baseline_plies = self.baselines.plies
        score.samples = self.samples
        end = None if self.scene.last is not None or not self.scene.played else self._end_of(self.scene)
        if end is not None and not self.judge.lost:
            score.ended = self.session.game.phase is Phase.ENDED and self.session.game.result == end
        return score

    @staticmethod
    def _end_of(scene: Scene) -> str | None:
        ending = outcome(scene.played[-1].after)
        return None if ending is None else ending.score


def sides_pressing(scene: Scene) -> tuple[Side, ...]:
    """Return who presses in a scene, in order."""
    return tuple(sowing.side for sowing in scene.played if outcome(sowing.after) is None)


def calibration_of(scene: Scene) -> Calibration:
    """Return the calibration of a scene's board."""
    return scenes.board(scene.profile, scene.seed)[1]

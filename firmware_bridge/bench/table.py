"""A table in virtual time without a cable: world and hands on one side, the session on the other (pure).

Nothing is sent, written or waited for. Every step is one sample: the hands do what is due, presses go to the
session at once, the cells are read, and what they say goes through the same doors as on a board's process.
The hands see the dial of the session's own clock.

Thinking is lapsed: about a second of it is sampled, and meanwhile the world ages as long as the players
think, so that a long game costs no more than a short one and drifts as far.

When a ply is asked about, or long overdue, the players stop between two plies and wait, as they would for an
arbiter. If the board does not come to a judgement by itself, the bench enters the plies truly played.
"""

from __future__ import annotations

from firmware_bridge.bench import door
from firmware_bridge.bench import scene as scenes
from firmware_bridge.bench.arbiter import Arbiter
from firmware_bridge.bench.baselines import Baselines
from firmware_bridge.bench.judge import Judge
from firmware_bridge.bench.mishaps import Fate
from firmware_bridge.bench.scene import BEAMS_ONLY, REACH, SEATING, WIRINGS, Scene
from firmware_bridge.bench.score import Score
from firmware_bridge.bench.thinking import Thinking, sampled
from firmware_bridge.board.counting.lots import stones_due, tuzdyk_places
from firmware_bridge.board.inputs import (
    Assign,
    ButtonPressed,
    DeviceArrived,
    DeviceGone,
    Input,
    Looked,
    Watch,
)
from firmware_bridge.emulator.acting import ON_THE_BOARD, carry_out
from firmware_bridge.emulator.actions import (
    AllDone,
    Button,
    Drop,
    Lapse,
    OffenceDone,
    PlyDone,
    PostMortem,
    Signals,
    Timed,
)
from firmware_bridge.emulator.hands import Hands
from rules.game import Game, GameEvent, InfractionSeen, MovePlayed, Phase, PressId
from rules.position import outcome, play
from sensors.samples import ChannelStatus, RawSample
from sensors.senses import Senses
from sensors.settle import ChannelReading

GIVE_UP_US = 12_000_000
"""How long a board with an offended ply on it may stay silent, and one may owe the last ply of a record."""

ASKED_US = 500_000
"""How long a scene goes on after the board has asked about an offence."""

SETTLE_US = 1_200_000
"""How long a board laid out in the middle of a game rests before it is taken over."""

START_BY_US = 45_000_000
"""When a game is begun by hand: set-up and presses take ten seconds at most where the board sees them."""

LONGEST_PLY_US = 120_000_000
"""No scene may last longer than so long for each of its plies: a bench that hangs measures nothing."""

BEFORE_PLAY = (Phase.ASSIGNED, Phase.SETTING_UP, Phase.READY)

HANDS = 4
"""Both players'."""

_STATUS = tuple(ChannelStatus)


class BenchTable:
    """One scene being played.

    Args:
        scene: what is played.

    Attributes:
        session: the board's life, as in a board's process.
        judge: holds its claims against the truth.
        events: what the journal would hold.
        now_us: device time of the last sample.
        samples: samples taken.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        made, self.calibration = scenes.board(scene.profile, scene.seed, scene.sensors)
        self._wiring = WIRINGS[scene.sensors]
        self.world = made.copy(scene.seed)
        scenes.lay_out(self.world, scene.start)
        self._all_ok = (ChannelStatus.OK,) * made.channels
        pace, cut_s = sampled(scene.pace)
        self._thinking = Thinking(self.world, cut_s)
        offences = {ply - scene.first: offence for ply, offence in scene.offences.items()}
        self.hands = Hands(scene.played, REACH, pace, scene.manners, scene.seed, offences)
        self._senses = self._new_senses()
        self.baselines = Baselines(self.calibration.unit_g, self.calibration.mark_g)
        self.judge = Judge(scene.first)
        self.events: list[GameEvent] = []
        self.samples = 0
        self.now_us = self._start_us = round(self.world.time_us)
        self._arbiter = Arbiter(self.judge)
        self._between = False
        self._offended_us: int | None = None
        self._done_us: int | None = None
        self._presses = 0
        self._judged = 0
        self._watch: Watch | None = None
        self._readings: tuple[ChannelReading, ...] = ()
        self._fate = Fate(scene.mishaps)
        self._away = self._fate.away
        self.session = door.new_session(self.calibration, self._wiring)
        self._begin()

    def _new_senses(self) -> Senses:
        return Senses(self.calibration, self.scene.profile.rate_hz)

    # --- beginning -----------------------------------------------------------------------------------

    def _begin(self) -> None:
        scene = self.scene
        while self.now_us - self._start_us < SETTLE_US:
            self.now_us = self._next_us
            self._read()
        if scene.first:
            self._take_over()
        self._tell(DeviceArrived(self.now_us, restarted=False))
        if not scene.first:
            control = scenes.CONTROL
            names = ("", "")
            self._tell(
                Assign(at_us=self.now_us, game_id=scene.name, names=names, starter_seat="a", control=control)
            )

    def _take_over(self) -> None:
        """Put the session where a board's process would be that has confirmed the start of the scene."""
        start = self.scene.start
        evidence = door.evidence_of(self._readings, start, self.calibration)
        self.events = door.with_evidence(scenes.events_before(self.scene, self.now_us), evidence)
        self.session = door.rebuilt(self.events, self.calibration, self._wiring)
        self._tare()

    def _see_to_the_start(self) -> None:
        """Begin the game by hand where the board does not see that it is set up; that counts as asked."""
        if self.now_us - self._start_us < START_BY_US or self.session.game.phase not in BEFORE_PLAY:
            return
        self.judge.not_started(self.now_us)
        self._take_over()
        self._tell(DeviceArrived(self.now_us, restarted=False))

    def _tare(self) -> None:
        loads_g = self._loads_g()
        start = self.scene.start
        sure = [0.0 if load_g is None else load_g for load_g in loads_g]
        self.baselines.tare(sure, stones_due(start), tuzdyk_places(start))

    # --- one sample ----------------------------------------------------------------------------------

    def step(self) -> None:
        """Let one sample period go by."""
        self.now_us = self._next_us
        if self._arbiter.holds:
            self._wait_for_arbiter()
        else:
            held_us = self._arbiter.held_us
            while (timed := self.hands.next_action(self.now_us - held_us, self._signals)) is not None:
                self._carry_out(timed.at_us + held_us, timed)
        self._thinking.pass_by(self.now_us)
        if self._away.how:
            self._be_away()
            return
        self._read()
        self._tell(Looked(self.now_us, self._readings))
        if self.session.watch is not self._watch:
            self._see(self.session.watch)
        if not self.judge.plies:
            self._see_to_the_start()
        if self._between and not self._arbiter.holds:
            played_out = self._done_us is not None
            self._arbiter.look(self.session.watch, self.now_us, played_out=played_out)

    @property
    def _next_us(self) -> int:
        """When the next sample is due; while nobody reads, the chips go on all the same."""
        if self._away.how:
            return self.now_us + round(self.world.period_us)
        return max(self.world.next_frame_us, self.now_us + 1)

    def _read(self) -> None:
        self.samples += 1
        raw, codes = self.world.read(self.now_us)
        status = self._all_ok if not any(codes) else tuple([_STATUS[code] for code in codes])
        self._readings = self._senses.update(self.now_us, RawSample(self.now_us, raw, status))

    def _tell(self, event: Input) -> None:
        before = self.session.game
        step = self.session.handle(event)
        if not step.events:
            return
        self.events += step.events
        for item in step.events:
            if isinstance(item, InfractionSeen):
                self.judge.infraction(item, self.session.diagnosed, self.now_us)
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
        self.judge.disturbed_us = self.world.disturbed_until_us()
        self.judge.moves(moves, after, self.now_us, self._lying())
        if not self.judge.lost:
            self._judge_baselines()

    def _see(self, watch: Watch) -> None:
        self._watch = watch
        phase = self.session.game.phase
        if phase is Phase.PLAYING:
            self.judge.watches(watch, self.now_us)
        elif phase is Phase.ENDED:
            self.judge.alarms_after_end(watch)

    def _signals(self) -> Signals:
        if self._away.how:
            return self._away.signals
        clock = self.session.game.clock
        running = None if clock is None else clock.running
        button = 0 if running is None else SEATING.button_of(running) + 1
        return Signals(host_lost=False, running=button, told=bool(self.session.game.open_incidents))

    # --- the hands -----------------------------------------------------------------------------------

    def _carry_out(self, at_us: int, timed: Timed) -> None:
        action = timed.action
        if isinstance(action, ON_THE_BOARD):
            self._on_the_board(at_us)
            carry_out(self.world, action, at_us)
            if isinstance(action, Drop) and self._fate.stone_falls(at_us, self._signals().running):
                self._tell(DeviceGone("unplugged"))
            return
        match action:
            case Button(button, down=True):
                self._press(button, at_us)
            case Lapse(seconds):
                self._thinking.begin(seconds)
            case PlyDone():
                self._ply_done(at_us)
            case OffenceDone(offended=plan):
                self._offended_us = at_us
                self._begin_ply()
                legal_too = not plan.as_due and (plan.same_as is not None or plan.reply_as is not None)
                self.judge.offends(plan.offence.value, plan.stones, legal_too=legal_too, plan=plan)
                self._away.ply_over(at_us)
            case AllDone() | PostMortem():
                self._between = True
                self._done_us = at_us
            case _:
                pass

    def _on_the_board(self, at_us: int) -> None:
        """Note that a hand is on the board; the first time after a ply it begins the next one."""
        begun = len(self.judge.plies)
        self._begin_ply()
        if begun and self._done_us is None and not (self._between and self._all_begun):
            self._between = False
        if self.judge.plies and self.hands.plies < len(self.judge.plies):
            self.judge.touched(at_us)

    def _begin_ply(self) -> None:
        """Let the ply that the hands play begin, if it has not yet."""
        begun = len(self.judge.plies)
        if begun == self.hands.plies and begun < len(self.scene.played) and self._done_us is None:
            self._judge_baselines()
            self.judge.begins(self.scene.played[begun])
            self._between = False
            self._fate.ply_begins(self.scene.first + begun + 1, self.world, self._signals().running)

    @property
    def _all_begun(self) -> bool:
        return len(self.judge.plies) == len(self.scene.played)

    def _press(self, button: int, at_us: int) -> None:
        self._presses += 1
        if self.scene.first and not self.judge.plies:
            return  # a piece of a game begins in its middle: nobody says there that he is ready
        playing = self.session.game.phase is Phase.PLAYING
        pressed = ButtonPressed(at_us, button, PressId(1, self._presses))
        if self._away.how:
            self._away.press(pressed)
        else:
            self._tell(pressed)
        if playing and self.judge.plies:
            self.judge.pressed(at_us, () if self._held_stones() else self._lying())

    def _held_stones(self) -> int:
        return sum(self.world.held(hand) for hand in range(HANDS))

    def _lying(self) -> tuple[int, ...]:
        return tuple(self.world.stones(channel) for channel in SEATING.channel_of_place)

    def _ply_done(self, at_us: int) -> None:
        if self.scene.pace.lapse_s is None:
            self._thinking.begin(0.0)
        self._between = True
        self._offended_us = None
        offence = self.judge.plies[-1].offence
        if offence is not None and not offence.as_due:
            self.judge.mends(self._lying())
        self._away.ply_over(at_us)

    # --- mishaps -------------------------------------------------------------------------------------

    def _be_away(self) -> None:
        if not self._away.ends(self.now_us):
            return
        if self._away.how == "down":
            self.session = door.rebuilt(self.events, self.calibration, self._wiring)
            self._senses = self._new_senses()
            self._watch = None
        kept = self._away.end()
        self._tell(DeviceArrived(self.now_us, restarted=False))
        for pressed in kept:
            self._tell(pressed)

    # --- the arbiter ---------------------------------------------------------------------------------

    def _wait_for_arbiter(self) -> None:
        entry = self._arbiter.entry(self.now_us)
        if entry is not None:
            self._tell(entry)
        self._arbiter.let_go_on(self.now_us)

    # --- baselines -----------------------------------------------------------------------------------

    def _loads_g(self) -> list[float | None]:
        return [self._readings[channel].load_g for channel in SEATING.channel_of_place]

    def _judge_baselines(self) -> None:
        """Let the baselines count the latest ply once: when it is final, or before a hand moves again."""
        done = self.hands.plies
        if self.scene.sensors == BEAMS_ONLY:
            return
        if done <= self._judged or len(self.judge.plies) < done or self._held_stones() or self._away.how:
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
        if self._offended_us is not None and self.scene.manners.mend_after_s is None:
            waited_us = self.now_us - self._offended_us
            return waited_us >= GIVE_UP_US or (self.judge.asking and waited_us >= ASKED_US)
        if not self.hands.done or self._done_us is None or self._arbiter.holds:
            return False
        return not self.judge.open_plies or self.now_us - self._done_us - self._arbiter.held_us >= GIVE_UP_US

    def run(self) -> Score:
        """Play the scene to its end; return the score."""
        until_us = self._start_us + LONGEST_PLY_US * (len(self.scene.played) + 1)
        while not self.over and self.now_us < until_us:
            self.step()
        score = self.judge.finish()
        if not self.over:
            score.notes.append("broken off: nothing went on")
        score.baselines = dict(self.baselines.wrong)
        score.baseline_plies = self.baselines.plies
        score.samples = self.samples
        ending = outcome(self.scene.played[-1].after) if self.scene.played else None
        if ending is not None and not self.judge.lost and not self.scene.offences:
            game = self.session.game
            score.ended = game.phase is Phase.ENDED and game.result == ending.score
        return score

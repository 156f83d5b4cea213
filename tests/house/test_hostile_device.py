"""What no honest device sends, sent to a real board process: never a crash, never a false move."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.position import START, play
from sensors import frames
from tests.house.lone_board import NINE_EACH, LoneBoard


@pytest.fixture
def board(tmp_path: Path) -> Iterator[LoneBoard]:
    """A board process without a device yet."""
    with LoneBoard(tmp_path) as running:
        yield running


def stones_after(*numbers: int) -> tuple[int, ...]:
    """Return what lies on the twenty channels after these plies."""
    position = START
    for number in numbers:
        position = play(position, number).after
    return (*position.pits, *position.kazans)


def moves(board: LoneBoard) -> list[str]:
    """Return the moves the journal holds."""
    return [event["text"] for event in board.events() if event["kind"] == "move_played"]


def play_first_ply(board: LoneBoard) -> None:
    """Play 7:6 and see it read."""
    board.device.show(stones_after(7), 0.6)
    board.device.raw(board.device.press(0))

    def read() -> bool:
        board.device.show(stones_after(7), 0.2)
        return moves(board) == ["7:6"]

    board.until("the first ply", read)


def test_ten_megabytes_of_noise_change_nothing_and_the_game_goes_on(board: LoneBoard) -> None:
    """Random bytes between good frames: no crash, no press, no move; then the next ply is read."""
    board.start_game()
    rng = random.Random(1)
    noise = rng.randbytes(1 << 20)
    for _ in range(10):
        board.device.raw(noise)
    before = board.events()
    board.greet()
    assert board.events() == before
    play_first_ply(board)


def test_damaged_and_cut_frames_are_never_taken_for_others(board: LoneBoard) -> None:
    """Every frame a device can send, with flipped bits and cut short, thousands of times."""
    board.start_game()
    before = board.events()
    rng = random.Random(2)
    device = board.device
    for _ in range(3000):
        good = bytearray(
            rng.choice((device.data(stones_after(7)), device.press(0, number=77), device.hello(boot_id=9)))
        )
        if rng.random() < 0.5:
            good[rng.randrange(len(good) - 1)] ^= 1 << rng.randrange(8)
        else:
            del good[rng.randrange(1, len(good) - 1) :]
            good.append(0)
        device.raw(bytes(good))
    board.greet()
    assert board.events() == before
    play_first_ply(board)


def test_a_device_of_a_foreign_version_is_refused_in_words(board: LoneBoard) -> None:
    """Named with both versions and what to do; nothing it says is acted on."""
    device = board.device

    def refused() -> bool:
        device.raw(device.hello(major=2, minor=3))
        device.show(NINE_EACH, 0.1)
        notes = board.state()["watch"]["notes"]
        return any("2.3" in note["detail"] for note in notes)

    board.until("the refusal", refused)
    device.raw(device.press(0) + device.press(1))
    time.sleep(0.3)
    state = board.state()
    assert state["watch"]["sensed"] == "no_device"
    assert state["phase"] == "setting_up"
    assert state["ready"] == [False, False]


def test_a_board_that_is_not_set_up_does_not_start_and_says_what_is_wrong(board: LoneBoard) -> None:
    """The wrong pits are named with what lies there and what is due."""
    board.greet()
    wrong = list(NINE_EACH)
    wrong[0], wrong[12] = 8, 10

    def told() -> bool:
        board.device.show(wrong, 0.2)
        return board.sensed("differs")

    board.until("the notes", told)
    board.device.raw(board.device.press(0) + board.device.press(1))
    board.device.show(wrong, 0.4)
    state = board.state()
    assert state["phase"] == "setting_up"
    assert [note["detail"] for note in state["watch"]["notes"]] == [
        "bastaushy 1: 8 stones, due 9",
        "qostaushy 4: 10 stones, due 9",
    ]


def test_a_press_repeated_for_ever_counts_once(board: LoneBoard) -> None:
    """The device repeats until acknowledged; numbers from the past mean nothing."""
    board.start_game()
    board.device.show(stones_after(7), 0.6)
    press = board.device.press(0)
    for _ in range(50):
        board.device.raw(press)
    board.device.raw(board.device.press(0, number=1) + board.device.press(1, number=2))

    def read() -> bool:
        board.device.show(stones_after(7), 0.2)
        return moves(board) == ["7:6"]

    board.until("the ply", read)
    assert [event["kind"] for event in board.events()].count("clock_pressed") == 1


def test_a_press_of_an_unknown_button_is_acknowledged_and_forgotten(board: LoneBoard) -> None:
    """The device must not keep it for ever."""
    board.start_game()
    before = [event["kind"] for event in board.events()]
    board.device.raw(board.device.press(200))
    acknowledged: list[int] = []
    decoder = frames.Decoder()

    def told() -> bool:
        for kind, _, payload in decoder.feed(board.device.drain()):
            if kind == frames.BUTTON_ACK:
                acknowledged.append(frames.unpack_button_ack(payload).number)
        board.device.raw(board.device.data(NINE_EACH))
        return board.device.presses in acknowledged

    board.until("the acknowledgement", told)
    assert [event["kind"] for event in board.events()] == [*before, "press_taken"]


def test_samples_of_another_number_of_channels_are_refused(board: LoneBoard) -> None:
    """A device that says twenty and sends three is told apart from a board without stones."""
    board.start_game()
    before = board.events()
    for _ in range(40):
        board.device.raw(
            board.device.frame(frames.DATA, frames.pack_data(frames.Data(1, (0,) * 3, (1,) * 3)))
        )
    board.until("the note", lambda: board.sensed("unreadable"))
    assert board.events() == before
    play_first_ply(board)


def test_a_saturated_cell_is_named_and_no_move_is_read_from_it(board: LoneBoard) -> None:
    """Unknown is a value: the place is named, and the game goes on when the cell is back."""
    board.start_game()
    status = [0] * 20
    status[3] = 2

    def told() -> bool:
        board.device.show(stones_after(7), 0.3, status)
        return board.sensed("unreadable")

    board.until("the note", told)
    assert board.state()["watch"]["notes"][0]["pit"] == 3
    assert moves(board) == []
    play_first_ply(board)


def test_a_cable_pulled_in_the_middle_of_a_frame_stops_nothing(board: LoneBoard) -> None:
    """Half a frame, then another terminal behind the same name."""
    board.start_game()
    board.device.raw(board.device.data(stones_after(7))[:20])
    board.device.unplug()
    board.until("no device", lambda: board.sensed("no_device"))
    board.device.plug()
    board.greet()
    play_first_ply(board)
    assert "game_suspended" not in [event["kind"] for event in board.events()]


def test_a_device_that_never_reads_does_not_hold_the_board_up(board: LoneBoard) -> None:
    """What the board has to say piles up nowhere; presses and samples are taken all the same."""
    board.start_game()
    for _ in range(200):
        board.device.raw(board.device.data(NINE_EACH))
        time.sleep(0.005)
    began = time.monotonic()
    assert board.state()["phase"] == "playing"
    assert time.monotonic() - began < 5


def test_a_board_started_again_takes_no_gap_in_the_presses_for_a_loss(board: LoneBoard) -> None:
    """Presses that decided nothing were acknowledged too: after kill -9 their numbers are still known."""
    board.start_game()
    play_first_ply(board)
    for _ in range(3):
        board.device.raw(board.device.press(0))  # it is qostaushy's clock that runs
        board.device.show(stones_after(7), 0.2)
    board.restart()
    board.greet_with(stones_after(7))
    board.device.show(stones_after(7, 9), 0.6)
    board.device.raw(board.device.press(1))

    def read() -> bool:
        board.device.show(stones_after(7, 9), 0.2)
        return len(moves(board)) == 2

    board.until("the second ply", read)
    kinds = [event["kind"] for event in board.events()]
    assert "game_suspended" not in kinds
    assert kinds.count("press_taken") == 5, "two that confirmed, three out of turn"


def test_another_board_on_the_cable_presses_no_clock(board: LoneBoard) -> None:
    """Its name is not the calibration's: it is refused in words, and its buttons mean nothing."""
    board.start_game()
    before = board.events()
    other = board.device.hello(board_id="board-2", boot_id=77, next_event=1)
    board.device.raw(other)
    board.until("the refusal", lambda: board.sensed("no_device"))
    assert "'board-2'" in board.state()["watch"]["notes"][0]["detail"]
    board.device.raw(board.device.press(0, number=1))
    board.device.show(NINE_EACH, 0.4)
    assert board.events() == before


def test_a_game_not_begun_follows_the_configuration(board: LoneBoard) -> None:
    """Wrong names are mended by writing them right and starting the board again."""
    board.greet()
    text = board.config.read_text(encoding="utf-8")
    board.config.write_text(text + '[game]\nbastaushy = "Жаңа"\n', encoding="utf-8")
    board.restart()
    assert board.state()["names"][0] == "Жаңа"
    assert board.state()["phase"] == "setting_up"
    before = len(board.events())
    board.restart()
    assert len(board.events()) == before + 1, "the same names: only the start is written down"

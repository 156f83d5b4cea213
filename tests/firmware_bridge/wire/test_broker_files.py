"""What the broker children are started with."""

import subprocess
import sys
from pathlib import Path
from signal import Signals

import pytest

from firmware_bridge.wire import broker_files, tether
from firmware_bridge.wire.broker_files import MAX_LOG_BYTES, BoundedLog, mosquitto_config


def test_the_log_stays_within_two_files_of_its_limit(tmp_path: Path) -> None:
    """A child that talks without end fills no disk."""
    log = BoundedLog(tmp_path / "broker.log")
    for number in range(3 * MAX_LOG_BYTES // 4096):
        log.write(b"%08d\n" % number * 455)
    sizes = {each.name: each.stat().st_size for each in tmp_path.iterdir()}
    assert set(sizes) == {"broker.log", "broker.log.1"}
    assert all(size <= MAX_LOG_BYTES for size in sizes.values())


def test_the_last_words_are_the_last_line(tmp_path: Path) -> None:
    """Also when it is no text."""
    log = BoundedLog(tmp_path / "broker.log")
    assert log.last_words == ""
    log.write(b"first\nError: \xff\n")
    assert log.last_words == "Error: \ufffd"


def test_a_log_that_cannot_be_written_is_not_worth_an_error(tmp_path: Path) -> None:
    """The words are kept all the same."""
    log = BoundedLog(tmp_path / "missing" / "broker.log")
    log.write(b"still here\n")
    assert log.last_words == "still here"


def test_the_configuration_names_loopback_only(tmp_path: Path) -> None:
    """With the line without which old versions listen everywhere."""
    text = mosquitto_config(tmp_path, 4711)
    assert "listener 4711 127.0.0.1\nsocket_domain ipv4\n" in text
    assert f"persistence_location {tmp_path}/\n" in text


def test_a_directory_that_could_smuggle_settings_in_is_refused() -> None:
    """A line break would begin a new setting."""
    with pytest.raises(ValueError, match="holds a character"):
        mosquitto_config(Path("/tmp/x\nlistener 1883 0.0.0.0"), 4711)  # noqa: S108 - never opened


def test_a_tethered_program_runs_as_the_very_process_that_was_started(tmp_path: Path) -> None:
    """So its process id and exit code are its own."""
    program = [sys.executable, "-c", "import os, sys; print(os.getpid()); sys.exit(7)"]
    with subprocess.Popen(tether.command(program, Signals.SIGTERM), stdout=subprocess.PIPE) as process:
        output, _ = process.communicate()
    assert int(output) == process.pid
    assert process.returncode == 7
    assert not list(tmp_path.iterdir())


def test_a_program_whose_parent_is_gone_never_starts() -> None:
    """The kernel would have nobody to watch."""
    command = tether.command(["true"], Signals.SIGTERM, parent=1)
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 1
    assert "already gone" in done.stderr


@pytest.mark.parametrize("arguments", [[], ["0.0.0.0", "1883"], ["::", "1883"], ["127.0.0.1", "x"]])
def test_amqtt_refuses_anything_but_loopback(arguments: list[str]) -> None:
    """It asks nobody for a password."""
    program = [sys.executable, "-m", "firmware_bridge.wire.amqtt_child", *arguments]
    done = subprocess.run(
        program, capture_output=True, check=False, text=True, env=broker_files.child_environment()
    )
    assert done.returncode == 2
    assert "127.x.x.x" in done.stderr

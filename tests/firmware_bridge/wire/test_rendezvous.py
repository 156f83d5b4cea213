"""A second program finds the first one's broker, and never a dead one's."""

import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.wire.rendezvous import BrokerAddress, Claim, ClaimError, find_broker

ADDRESS = BrokerAddress("127.0.0.1", 4711, 99, "mosquitto")


def test_an_announced_broker_is_found_until_it_is_withdrawn(tmp_path: Path) -> None:
    """And nothing is left behind but the lock file."""
    claim = Claim(tmp_path)
    assert find_broker(tmp_path) is None
    claim.announce(ADDRESS)
    assert find_broker(tmp_path) == ADDRESS
    claim.release()
    claim.release()
    assert find_broker(tmp_path) is None
    assert [each.name for each in tmp_path.iterdir()] == ["broker.lock"]


def test_two_programs_cannot_both_run_the_broker(tmp_path: Path) -> None:
    """The second is told so; after the first it may."""
    claim = Claim(tmp_path)
    with pytest.raises(ClaimError, match="already runs"):
        Claim(tmp_path)
    claim.release()
    Claim(tmp_path).release()


def test_a_file_left_by_a_killed_program_does_not_count(tmp_path: Path) -> None:
    """The lock went with the program, whatever process has its number now."""
    script = (
        "import os, pathlib, sys\n"
        "from firmware_bridge.wire.rendezvous import *\n"
        "Claim(pathlib.Path(sys.argv[1])).announce(BrokerAddress('127.0.0.1', 4711, os.getppid(), 'amqtt'))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False).returncode == -9
    assert (tmp_path / "broker.json").exists()
    assert find_broker(tmp_path) is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"host":"h","port":"x","pid":1,"kind":"amqtt"}',
        '{"host":"h","port":99999,"pid":1,"kind":"amqtt"}',
        '{"host":"h","port":Infinity,"pid":1,"kind":"amqtt"}',
        '{"host":"","port":1883,"pid":1,"kind":"amqtt"}',
        "\0",
        "[" * 50_000,
    ],
    ids=range(9),
)
def test_a_damaged_file_is_no_broker(tmp_path: Path, content: str) -> None:
    """Even while the lock is held."""
    claim = Claim(tmp_path)
    (tmp_path / "broker.json").write_text(content)
    assert find_broker(tmp_path) is None
    claim.release()


def test_a_missing_directory_has_no_broker(tmp_path: Path) -> None:
    """Looking creates nothing."""
    assert find_broker(tmp_path / "none") is None
    assert not (tmp_path / "none").exists()

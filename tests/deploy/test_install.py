"""deploy/install.sh on a machine of fakes: no network, no real package, user or service is touched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.machine import NOTED, Machine
from tests.house.committed import ROOT


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A fresh machine of fakes."""
    return Machine(tmp_path)


def test_a_fresh_machine_gets_all_and_a_second_run_changes_nothing(machine: Machine) -> None:
    """Programs, command, units, rules, user and folders; then there is nothing left to do."""
    said = machine.install()
    root = machine.root
    assert (root / "opt/togyz").readlink() == Path("togyz-a")
    assert (root / "usr/local/bin/togyz").resolve() == root / "opt/togyz-a/bin/togyz"
    for path in (
        *("etc/systemd/system/togyz-board@.service", "etc/systemd/system/togyz-card.service"),
        *("etc/udev/rules.d/70-togyz.rules", "etc/sysusers.d/togyz.conf", "etc/tmpfiles.d/togyz.conf"),
        *("usr/local/lib/togyz/install.sh", "usr/local/lib/togyz/card.sh", "etc/togyz/boards"),
    ):
        assert (root / path).exists(), path
    assert "togyz-bridge 9.9 --version is installed" in said
    before, calls = machine.listing(), machine.notes("pip.log")
    again = machine.install()
    assert machine.listing() == before
    assert machine.notes("pip.log") == calls
    assert not [line for line in again.splitlines() if line.startswith(("install: now", "install: would"))]


def test_pins_come_first_and_the_checkout_is_left_as_it_was(machine: Machine) -> None:
    """What is built is built elsewhere: setuptools leaves folders where it works."""
    machine.install()
    pins, program = machine.notes("pip.log")
    assert pins.endswith(f"--requirement {machine.checkout}/deploy/requirements/runtime.txt")
    assert "--no-deps --no-index --no-build-isolation " in program
    assert str(machine.checkout) not in program
    assert sorted(path.name for path in machine.checkout.iterdir()) == [
        *("LICENSE", "README.md", "deploy", "firmware_bridge", "pyproject.toml", "rules", "sensors"),
        "systemd",
    ]


def test_a_new_version_takes_the_place_of_the_old_one(machine: Machine) -> None:
    """It is made beside it; afterwards nothing of the old one is left, also no unit that is no more."""
    machine.install()
    (machine.checkout / "rules/__init__.py").write_text("NEW = True\n")
    (machine.checkout / "systemd/togyz.target").unlink()
    machine.install()
    assert (machine.root / "opt/togyz").readlink() == Path("togyz-b")
    assert not (machine.root / "opt/togyz-a").exists()
    assert not (machine.root / "etc/systemd/system/togyz.target").exists()
    (machine.checkout / "rules/__init__.py").write_text("NEWER = True\n")
    machine.install()
    assert sorted(path.name for path in (machine.root / "opt").iterdir()) == ["togyz", "togyz-a"]


def test_the_version_before_stays_as_long_as_something_runs_in_it(machine: Machine) -> None:
    """A board in play loads now and then what it has not needed yet; once it is gone, so is its version."""
    machine.install()
    library = machine.root / "opt/togyz-a/lib/library.so"
    library.write_bytes(b"mapped")
    script = "import mmap, sys; f = open(sys.argv[1], 'rb'); m = mmap.mmap(f.fileno(), 0, prot=1); "
    script += "print(); input()"
    command = [sys.executable, "-c", script, str(library)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as board:
        assert board.stdout is not None
        board.stdout.readline()
        (machine.checkout / "rules/__init__.py").write_text("NEW = True\n")
        said = machine.install()
        assert f"kept until nothing runs in it: {machine.root}/opt/togyz-a" in said
        (machine.checkout / "rules/__init__.py").write_text("NEWER = True\n")
        machine.install()
        assert library.exists()
        board.communicate("done\n")
    machine.install()
    assert not library.exists()
    assert (machine.root / "opt/togyz/bin/togyz").exists()


def test_a_failing_step_says_where_and_what_to_do_and_the_old_version_goes_on(machine: Machine) -> None:
    """The network is gone in the middle of an upgrade; later the next run goes on from there."""
    machine.install()
    (machine.checkout / "rules/__init__.py").write_text("NEW = True\n")
    (machine.fakes / "pip").write_text("echo no route to host; exit 1\n")
    code, said = machine.run()
    assert code == 1
    assert "    no route to host" in said
    assert "stopped at: the programs in /opt/togyz (pins: none)" in said
    assert "what to do: see above; without a network use --wheels DIR" in said
    assert (machine.root / "opt/togyz").readlink() == Path("togyz-a")
    assert (machine.root / "opt/togyz/bin/togyz").exists()
    (machine.fakes / "pip").unlink()
    machine.install()
    assert (machine.root / "opt/togyz").readlink() == Path("togyz-b")


def test_an_installation_that_was_killed_is_finished_by_the_next(machine: Machine) -> None:
    """What lies half made is made anew, not trusted."""
    (machine.fakes / "pip").write_text('rm "$FAKES/pip"; kill -9 $PPID\n')
    assert machine.run()[0] != 0
    assert not (machine.root / "opt/togyz").exists()
    machine.install()
    assert (machine.root / "opt/togyz/bin/togyz").exists()


def test_programs_that_do_not_start_are_not_put_in_place(machine: Machine) -> None:
    """They are tried before they become /opt/togyz."""
    (machine.fakes / "pip").write_text(
        'printf "#!/usr/bin/env bash\\necho broken wheel; exit 1\\n" >"$(dirname "$0")/togyz"\n'
    )
    code, said = machine.run()
    assert (code, "    broken wheel" in said) == (1, True)
    assert not (machine.root / "opt/togyz").is_symlink()


def test_a_dry_run_says_what_would_be_done_and_does_nothing(machine: Machine) -> None:
    """Also for somebody who may not install."""
    machine.fake("id", "#!/usr/bin/env bash\necho 1000\n")
    before = machine.listing()
    said = machine.install("--dry-run", "--card")
    assert "would   the programs in /opt/togyz (pins: none)" in said
    assert "would   the user togyz" in said
    assert "device-tree" not in said  # which is there on a Raspberry Pi alone
    assert (machine.listing(), machine.notes(), machine.notes("pip.log")) == (before, [], [])


def test_only_root_installs(machine: Machine) -> None:
    """And he is told how."""
    machine.fake("id", "#!/usr/bin/env bash\necho 1000\n")
    code, said = machine.run()
    assert (code, said) == (1, f"install: only root can install: sudo {machine.checkout}/deploy/install.sh\n")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--whels", "x"], "unknown option: --whels"),
        (["--wheels"], "--wheels needs a value"),
        (["--wheels", "nowhere"], "--wheels: no such folder: nowhere"),
        (["--from", "nowhere.whl"], "--from: no such file: nowhere.whl"),
        (["--from", "/etc/passwd"], "--from takes a wheel (.whl), not /etc/passwd"),
        (["--pins", "pi6"], "--pins is pi, pi5 or none, not pi6"),
        (["--purge"], "--purge goes with --uninstall"),
    ],
)
def test_a_slip_in_the_options_is_named_and_nothing_is_done(
    machine: Machine, options: list[str], told: str
) -> None:
    """Exit code 2, as everywhere."""
    before = machine.listing()
    code, said = machine.run(*options)
    assert (code, f"install: {told}\n" in said) == (2, True), said
    assert machine.listing() == before


def test_help_shows_every_option(machine: Machine) -> None:
    """What stands at the head of the script."""
    code, said = machine.run("--help", root=False)
    assert code == 0
    options = "--dry-run --wheels --from --pins --kiosk --card --restart --root --uninstall --purge"
    assert [option for option in options.split() if option not in said] == []
    assert "set -euo" not in said


def test_without_a_network_wheels_come_from_the_folder_alone(machine: Machine) -> None:
    """And nothing asks for a compiler, for nothing is built from source."""
    machine.is_a("raspberrypi,4-model-b brcm,bcm2711")
    (machine.fakes / "wheels").mkdir()
    machine.install("--wheels", str(machine.fakes / "wheels"))
    assert f"--no-index --find-links {machine.fakes}/wheels --requirement" in machine.notes("pip.log")[0]
    assert "gcc" not in machine.notes("installed")


def test_a_wheel_stands_for_the_checkout(machine: Machine) -> None:
    """Then it is what is installed."""
    wheel = machine.fakes / "togyz_bridge-1-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    machine.install("--from", str(wheel))
    assert machine.notes("pip.log")[1].endswith(f"--no-build-isolation {wheel}")


@pytest.mark.parametrize(
    ("compatible", "lane", "packages"),
    [
        ("raspberrypi,4-model-b brcm,bcm2711", "pi", {"gcc", "python3-dev"}),
        ("raspberrypi,model-zero-2-w brcm,bcm2837", "pi", {"gcc", "python3-dev"}),
        ("raspberrypi,5-model-b brcm,bcm2712", "pi5", set()),
        ("radxa,rock-4c-plus rockchip,rk3399", "runtime", set()),
    ],
)
def test_the_pins_are_those_of_the_model(
    machine: Machine, compatible: str, lane: str, packages: set[str]
) -> None:
    """The two libraries must never stand beside each other, so the model decides which it is."""
    machine.is_a(compatible)
    machine.install()
    assert machine.notes("pip.log")[0].endswith(f"/requirements/{lane}.txt")
    assert set(machine.notes("installed")) - {"python3-venv", "mosquitto"} == packages


@pytest.mark.parametrize(
    ("model", "why"),
    [("raspberrypi,5-model-b brcm,bcm2712", "trixie"), ("raspberrypi,4-model-b brcm,bcm2711", "32 bits")],
)
def test_where_no_wheel_of_lgpio_is_served_that_of_debian_is_used(
    machine: Machine, model: str, why: str
) -> None:
    """Its module is linked, and no other of Debian's: among them may be a shim called RPi.GPIO."""
    machine.is_a(model)
    if why == "trixie":
        (machine.fakes / "trixie").touch()
    else:
        machine.fake("uname", "#!/usr/bin/env bash\necho armv7l\n")
    debian = machine.root / "usr/lib/python3/dist-packages"
    debian.mkdir(parents=True)
    for name in ("lgpio.py", "_lgpio.cpython-313.so", "RPi.py"):
        (debian / name).touch()
    machine.install()
    assert "python3-lgpio" in machine.notes("installed")
    linked = sorted(path.name for path in (machine.root / "opt/togyz-a/lib").iterdir())
    assert linked == ["_lgpio.cpython-313.so", "lgpio.py"]


def test_a_mosquitto_that_comes_along_is_neither_started_nor_enabled(machine: Machine) -> None:
    """Ours has ports of its own; the policy that forbids the start is gone afterwards."""
    machine.fake(
        "apt-get",
        f"{NOTED}{machine.root}/usr/sbin/policy-rc.d mosquitto.service start\n"
        'echo "start: $?" >>"$FAKES/log"; echo mosquitto >>"$FAKES/installed"\n',
    )
    machine.install()
    notes = machine.notes()
    assert "start: 101" in notes
    assert "systemctl --quiet disable mosquitto.service" in notes
    assert not (machine.root / "usr/sbin/policy-rc.d").exists()


def test_uninstall_leaves_what_was_there_before(machine: Machine) -> None:
    """Nothing was played yet: then nothing is left, no user and no group either."""
    before = machine.listing()
    machine.install("--card")
    assert machine.listing() != before
    said = machine.install("--uninstall")
    assert machine.listing() == before
    assert "kept" not in said


def test_uninstall_keeps_games_keys_and_their_owner_and_says_so(machine: Machine) -> None:
    """A user's number would go to the next user, and with it what he owned."""
    machine.install()
    game = machine.root / "var/lib/togyz/board-1/journal.jsonl"
    game.parent.mkdir()
    game.write_text("a game")
    said = machine.install("--uninstall")
    assert f"kept: {machine.root}/etc/togyz and {machine.root}/var/lib/togyz" in said
    assert game.read_text() == "a game"
    assert "togyz:" in (machine.root / "etc/passwd").read_text()
    assert not (machine.root / "opt/togyz").is_symlink()
    assert not (machine.root / "usr/local/lib/togyz").exists()


def test_purge_asks_and_without_a_terminal_wants_it_said_twice(machine: Machine) -> None:
    """Games are not thrown away by a slip of the hand."""
    before = machine.listing()
    machine.install()
    game = machine.root / "var/lib/togyz/journal.jsonl"
    game.write_text("a game")
    code, said = machine.run("--uninstall", "--purge")
    assert (code, "without a terminal it needs --yes" in said) == (1, True)
    assert game.exists()
    assert (machine.root / "opt/togyz").exists()
    machine.install("--uninstall", "--purge", "--yes")
    assert machine.listing() == before


def test_a_dry_uninstall_names_what_would_go_and_leaves_it(machine: Machine) -> None:
    """Every file, and the environment."""
    machine.install()
    before = machine.listing()
    said = machine.install("--uninstall", "--purge", "--dry-run")
    assert f"would remove {machine.root}/opt/togyz-a" in said
    assert f"would remove {machine.root}/var/lib/togyz" in said
    assert machine.listing() == before


def test_uninstall_takes_the_links_of_enabled_boards_too(machine: Machine) -> None:
    """Of every instance that somebody has enabled."""
    machine.install()
    wants = machine.root / "etc/systemd/system/multi-user.target.wants"
    wants.mkdir()
    (wants / "togyz-board@board-7.service").symlink_to("../togyz-board@.service")
    (wants / "other.service").symlink_to("../other.service")
    machine.install("--uninstall")
    assert [path.name for path in wants.iterdir()] == ["other.service"]


@pytest.mark.parametrize("name", ["opt/togyz", "usr/local/bin/togyz"])
def test_what_somebody_else_has_put_there_is_not_touched(machine: Machine, name: str) -> None:
    """A folder or file of that name that is no link of ours is named, and stays."""
    path = machine.root / name
    path.mkdir()
    (path / "mine").touch()
    code, said = machine.run()
    assert (code, "move it away, then start again" in said) == (1, True)
    assert (path / "mine").exists()


def test_running_services_are_named_or_with_restart_started_again(tmp_path: Path) -> None:
    """An upgrade by itself interrupts no game."""
    script = f"""
        source {ROOT}/deploy/install.sh
        running_units() {{ printf '%s\\n' togyz-board@b1.service togyz-hall.service; }}
        systemctl() {{ echo "systemctl $*" >>{tmp_path}/log; }}
        renew_services
        restart=yes; renew_services
    """
    done = subprocess.run(
        ["bash", "-c", script], check=True, text=True, capture_output=True, env={"PATH": os.environ["PATH"]}
    )
    assert "still run the version before: togyz-board@b1.service togyz-hall.service" in done.stderr
    assert "sudo systemctl restart togyz-board@b1.service togyz-hall.service" in done.stderr
    assert (tmp_path / "log").read_text() == "systemctl restart togyz-board@b1.service togyz-hall.service\n"

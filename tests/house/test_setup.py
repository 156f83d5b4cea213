"""deploy/setup.sh on a machine of fakes: no network, no root, no real package is touched."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.committed import ROOT

# The real programs the script may use; everything else on its PATH is a fake.
TOOLS = (
    *("bash", "cat", "cp", "cut", "dirname", "env", "flock", "grep", "head", "mkdir", "mktemp", "mv"),
    *("paste", "rm", "sed", "sha256sum", "sleep", "sort", "tail", "touch", "basename"),
)

# Speaks like Debian's Python: without ensurepip until there is a file `ensurepip`; its pip only takes notes.
PYTHON = f"""#!/usr/bin/env bash
case "$*" in
*'import ensurepip'*) [ -e "$FAKES/ensurepip" ] ;;
*base_prefix*) echo '/usr 3.11' ;;
'-m venv '*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
'-m pip '*) echo "$*" >>"$FAKES/pip.log"; if [ -e "$FAKES/pip" ]; then . "$FAKES/pip"; fi ;;
*) exec {sys.executable} "$@" ;;
esac
"""


class Machine:
    """A checkout of deploy/ and pyproject.toml, and a PATH of fakes."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self.fakes = folder / "fakes"
        self.fakes.mkdir()
        shutil.copytree(ROOT / "deploy", self.root / "deploy")
        shutil.copy(ROOT / "pyproject.toml", self.root)
        for tool in TOOLS:
            (self.fakes / tool).symlink_to(shutil.which(tool) or tool)
        self.fake("python3", PYTHON)
        self.fake("id", "#!/usr/bin/env bash\necho 1000\n")
        self.fake("apt-get", "#!/usr/bin/env bash\necho unexpected >&2\nexit 1\n")

    def fake(self, name: str, text: str) -> None:
        """Put a program on the PATH."""
        (self.fakes / name).write_text(text)
        (self.fakes / name).chmod(0o755)

    def has_ensurepip(self) -> None:
        """Make the fake Python complete."""
        (self.fakes / "ensurepip").touch()

    def pip_does(self, script: str) -> None:
        """Let the fake pip run a script after it has taken its note."""
        (self.fakes / "pip").write_text(script)

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Start the script."""
        return subprocess.Popen(
            [str(self.root / "deploy" / "setup.sh"), *arguments],
            env={"PATH": str(self.fakes), "FAKES": str(self.fakes), "HOME": str(self.fakes), **variables},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def setup(self, *arguments: str, **variables: str) -> tuple[int, str]:
        """Run the script and return its exit code and what it said."""
        process = self.start(*arguments, **variables)
        said = process.communicate()[1]
        return process.returncode, said

    def pip_calls(self) -> list[str]:
        """Return the pip commands so far, without the options all of them have."""
        log = self.fakes / "pip.log"
        common = "-m pip install --quiet --progress-bar off "
        return [line.removeprefix(common) for line in log.read_text().splitlines()] if log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A fresh machine of fakes, its Python without ensurepip, its user without rights."""
    return Machine(tmp_path)


def test_without_rights_exactly_one_command_is_named(machine: Machine) -> None:
    """A user who may not install is told one command, and nothing is half made."""
    machine.fake("sudo", "#!/usr/bin/env bash\nexit 1\n")
    code, said = machine.setup("check")
    assert code == 1
    commands = [line for line in said.splitlines() if "packages" in line]
    assert len(commands) == 1
    wanted = rf"setup:     sudo {machine.root}/deploy/setup.sh packages python3(\.11)?-venv"
    assert re.fullmatch(wanted, commands[0])
    assert not (machine.root / ".venv").exists()


def test_where_there_is_no_sudo_the_command_is_for_su(machine: Machine) -> None:
    """A Debian installed with a root password has no sudo."""
    code, said = machine.setup("check")
    assert code == 1
    assert f"su -c '{machine.root}/deploy/setup.sh packages python3" in said


def test_with_a_sudo_that_does_not_ask_all_goes_by_itself(machine: Machine) -> None:
    """The missing package is fetched as root and .venv is made; a second run does and says nothing."""
    machine.fake(
        "sudo",
        '#!/usr/bin/env bash\necho "$*" >>"$FAKES/sudo.log"\n'
        'case "$*" in *packages*) touch "$FAKES/ensurepip" ;; esac\n',
    )
    code, said = machine.setup("check")
    assert (code, "making .venv" in said) == (0, True)
    assert (machine.fakes / "sudo.log").read_text().startswith("-n true\n-n ")
    assert machine.pip_calls() == [
        f"--requirement {machine.root}/deploy/requirements/check.txt",
        f"--no-deps --no-build-isolation --editable {machine.root}",
    ]
    assert machine.setup("check") == (0, "")
    assert len(machine.pip_calls()) == 2


def test_with_a_lane_come_those_it_builds_on(machine: Machine) -> None:
    """After `make check` there is nothing left to install for `make demo`."""
    machine.has_ensurepip()
    machine.setup("check")
    machine.setup("runtime", TOGYZ_APT="no")
    assert len(machine.pip_calls()) == 2


def test_changed_pins_are_installed_into_the_same_venv(machine: Machine) -> None:
    """A pin changed anywhere below a lane's file makes pip run again, but not the venv anew."""
    machine.has_ensurepip()
    machine.setup("check")
    with (machine.root / "deploy" / "requirements" / "runtime.txt").open("a") as pins:
        pins.write("more==1.0\n")
    code, said = machine.setup("check")
    assert (code, "making .venv" in said) == (0, False)
    assert machine.pip_calls()[2:] == [f"--requirement {machine.root}/deploy/requirements/check.txt"]


def test_a_setup_that_was_killed_is_made_anew(machine: Machine) -> None:
    """What pip left half done is not trusted."""
    machine.has_ensurepip()
    machine.pip_does('rm "$FAKES/pip"; kill -9 $PPID\n')
    assert machine.setup("check")[0] == -9
    code, said = machine.setup("check")
    assert (code, "an earlier setup was cut off" in said) == (0, True)
    assert machine.setup("check") == (0, "")


def test_a_pip_without_network_spoils_nothing(machine: Machine) -> None:
    """When pip gives up by itself, its words are shown, and the next run goes on with the same .venv."""
    machine.has_ensurepip()
    machine.pip_does('rm "$FAKES/pip"; echo no route; exit 1\n')
    code, said = machine.setup("check")
    assert code == 1
    assert "    no route\nsetup: pip could not install deploy/requirements/check.txt" in said
    code, said = machine.setup("check")
    assert (code, "making .venv" in said) == (0, False)


def test_two_setups_at_once_do_the_work_once(machine: Machine) -> None:
    """`make -j test check` is safe: the second waits for the first and finds all done."""
    machine.has_ensurepip()
    machine.pip_does("sleep 0.2\n")
    both = [machine.start("check"), machine.start("check")]
    said = "".join(process.communicate()[1] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert said.count("making .venv") == 1
    assert len(machine.pip_calls()) == 2


def test_an_unfit_python_is_refused_by_name(machine: Machine) -> None:
    """PYTHON is taken at its word or refused, never replaced silently."""
    machine.fake("old", "#!/usr/bin/env bash\n[ \"$*\" = --version ] && echo 'Python 3.9.2'\nexit 1\n")
    code, said = machine.setup("check", PYTHON="old")
    assert (code, said) == (1, "setup: PYTHON=old is no Python 3.11 or newer (Python 3.9.2).\n")


def test_a_moved_checkout_gets_a_new_venv(machine: Machine) -> None:
    """A virtual environment knows where it lies and cannot be moved."""
    machine.has_ensurepip()
    machine.setup("check")
    machine.root = machine.root.rename(machine.root.with_name("moved"))
    code, said = machine.setup("check")
    assert (code, "the checkout was moved" in said) == (0, True)


def test_an_unknown_lane_is_refused(machine: Machine) -> None:
    """A slip of the pen makes no virtual environment."""
    code, said = machine.setup("tests")
    assert code == 1
    assert "tests.txt is missing" in said
    assert not (machine.root / ".venv").exists()


class Services:
    """The part of the script that installs mosquitto, with a policy file of its own and a noted apt."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.policy = folder / "policy-rc.d"

    def install(self, *, installed: bool = False, apt: str = ":") -> list[str]:
        """Run install_mosquitto and return what was asked and done, in order."""
        is_installed = "true" if installed else "false"
        script = f"""
            source {ROOT}/deploy/setup.sh
            policy={self.policy} kept={self.policy}.kept
            note() {{ echo "$*" >>{self.folder}/log; }}
            ask() {{ local code=0; "$policy" "$1" start || code=$?; note "$1 start: $code"; }}
            found() {{ true; }}
            systemctl() {{ note "systemctl $*"; }}
            update-rc.d() {{ note "update-rc.d $*"; }}
            package_is_installed() {{ {is_installed}; }}
            apt_install() {{
                note "apt $*"
                for service in mosquitto.service mosquitto other.service; do ask "$service"; done
                {apt}
            }}
            install_mosquitto
        """
        subprocess.run(["bash", "-c", script], check=False, env={"PATH": os.environ["PATH"]})
        log = self.folder / "log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def services(tmp_path: Path) -> Services:
    """A machine whose services may be asked about."""
    return Services(tmp_path)


SWITCHED_OFF = ["systemctl --quiet disable mosquitto.service", "update-rc.d mosquitto disable"]


def test_a_new_mosquitto_is_neither_started_nor_enabled(services: Services) -> None:
    """While apt works others may start and mosquitto may not; afterwards no policy is left."""
    assert services.install() == [
        "apt mosquitto",
        "mosquitto.service start: 101",
        "mosquitto start: 101",
        "other.service start: 0",
        *SWITCHED_OFF,
    ]
    assert list(services.folder.iterdir()) == [services.folder / "log"]


def test_the_policy_that_was_there_is_asked_and_put_back(services: Services) -> None:
    """The administrator's own policy goes on deciding on all other services."""
    services.policy.write_text("#!/bin/sh\nexit 104\n")
    services.policy.chmod(0o755)
    assert services.install()[3] == "other.service start: 104"
    assert services.policy.read_text() == "#!/bin/sh\nexit 104\n"
    assert sorted(services.folder.iterdir()) == [services.folder / "log", services.policy]


def test_a_mosquitto_that_was_there_is_left_as_it_is(services: Services) -> None:
    """Somebody else's broker may well be meant to run."""
    assert services.install(installed=True) == []


def test_a_failing_apt_leaves_no_policy_behind(services: Services) -> None:
    """The way back is the same when the installation fails."""
    assert services.install(apt="return 1")[-2:] == SWITCHED_OFF
    assert not services.policy.exists()


def test_an_installation_that_was_killed_is_finished_by_the_next(services: Services) -> None:
    """The policy left behind tells that the broker came from us: it is switched off, the old one put back."""
    services.policy.write_text("#!/bin/sh\nexit 104\n")
    services.policy.chmod(0o755)
    services.install(apt="kill -9 $$")
    assert "togyz-bridge" in services.policy.read_text()
    (services.folder / "log").unlink()
    assert services.install(installed=True)[-2:] == SWITCHED_OFF
    assert services.policy.read_text() == "#!/bin/sh\nexit 104\n"
    assert sorted(services.folder.iterdir()) == [services.folder / "log", services.policy]

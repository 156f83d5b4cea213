"""A machine of fakes for deploy/install.sh: a checkout, a root folder, and programs that take notes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.house.committed import ROOT

# The real programs that the scripts may use; everything else on their PATH is a fake.
TOOLS = (
    *("awk", "basename", "bash", "cat", "chmod", "cp", "cut", "df", "dirname", "env", "find", "flock"),
    *("grep", "head", "install", "ln", "mkdir", "mktemp", "mv", "paste", "readlink", "realpath", "rm"),
    *("rmdir", "sed", "sha256sum", "sort", "tail", "touch", "tr", "xargs"),
)

# Speaks like Debian's Python; its pip takes notes, and does what the file `pip` says.
PYTHON = f"""#!{shutil.which("bash")}
case "$*" in
*'import ensurepip'*) [ ! -e "$FAKES/no-ensurepip" ] ;;
*base_prefix*) echo '/usr 3.11' ;;
*platlib*) echo "$(dirname "$0")/../lib" ;;
*'version_info < (3, 11)'*) ;;
*'(3, 13)'*) [ -e "$FAKES/trixie" ] ;;
'-m venv '*)
    mkdir -p "$3/bin" "$3/lib"
    cp "$0" "$3/bin/python"
    printf '#!%s\\necho "togyz-bridge 9.9 $*"\\n' "$BASH" >"$3/bin/togyz"
    chmod 755 "$3/bin/togyz" ;;
'-m pip '*) echo "$*" >>"$FAKES/pip.log"; if [ -e "$FAKES/pip" ]; then . "$FAKES/pip"; fi ;;
*) exec {sys.executable} "$@" ;;
esac
"""

NOTED = '#!/usr/bin/env bash\necho "$(basename "$0") $*" >>"$FAKES/log"\n'

SYSUSERS = NOTED + (
    'for word in "$@"; do case $word in --root=*) root=${word#--root=} ;; esac; done\n'
    "for group in gpio dialout; do\n"
    '    grep -q "^$group:" "$root/etc/group" || echo "$group:x:99:" >>"$root/etc/group"\n'
    '    sed -i "/^$group:/s/$/togyz/" "$root/etc/group"\n'
    "done\n"
    'echo "togyz:x:999:999::/:/usr/sbin/nologin" >>"$root/etc/passwd"\n'
    'echo "togyz:x:999:" >>"$root/etc/group"\n'
)

TMPFILES = NOTED + (
    'for word in "$@"; do case $word in --root=*) root=${word#--root=} ;; esac; done\n'
    'mkdir -p "$root"/etc/togyz/boards "$root"/etc/togyz/keys "$root"/var/lib/togyz\n'
)

# `userdel` and `groupdel`: the last word is who goes; out of the groups too.
LEAVES = NOTED + (
    'case $1 in --root) root=$2 ;; esac\nfor last in "$@"; do :; done\n'
    'sed -i "/^$last:/d; s/:$last\\$/:/" "$root/etc/group" && sed -i "/^$last:/d" "$root/etc/passwd"\n'
)

SYSTEMCTL = NOTED + (
    'case "$*" in\n'
    '*enable*) wants=${1#--root=}/etc/systemd/system/multi-user.target.wants; mkdir -p "$wants"\n'
    '    ln -sf "../${!#}" "$wants/" ;;\n'
    "esac\n"
)

# What apt brings is there from then on.
APT = NOTED + 'case " $* " in *" install "*) echo "${!#}" >>"$FAKES/installed" ;; esac\n'
DPKG = '#!/usr/bin/env bash\ngrep -qx "${!#}" "$FAKES/installed" && echo installed\n'

FAKES = {
    "apt-get": APT,
    "dpkg-query": DPKG,
    "groupdel": LEAVES,
    "id": "#!/usr/bin/env bash\necho 0\n",
    "python3": PYTHON,
    "systemctl": SYSTEMCTL,
    "systemd-sysusers": SYSUSERS,
    "systemd-tmpfiles": TMPFILES,
    "udevadm": NOTED,
    "uname": "#!/usr/bin/env bash\necho aarch64\n",
    "update-rc.d": NOTED,
    "userdel": LEAVES,
}


class Machine:
    """A checkout, a root and fakes.

    Attributes:
        checkout: Where the script lies.
        root: What it installs into.
        fakes: The folder of the fakes and their notes.
    """

    def __init__(self, folder: Path) -> None:
        self.checkout, self.root, self.fakes = folder / "checkout", folder / "root", folder / "fakes"
        self.fakes.mkdir()
        others = shutil.ignore_patterns("pico", "wiring", "__pycache__")
        shutil.copytree(ROOT / "deploy", self.checkout / "deploy", ignore=others)
        shutil.copytree(ROOT / "systemd", self.checkout / "systemd")
        for name in ("rules", "sensors", "firmware_bridge"):
            (self.checkout / name).mkdir()
            (self.checkout / name / "__init__.py").touch()
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, self.checkout)
        for name in (
            *("etc/systemd/system", "etc/sysusers.d", "etc/udev", "usr/sbin", "usr/local/bin"),
            *("usr/local/lib", "opt", "proc/device-tree", "var/lib"),
        ):
            (self.root / name).mkdir(parents=True)
        (self.root / "etc/passwd").write_text("root:x:0:0::/root:/bin/bash\n")
        (self.root / "etc/group").write_text("root:x:0:\ndialout:x:20:\n")
        for tool in TOOLS:
            (self.fakes / tool).symlink_to(shutil.which(tool) or tool)
        for name, text in FAKES.items():
            self.fake(name, text)
        (self.fakes / "installed").write_text("python3-venv\n")

    def fake(self, name: str, text: str) -> None:
        """Put a program on the PATH."""
        (self.fakes / name).write_text(text)
        (self.fakes / name).chmod(0o755)

    def is_a(self, compatible: str) -> None:
        """Make the machine the model with this device tree."""
        (self.root / "proc/device-tree/compatible").write_text(compatible.replace(" ", "\0") + "\0")

    def run(self, *options: str, root: bool = True) -> tuple[int, str]:
        """Run the script and return its exit code and what it said."""
        done = subprocess.run(
            [
                str(self.fakes / "bash"),
                str(self.checkout / "deploy/install.sh"),
                *(("--root", str(self.root)) if root else ()),
                *options,
            ],
            env={"PATH": str(self.fakes), "FAKES": str(self.fakes), "TMPDIR": str(self.fakes.parent)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
        )
        return done.returncode, done.stderr + done.stdout

    def install(self, *options: str) -> str:
        """Run the script, which must succeed, and return what it said."""
        code, said = self.run(*options)
        assert code == 0, said
        return said

    def notes(self, name: str = "log") -> list[str]:
        """Return what the fakes have noted."""
        path = self.fakes / name
        return path.read_text().splitlines() if path.exists() else []

    def listing(self) -> dict[str, str]:
        """Return everything below the root: links with where they lead, files with what they hold."""
        found: dict[str, str] = {}
        for folder, folders, files in os.walk(self.root):
            for name in (*folders, *files):
                path = Path(folder, name)
                key = str(path.relative_to(self.root))
                if path.is_symlink():
                    found[key] = f"-> {path.readlink()}"
                else:
                    found[key] = path.read_text("utf-8") if path.is_file() else "/"
        return found

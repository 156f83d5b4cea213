#!/usr/bin/env bash
# Makes this checkout ready for a target of the Makefile. Says nothing when all is there.
#
#   deploy/setup.sh LANE...           LANE: runtime, test, check, bench, kernel (deploy/requirements/LANE.txt).
#                                     Makes .venv, and asks apt for what is missing where it may.
#   deploy/setup.sh packages NAME...  as root: these Debian packages, nothing else. A mosquitto that
#                                     comes this way is neither started nor enabled.
#
# PYTHON=/path/to/python3   the interpreter .venv is made from (default: the first that is new enough)
# TOGYZ_APT=no              never ask apt, only say what is missing
#
# Everything it makes lies in .venv, so `rm -rf .venv` undoes it. An interrupted run leaves .venv/.setup/busy
# behind, and the next run makes .venv anew. Sourced, the file only defines its functions: the tests do that.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
self=$root/deploy/setup.sh
venv=$root/.venv
marks=$venv/.setup
policy=/usr/sbin/policy-rc.d
kept=/usr/sbin/policy-rc.d.kept-by-togyz-bridge
policy_mark='# togyz-bridge: only while mosquitto is being installed'
interrupted=''
lists='' # apt's package lists: '' as they are, new as of now, old because they did not come

say() { printf 'setup: %s\n' "$*" >&2; }

die() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

# Runs a long command silently; shows the end of what it said only if it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ] && [ -z "$interrupted" ]; then
        tail -n 15 "$log" | sed 's/^/    /' >&2
    fi
    rm -f "$log"
    return "$status"
}

# ---- the interpreter -------------------------------------------------------------------------------------------

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# Which installation an interpreter belongs to, the same from inside a virtual environment made of it.
identity() {
    "$1" -c 'import os, sys; print(os.path.realpath(sys.base_prefix), "%d.%d" % sys.version_info[:2])' 2>/dev/null
}

# An activated .venv puts itself first on the PATH, and it is what will be thrown away.
in_venv() { case $(command -v "$1") in "$venv"/*) return 0 ;; *) return 1 ;; esac; }

# Sets $python: the user's PYTHON, else the first interpreter on the PATH that is new enough.
choose_python() {
    local candidate
    if [ -n "${PYTHON:-}" ]; then
        in_venv "$PYTHON" && die "PYTHON=$PYTHON lies in the .venv that is to be made anew ($1)."
        new_enough "$PYTHON" ||
            die "PYTHON=$PYTHON is no Python 3.11 or newer ($("$PYTHON" --version 2>&1 | head -n 1))."
        python=$PYTHON
        return
    fi
    for candidate in python3 /usr/bin/python3 python3.13 python3.12 python3.11; do
        if ! in_venv "$candidate" && new_enough "$candidate"; then
            python=$candidate
            return
        fi
    done
    die "Python 3.11 or newer is needed; python3 here: $(python3 --version 2>&1 | head -n 1)." \
        "Debian 12 and Raspberry Pi OS of October 2023 bring it. Elsewhere: make PYTHON=/path/to/python3.11 ..."
}

can_make_venv() { "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# The Debian package that brings ensurepip to $python; fails for an interpreter that is not Debian's.
venv_package() {
    local installation version
    read -r installation version <<<"$(identity "$python")"
    [ "$installation" = /usr ] || return 1
    if [ "$(identity /usr/bin/python3 || true)" = "$installation $version" ]; then
        echo python3-venv
    else
        echo "python$version-venv"
    fi
}

# ---- Debian's packages -----------------------------------------------------------------------------------------

found() {
    local name
    for name in "$@"; do
        if PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin command -v "$name" >/dev/null; then return 0; fi
    done
    return 1
}

# The packages that would do the lane good and are not here, one a line.
missing_extras() {
    case $1 in runtime | test | bench)
        if ! found mosquitto || policy_is_ours; then echo mosquitto; fi ;;
    esac
    case $1 in test | bench)
        found chromium chromium-browser || echo chromium
        found chromedriver /usr/lib/chromium-browser/chromedriver /usr/lib/chromium/chromedriver || echo chromium-driver
        found systemd-analyze || echo systemd ;; # it looks through systemd/; nothing is started by it
    esac
}

is_root() { [ "$(id -u)" -eq 0 ]; }

# The one command that makes root do what we may not.
root_command() {
    if is_root; then
        echo "$self packages $*"
    elif found sudo; then
        echo "sudo $self packages $*"
    else
        echo "su -c '$self packages $*'"
    fi
}

# Asks apt for the packages if we may; fails if we may not or it could not.
get_packages() {
    if [ "${TOGYZ_APT:-}" = no ] || ! found apt-get; then return 1; fi
    if is_root; then
        "$self" packages "$@"
    elif found sudo && sudo -n true >/dev/null 2>&1; then
        sudo -n "$self" packages "$@"
    else
        return 1
    fi
}

# $python can make a virtual environment, and what the lanes would like is there if it may be.
provide_packages() {
    local package='' extras wanted=()
    if [ -n "$python" ] && ! can_make_venv; then
        package=$(venv_package) || die "$("$python" -c 'import sys; print(sys.executable)') lacks the ensurepip module." \
            "Take another interpreter: make PYTHON=/usr/bin/python3 ..."
        wanted+=("$package")
    fi
    extras=$(for lane in "$@"; do missing_extras "$lane"; done | sort -u)
    # shellcheck disable=SC2206  # package names hold no blanks
    wanted+=($extras)
    [ ${#wanted[@]} -gt 0 ] || return 0
    get_packages "${wanted[@]}" || true
    if [ -n "$package" ] && ! can_make_venv; then
        found apt-get || die "Python's venv module cannot work here: ensurepip is missing, and there is no apt-get to bring it."
        die "Debian's package $package is missing. Type this, then start again:" "    $(root_command "${wanted[@]}")"
    fi
    extras=$(for lane in "$@"; do missing_extras "$lane"; done | sort -u | paste -sd ' ')
    if [ -n "$extras" ]; then
        say "going on without $extras: $([ "$*" = runtime ] && echo 'amqtt is the broker then' ||
            echo 'tests that need them are skipped by name'). To have them: $(root_command "$extras")"
    fi
}

# ---- as root: install, and leave no service behind ---------------------------------------------------------------

# The lists of a fresh machine are empty, those of an old one name files that are gone: fetched only then, and once.
# Without a network each attempt fails at once; only where the lists came do further attempts promise anything.
apt_install() {
    local install=(apt-get -qq -y -o DPkg::Lock::Timeout=300 --no-install-recommends)
    if [ -z "$lists" ]; then
        if "${install[@]}" -o Acquire::Retries=0 install "$@" >/dev/null 2>&1 </dev/null; then return 0; fi
        lists=old
        if quietly apt-get -qq -o APT::Update::Error-Mode=any -o Acquire::Retries=0 update; then lists=new; fi
    fi
    quietly "${install[@]}" -o Acquire::Retries="$([ "$lists" = new ] && echo 3 || echo 0)" install "$@"
}

# A policy that forbids the start of mosquitto and passes every other question on to the policy that was there.
hold_mosquitto() {
    if policy_is_ours; then release_mosquitto; fi
    rm -f -- "$kept"
    if [ -e "$policy" ] || [ -L "$policy" ]; then cp -a -- "$policy" "$kept" || return 1; fi
    cat >"$policy.new" <<POLICY || return 1
#!/bin/sh
$policy_mark
case " \$* " in *" mosquitto "* | *" mosquitto.service "*) exit 101 ;; esac
if [ -x $kept ]; then exec $kept "\$@"; fi
exit 0
POLICY
    chmod 755 "$policy.new" && mv -f -- "$policy.new" "$policy"
}

policy_is_ours() { [ -f "$policy" ] && grep -qF "$policy_mark" "$policy"; }

# Undoes hold_mosquitto and what the package's own scripts did: nothing starts at the next boot either.
release_mosquitto() {
    policy_is_ours || return 0
    if found systemctl; then
        systemctl --quiet disable mosquitto.service >/dev/null 2>&1 || true
    elif found deb-systemd-helper; then
        deb-systemd-helper disable mosquitto.service >/dev/null 2>&1 || true
    fi
    if found update-rc.d; then update-rc.d mosquitto disable >/dev/null 2>&1 || true; fi
    if [ -L /etc/systemd/system/multi-user.target.wants/mosquitto.service ]; then
        say 'mosquitto could not be disabled; type: systemctl disable mosquitto'
    fi
    if [ -e "$kept" ] || [ -L "$kept" ]; then mv -f -- "$kept" "$policy"; else rm -f -- "$policy"; fi
}

package_is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_mosquitto() {
    # Our own policy still lying there means that an earlier run was cut off: then mosquitto came from us.
    if package_is_installed mosquitto && ! policy_is_ours; then return 0; fi
    local status=0
    hold_mosquitto || { say "mosquitto left out: cannot write $policy"; return 1; }
    apt_install mosquitto || status=$?
    release_mosquitto
    return "$status"
}

packages() {
    local others=() name status=0
    is_root || die "only root can install packages: $(root_command "$@")"
    found apt-get || die "no apt-get here; install by hand: $*"
    PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin # su leaves a user's PATH, and dpkg wants the sbin folders
    # Two checkouts may be set up at the same time; the folder with the policy is what they must not share.
    exec 8<"$(dirname "$policy")"
    flock 8
    trap release_mosquitto EXIT
    export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1
    trap 'exit 130' INT TERM HUP
    say "asking apt for $*"
    for name in "$@"; do
        case $name in
        mosquitto) install_mosquitto 8<&- || { say "apt could not install mosquitto"; status=1; } ;;
        python3*-venv | chromium | chromium-driver | shellcheck | systemd) others+=("$name") ;;
        python3-lgpio | python3-dev | gcc | cage | fonts-dejavu-core) others+=("$name") ;;
        *) die "not one of ours: $name" ;;
        esac
    done
    # One at a time, so that a package this Debian does not have keeps no other from coming.
    for name in "${others[@]}"; do
        apt_install "$name" 8<&- || { say "apt could not install $name"; status=1; }
    done
    return "$status"
}

# ---- the virtual environment -------------------------------------------------------------------------------------

# Why .venv cannot be used as it is; empty if it can.
venv_trouble() {
    if [ ! -e "$venv" ]; then
        echo 'none yet'
    elif [ -e "$marks/busy" ] || [ ! -f "$marks/made" ]; then
        echo 'an earlier setup was cut off'
    elif [ "$(sed -n 2p "$marks/made")" != "$root" ]; then
        echo 'the checkout was moved'
    elif [ "$(identity "$venv/bin/python" || true)" != "$(sed -n 1p "$marks/made")" ]; then
        echo 'its Python is gone'
    elif [ -n "${PYTHON:-}" ] && [ "$(identity "$PYTHON" || true)" != "$(sed -n 1p "$marks/made")" ]; then
        echo "PYTHON=$PYTHON is another one"
    fi
}

make_venv() {
    say "making .venv with $("$python" --version 2>&1) ($1)"
    rm -rf -- "$venv" || die "cannot remove $venv: does it belong to another user?"
    quietly "$python" -m venv "$venv" || die "$python could not make $venv: see above."
    mkdir -p "$marks"
    printf '%s\n' "$(identity "$venv/bin/python")" "$root" >"$marks/made.new"
    mv -f -- "$marks/made.new" "$marks/made"
}

# A lane's requirement file and those it names with -r, one path a line.
requirement_files() {
    local file=$root/deploy/requirements/$1 other others
    [ -f "$file" ] || die "no such lane: $file is missing"
    echo "$file"
    others=$(sed -n 's/^-r *//p' "$file")
    for other in $others; do requirement_files "$other"; done
}

fingerprint() { cat -- "$@" | sha256sum | cut -d ' ' -f 1; }

marked() { [ "$(cat "$marks/$1" 2>/dev/null)" = "$2" ]; }

mark() {
    printf '%s\n' "$2" >"$marks/$1.new"
    mv -f -- "$marks/$1.new" "$marks/$1"
}

pip_install() {
    # A user's own pip settings must not lead it out of .venv.
    env -u PIP_TARGET -u PIP_PREFIX PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 \
        "$venv/bin/python" -m pip install --quiet --progress-bar off "$@"
}

# Marks .venv as being worked on while the command runs. pip leaves things whole when it gives up by itself, so only
# a cut (a signal, the power) leaves the mark behind.
undisturbed() {
    local status=0
    : >"$marks/busy"
    quietly "$@" || status=$?
    [ -z "$interrupted" ] || exit 130
    rm -f -- "$marks/busy"
    return "$status"
}

# What a lane's pins are now, as one word.
pins_of() {
    local files
    files=$(requirement_files "$1.txt")
    mapfile -t files <<<"$files"
    fingerprint "${files[@]}"
}

install_lane() {
    local lane=$1 pins files file
    pins=$(pins_of "$lane")
    if ! marked "pins-$lane" "$pins"; then
        say "installing Python packages for \`$lane\` into .venv (a minute or two the first time)"
        undisturbed pip_install --requirement "$root/deploy/requirements/$lane.txt" ||
            die "pip could not install deploy/requirements/$lane.txt: see above. With a network, just start again."
        # With a lane come those it builds on.
        files=$(requirement_files "$lane.txt")
        while read -r file; do
            file=$(basename "$file" .txt)
            mark "pins-$file" "$(pins_of "$file")"
        done <<<"$files"
    fi
    pins=$(fingerprint "$root/pyproject.toml")
    if ! marked project "$pins"; then
        undisturbed pip_install --no-deps --no-build-isolation --editable "$root" ||
            die "pip could not install the project itself from $root/pyproject.toml: see above."
        mark project "$pins"
    fi
}

setup() {
    local lane trouble
    for lane in "$@"; do requirement_files "$lane.txt" >/dev/null; done
    unset PYTHONHOME PYTHONPATH
    # One setup at a time in this checkout, held on this very file: nothing to clean up.
    exec 9<"$self"
    flock -n 9 || { say 'another setup is at work here; waiting for it'; flock 9; }
    trap 'interrupted=yes' INT TERM HUP
    python=''
    trouble=$(venv_trouble)
    [ -z "$trouble" ] || choose_python "$trouble"
    provide_packages "$@" 9<&-
    [ -z "$interrupted" ] || exit 130
    [ -z "$trouble" ] || make_venv "$trouble" 9<&-
    for lane in "$@"; do install_lane "$lane" 9<&-; done
}

main() {
    case ${1:-} in
    '' | -h | --help) sed -n '2,/^set /s/^# \{0,1\}//p' "$self" ;;
    packages) packages "${@:2}" ;;
    *) setup "$@" ;;
    esac
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then main "$@"; fi

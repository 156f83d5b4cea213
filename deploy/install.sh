#!/usr/bin/env bash
# Puts Togyz Bridge on a Raspberry Pi or another Debian machine, brings it up to date, takes it away again.
# Raspberry Pi OS and Debian, Bookworm or newer; as root; from a checkout or an unpacked source package:
#
#   sudo deploy/install.sh [OPTION...]   install, or bring up to date; a second run changes nothing
#     --dry-run       say what would be done, do nothing
#     --wheels DIR    Python packages from this folder alone, without a network; to fill it, on a like machine that
#                     is installed: /opt/togyz/bin/python -m pip wheel -w DIR -r deploy/requirements/runtime.txt
#                     (on a Raspberry Pi pi.txt, on a 5 pi5.txt)
#     --from PATH     the program itself from this wheel (.whl) instead of the checkout
#     --pins WHICH    header pins: pi (Raspberry Pi up to 4), pi5, none; left out: what this machine is
#     --kiosk         also what a screen at the table needs: cage, chromium, letters for Kazakh
#     --card          this card is for many boards: who it is, it learns at each start (deploy/README.md)
#     --restart       start the running services again, so that they run the new version now
#     --root DIR      everything below DIR instead of /, but Debian's packages (for tests)
#
#   sudo deploy/install.sh --uninstall [--purge [--yes]]
#     takes away all but configuration and games; with --purge, after a question, these too.
#     Without the checkout: sudo /usr/local/lib/togyz/install.sh --uninstall
#
# PYTHON=/path/to/python3   the interpreter (default: the first on the PATH that is new enough)
# TOGYZ_APT=no              never ask apt, only say what is missing
#
# A step that fails says where and what to do, and spoils nothing: the version before goes on working, and the
# next run goes on from there. Programs are put into /opt/togyz-a or -b, tried, and only then become /opt/togyz.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=deploy/setup.sh
. "$here/setup.sh"
# shellcheck source=deploy/removal.sh
. "$here/removal.sh"

script=$here/install.sh
python='' # setup.sh's choose_python sets it
NEEDED_MB=400 # the environment takes 150 MB, and stands twice while one replaces the other [measured on x86-64]
base='' wheels='' program='' pins='' kiosk='' card='' restart='' dry='' removing='' purge='' yes=''
at='' advice='' changed=''

say() { printf 'install: %s\n' "$*" >&2; }

die() {
    printf 'install: %s\n' "$@" >&2
    exit 1
}

finish() {
    local status=$?
    if [ "$status" -ne 0 ] && [ -n "$at" ]; then
        printf 'install: %s\n' "stopped at: $at" "what to do: $advice" \
            "What is done so far is whole. Start again then: it goes on from here." >&2
    fi
    return "$status"
}

# ---- what is asked for -----------------------------------------------------------------------------------------

usage() { sed -n '2,/^set /s/^# \{0,1\}//p' "$script" | sed '/^set /d'; }

misused() {
    say "$1"
    say "$script --help shows all options"
    exit 2
}

read_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        --wheels | --from | --pins | --root) [ $# -ge 2 ] && [ -n "$2" ] || misused "$1 needs a value" ;;
        esac
        case $1 in
        -h | --help) usage; exit 0 ;;
        --dry-run) dry=yes ;;
        --kiosk) kiosk=yes ;;
        --card) card=yes ;;
        --restart) restart=yes ;;
        --uninstall) removing=yes ;;
        --purge) purge=yes ;;
        --yes) yes=yes ;;
        --wheels) wheels=$(existing -d "$2" "--wheels: no such folder: $2"); shift ;;
        --from) program=$(existing -f "$2" "--from: no such file: $2"); shift ;;
        --pins) pins=$2; shift ;;
        --root) base=$(existing -d "$2" "--root: no such folder: $2"); base=${base%/}; shift ;;
        *) misused "unknown option: $1" ;;
        esac
        shift
    done
    case $pins in '' | pi | pi5 | none) ;; *) misused "--pins is pi, pi5 or none, not $pins" ;; esac
    case $program in '' | *.whl) ;; *) misused "--from takes a wheel (.whl), not $program" ;; esac
    policy=$base$policy kept=$base$kept # setup.sh's, by which it keeps mosquitto from starting
    if [ -z "$removing" ] && [ -n "$purge" ]; then misused '--purge goes with --uninstall'; fi
}

# A path made whole, if it is there.
existing() {
    test "$1" "$2" || misused "$3"
    realpath -- "$2"
}

# ---- what this machine is --------------------------------------------------------------------------------------

# pi5 where the header hangs on the RP1 chip, pi on the models before it, none elsewhere.
pins_of_machine() {
    local compatible
    compatible=$(tr '\0' ' ' 2>/dev/null <"$base/proc/device-tree/compatible" || true)
    case $compatible in
    *brcm,bcm2712*) echo pi5 ;;
    *raspberrypi,*) echo pi ;;
    *) echo none ;;
    esac
}

look_around() {
    local tool free
    [ -n "$dry" ] || is_root || die "only root can install: sudo $script"
    for tool in systemctl systemd-sysusers systemd-tmpfiles apt-get dpkg-query; do
        found "$tool" || die "no $tool here: this needs Raspberry Pi OS or Debian with systemd." \
            "Elsewhere: README.md, Install."
    done
    choose_python 'a new environment'
    pins=${pins:-$(pins_of_machine)}
    free=$(df -Pm -- "$base/opt" 2>/dev/null || df -Pm -- "$base/")
    free=$(awk 'NR == 2 { print $4 }' <<<"$free")
    [ "$free" -ge "$NEEDED_MB" ] || [ -n "$dry" ] ||
        die "$free MB are free for /opt, $NEEDED_MB are needed: remove what is not needed, or take a larger card."
}

# One installation at a time, whichever checkout it comes from, held on a folder: nothing to clean up.
take_turn() {
    exec 9<"$base/opt"
    flock -n 9 || die 'another installation is at work; wait for it, then start again.'
}

# ---- one step after the other ----------------------------------------------------------------------------------

# step NAME WHAT ADVICE: NAME_is_there asks, make_NAME does it, and NAME_is_there is asked again.
step() {
    if "${1}_is_there"; then
        say "ok      $2"
        return
    fi
    if [ -n "$dry" ]; then
        say "would   $2"
        return
    fi
    at=$2 advice=$3
    say "now     $2"
    "make_$1"
    "${1}_is_there" || die "done, and yet it is not there: $2"
    at='' changed=yes
}

# ---- Debian's packages -----------------------------------------------------------------------------------------

python_at_least() { "$python" -c "import sys; sys.exit(sys.version_info < ($1, $2))"; }

wanted_packages() {
    can_make_venv || venv_package || true # an interpreter that is not Debian's: make_environment says so
    echo mosquitto
    # RPi.GPIO is built here where nobody serves a wheel.
    if [ "$pins" = pi ] && [ -z "$wheels" ]; then printf '%s\n' gcc python3-dev; fi
    if lgpio_of_debian; then echo python3-lgpio; fi
    if [ -n "$kiosk" ]; then printf '%s\n' cage chromium fonts-dejavu-core; fi
}

missing_packages() {
    local name
    for name in $(wanted_packages); do package_is_installed "$name" || echo "$name"; done
}

# Where no wheel of lgpio is served: for Python 3.13, and for systems of 32 bits.
lgpio_of_debian() { [ "$pins" != none ] && { python_at_least 3 13 || [ "$(uname -m)" != aarch64 ]; }; }

packages_is_there() {
    local missing
    missing=$(missing_packages | paste -sd ' ')
    [ -n "$missing" ] || return 0
    say "missing: $missing"
    [ "${TOGYZ_APT:-}" = no ] # apt is not to be asked: what cannot do without says so itself
}

make_packages() {
    local missing
    mapfile -t missing < <(missing_packages)
    # A shell of its own: the function leaves traps behind.
    (packages "${missing[@]}")
}

# ---- the programs ----------------------------------------------------------------------------------------------

environment=/opt/togyz
lane() { if [ "$pins" = none ]; then echo runtime; else echo "$pins"; fi; }

# Everything the environment is made of, as one word.
ingredients() {
    local files
    files=$(requirement_files "$(lane).txt")
    mapfile -t files <<<"$files"
    {
        echo "$pins"
        identity "$python"
        cat -- "${files[@]}"
        if [ -n "$program" ]; then
            sha256sum <"$program"
        else
            (cd -- "$root" && find pyproject.toml rules sensors firmware_bridge -type f ! -path '*/__pycache__/*' \
                -print0 | sort -z | xargs -0 sha256sum)
        fi
    } | sha256sum | cut -d ' ' -f 1
}

environment_is_there() {
    [ -L "$base$environment" ] && [ "$(cat "$base$environment/.made-of" 2>/dev/null)" = "$(ingredients)" ] &&
        "$base$environment/bin/togyz" --version >/dev/null 2>&1
}

make_environment() {
    local link=$base$environment old next from=()
    if [ -e "$link" ] && [ ! -L "$link" ]; then
        die "$link is a folder that was not made by this script: move it away, then start again."
    fi
    old=$(readlink "$link" || true)
    for next in togyz-a togyz-b togyz-c ''; do
        if [ "$next" != "$old" ] && ! runs_in "$next"; then break; fi
    done
    [ -n "$next" ] || die "programs still run in two older versions; first: sudo systemctl restart 'togyz-*'"
    venv=$base/opt/$next
    mkdir -p "$base/opt"
    rm -rf -- "$venv"
    can_make_venv || die "Python's ensurepip is missing here; type: apt-get install $(venv_package || echo python3-venv)"
    [ -z "$wheels" ] || from=(--no-index --find-links "$wheels")
    quietly "$python" -m venv "$venv"
    quietly pip_install "${from[@]}" --requirement "$root/deploy/requirements/$(lane).txt"
    put_program
    if lgpio_of_debian; then link_lgpio; fi
    quietly "$venv/bin/togyz" --version
    quietly "$venv/bin/togyz" perft 3
    ingredients >"$venv/.made-of"
    ln -sfn "$next" "$link.new"
    mv -fT "$link.new" "$link"
}

runs_in() { [ -n "$1" ] && grep -qsF -- "$base/opt/$1/" /proc/[0-9]*/maps; }

# Environments before, once nobody runs in them: a program that was started from one may still load of it.
remove_old_environment() {
    local now old
    now=$(readlink "$base$environment")
    for old in togyz-a togyz-b togyz-c; do
        if [ "$old" = "$now" ] || [ ! -e "$base/opt/$old" ]; then continue; fi
        if runs_in "$old"; then
            say "kept until nothing runs in it: $base/opt/$old (the version before)"
        else
            rm -rf -- "$base/opt/$old"
        fi
    done
}

# Built from a copy: setuptools leaves folders behind where it builds, and the checkout is its owner's.
put_program() {
    local copy='' source=$program
    if [ -z "$source" ]; then
        copy=$(mktemp -d)
        (cd -- "$root" && cp -a pyproject.toml README.md LICENSE rules sensors firmware_bridge "$copy")
        source=$copy
    fi
    quietly pip_install --no-deps --no-index --no-build-isolation "$source"
    [ -z "$copy" ] || rm -rf -- "$copy"
}

# Debian's lgpio alone, not all of Debian's packages: among those may be a shim that calls itself RPi.GPIO.
link_lgpio() {
    local file site linked=''
    site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
    for file in "$base"/usr/lib/python3/dist-packages/lgpio.py "$base"/usr/lib/python3/dist-packages/_lgpio*.so; do
        if [ -e "$file" ]; then
            ln -sf "$file" "$site/"
            linked=yes
        fi
    done
    [ -n "$linked" ] || die "Debian's lgpio is not in /usr/lib/python3/dist-packages; type: apt-get install --reinstall python3-lgpio"
}

command=/usr/local/bin/togyz

command_is_there() { [ "$(readlink "$base$command" || true)" = ../../../opt/togyz/bin/togyz ]; }

make_command() {
    if [ -e "$base$command" ] && [ ! -L "$base$command" ]; then
        die "$base$command is a file of somebody else: move it away, then start again."
    fi
    mkdir -p "$base/usr/local/bin"
    ln -sfn ../../../opt/togyz/bin/togyz "$base$command"
}

# ---- files of the system ---------------------------------------------------------------------------------------

kept_here=/usr/local/lib/togyz
manifest=$kept_here/manifest

# What is put where: source, target and mode, parted by tabs.
files_to_place() {
    local file
    for file in "$root"/systemd/*.service "$root"/systemd/*.target "$root"/deploy/card/*.service; do
        place 644 "$file" "/etc/systemd/system/${file##*/}"
    done
    for file in "$root"/systemd/sysusers.d/*.conf; do place 644 "$file" "/etc/sysusers.d/${file##*/}"; done
    for file in "$root"/systemd/tmpfiles.d/*.conf; do place 644 "$file" "/etc/tmpfiles.d/${file##*/}"; done
    for file in "$root"/deploy/udev/*.rules; do place 644 "$file" "/etc/udev/rules.d/${file##*/}"; done
    for file in "$root"/deploy/examples/{,event/}*; do place 644 "$file" "$kept_here/${file#"$root"/deploy/}"; done
    for file in install.sh removal.sh setup.sh read-only.sh card/card.sh kiosk/kiosk.sh; do
        place 755 "$root/deploy/$file" "$kept_here/${file##*/}"
    done
}

place() { if [ -f "$2" ]; then printf '%s\t%s\t%s\n' "$2" "$3" "$1"; fi; }

files_is_there() {
    local sources targets
    mapfile -t sources < <(files_to_place | cut -f 1)
    mapfile -t targets < <(files_to_place | cut -f 2)
    [ "$(printf '%s\n' "${targets[@]}" | sort)" = "$(sort "$base$manifest" 2>/dev/null)" ] || return 1
    [ "$(sha256sum -- "${sources[@]}" | cut -c -64)" = "$(sha256sum -- "${targets[@]/#/$base}" 2>/dev/null | cut -c -64)" ]
}

make_files() {
    local source target mode old folder
    mkdir -p "$base$kept_here"
    # Before the first file: a run that is cut off leaves none that uninstall does not know of.
    files_to_place | cut -f 2 | sort >"$base$manifest.new"
    while read -r old; do
        grep -qxF -- "$old" "$base$manifest.new" || rm -f -- "$base$old" # a version before had it
    done < <(cat "$base$manifest" 2>/dev/null || true)
    mv -f "$base$manifest.new" "$base$manifest"
    while IFS=$'\t' read -r source target mode; do
        folder=${target%/*}
        if [ ! -d "$base$folder" ]; then echo "$folder" >>"$base$kept_here/folders"; fi
        install -D -m "$mode" "$source" "$base$target"
    done < <(files_to_place)
}

# ---- who runs it, and where its files lie -----------------------------------------------------------------------

account_is_there() {
    local group
    grep -q '^togyz:' "$base/etc/passwd" || return 1
    for group in gpio dialout; do grep -Eq "^$group:.*[:,]togyz(,|\$)" "$base/etc/group" || return 1; done
}

make_account() {
    local group
    for group in gpio dialout; do
        # Debian beside a Raspberry Pi has no group gpio: one that comes from here goes with us.
        grep -q "^$group:" "$base/etc/group" || echo "$group" >>"$base$kept_here/groups"
    done
    quietly systemd-sysusers ${base:+--root="$base"} togyz.conf
}

folders_is_there() { [ -d "$base/etc/togyz/boards" ] && [ -d "$base/etc/togyz/keys" ] && [ -d "$base/var/lib/togyz" ]; }

make_folders() { quietly systemd-tmpfiles --create ${base:+--root="$base"} togyz.conf; }

# ---- services --------------------------------------------------------------------------------------------------

card_is_there() { [ -L "$base/etc/systemd/system/multi-user.target.wants/togyz-card.service" ]; }

make_card() { quietly systemctl ${base:+--root="$base"} enable togyz-card.service; }

# The running system hears of new units and rules; in a chroot and below --root there is none.
reload() {
    [ -z "$base" ] && [ -d /run/systemd/system ] || return 0
    systemctl daemon-reload
    if found udevadm; then
        udevadm control --reload && udevadm trigger --subsystem-match=tty --action=change || true
    fi
}

running_units() {
    [ -z "$base" ] && [ -d /run/systemd/system ] || return 0
    local unit _
    while read -r unit _; do echo "$unit"; done < <(
        systemctl list-units --plain --no-legend --state=active 'togyz-*.service' 2>/dev/null || true
    )
}

renew_services() {
    local units
    mapfile -t units < <(running_units)
    [ ${#units[@]} -gt 0 ] || return 0
    if [ -n "$restart" ]; then
        at="starting again: ${units[*]}" advice="journalctl -u ${units[0]} says why"
        systemctl restart "${units[@]}"
        at=''
        say "started again: ${units[*]}"
    else
        say "these still run the version before: ${units[*]}" \
            "Between two games: sudo systemctl restart ${units[*]}"
    fi
}

# ---- all of it -------------------------------------------------------------------------------------------------

install_all() {
    trap finish EXIT
    look_around
    take_turn
    step packages "Debian's packages" \
        "see that this machine has a network, then: apt-get update"
    step environment "the programs in $environment (pins: $pins)" \
        "see above; without a network use --wheels DIR"
    step command "the command $command" "see above"
    step files "services, rules and examples" "see that the card is not full and not read-only: df -h /"
    step account 'the user togyz' "see what systemd-sysusers said above"
    step folders '/etc/togyz and /var/lib/togyz' "see what systemd-tmpfiles said above"
    if [ -n "$card" ]; then step card 'who this board is, learnt at each start' "systemctl status togyz-card"; fi
    [ -z "$dry" ] || return 0
    if [ -n "$changed" ]; then
        reload
        renew_services
    fi
    remove_old_environment
    say "$("$base$command" --version) is installed. Next: $kept_here/examples, and deploy/README.md"
}

main() {
    read_options "$@"
    umask 022
    PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin # su leaves a user's PATH
    unset PYTHONHOME PYTHONPATH
    if [ -n "$removing" ]; then remove_all; else install_all; fi
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then main "$@"; fi

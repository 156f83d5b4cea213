#!/usr/bin/env bash
# A Raspberry Pi whose system is not written to: a power cut finds nothing half written but on the partition with the
# games, and that is made for it. As root, on Raspberry Pi OS; what lies where tells deploy/read-only.md.
#
#   read-only.sh status   whether the system can be written to, and where the games lie; 1 if something is amiss
#   read-only.sh on       from the next start on: system in an overlay in memory, /var/lib/togyz on its own partition
#   read-only.sh off      from the next start on: as it was, for an update
#     --root DIR          below DIR instead of / (for tests)
set -euo pipefail

root='' what=''
label=togyz-state
state=/var/lib/togyz
fstab_line="LABEL=$label $state ext4 noatime,data=ordered,nofail,x-systemd.device-timeout=15s 0 2"

say() { printf 'read-only: %s\n' "$*"; }

die() {
    printf 'read-only: %s\n' "$@" >&2
    exit 1
}

usage() { sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" | sed '/^set /d'; }

misused() {
    say "$1" >&2
    usage >&2
    exit 2
}

cmdline() { echo "$root/boot/firmware/cmdline.txt"; }

is_overlay() { [ "$(findmnt -no FSTYPE /)" = overlay ]; }

# What is wrong with the partition of the games; empty if nothing is.
state_trouble() {
    local type options
    type=$(findmnt -no FSTYPE --mountpoint "$state" || true)
    options=$(findmnt -no OPTIONS --mountpoint "$state" || true)
    case $type in
    '') echo "$state has no partition of its own: what is written there would lie in memory and be gone" ;;
    overlay | tmpfs) echo "$state lies in memory ($type): what is written there is gone at the next start" ;;
    ext4) ;;
    *) echo "$state lies on $type; ext4 keeps what was written through a power cut" ;;
    esac
    case ,$options, in
    *,ro,*) echo "$state cannot be written to: its file system was found damaged; sudo fsck -f LABEL=$label" ;;
    *,data=writeback,*) echo "$state is mounted with data=writeback: after a power cut a file may hold rubbish; take it out of /etc/fstab" ;;
    esac
}

status() {
    local trouble
    if is_overlay; then say 'the system is read-only'; else say 'the system can be written to'; fi
    if grep -q 'overlayroot=tmpfs\( \|$\)' "$(cmdline)" 2>/dev/null; then
        die "$(cmdline) says overlayroot=tmpfs without :recurse=0, so that the games would lie in memory too: read-only.sh on"
    fi
    trouble=$(state_trouble)
    [ -z "$trouble" ] || { say "$trouble"; ! is_overlay || exit 1; return 0; }
    say "games: $(findmnt -no SOURCE,FSTYPE,OPTIONS --mountpoint "$state")"
}

turn_on() {
    local trouble
    command -v raspi-config >/dev/null || die 'no raspi-config here: this is for Raspberry Pi OS. deploy/read-only.md tells of others.'
    ! is_overlay || { say 'the system is read-only already.'; status; return 0; }
    trouble=$(state_trouble)
    [ -z "$trouble" ] || die "$trouble." \
        "Make a partition of at least 1 GB (deploy/read-only.md), then: mkfs.ext4 -L $label /dev/..., a line in /etc/fstab:" \
        "    $fstab_line" "and: systemctl daemon-reload && mount $state"
    # The log in memory, and not more of it than there is room for.
    mkdir -p "$root/etc/systemd/journald.conf.d"
    printf '# read-only.sh: the log is in memory, for the system is read-only.\n[Journal]\nStorage=volatile\nRuntimeMaxUse=32M\n' \
        >"$root/etc/systemd/journald.conf.d/togyz.conf"
    raspi-config nonint enable_overlayfs || die 'raspi-config could not set up the overlay: see above. Nothing else was changed.'
    # Else the overlay takes in every mount below /, and the games with it.
    sed -i 's/overlayroot=tmpfs\( \|$\)/overlayroot=tmpfs:recurse=0\1/' "$(cmdline)"
    grep -q 'overlayroot=tmpfs:recurse=0' "$(cmdline)" ||
        die "$(cmdline) does not say overlayroot=tmpfs: this raspi-config works in another way than is known here." \
            'Before the next start: raspi-config nonint disable_overlayfs'
    say 'from the next start on the system is read-only: sudo reboot, then read-only.sh status'
}

turn_off() {
    command -v raspi-config >/dev/null || die 'no raspi-config here.'
    raspi-config nonint disable_overlayfs || die 'raspi-config could not take the overlay away: see above.'
    if is_overlay; then
        say 'from the next start on the system can be written to: sudo reboot'
    else
        rm -f -- "$root/etc/systemd/journald.conf.d/togyz.conf"
        say 'the system can be written to'
    fi
}

while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --root) [ $# -ge 2 ] || misused '--root needs a value'; root=${2%/}; shift ;;
    on | off | status) [ -z "$what" ] || misused "either $what or $1"; what=$1 ;;
    *) misused "unknown word: $1" ;;
    esac
    shift
done
[ -n "$what" ] || misused 'on, off or status?'
if [ "$what" != status ] && [ "$(id -u)" -ne 0 ]; then die "only root can: sudo $0 $what"; fi
case $what in on) turn_on ;; off) turn_off ;; status) status ;; esac

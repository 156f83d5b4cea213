#!/usr/bin/env bash
# What `install.sh --uninstall` does; install.sh reads this file and sets its variables.
#
# Taken away: services, rules, programs, command and examples; configuration and games only with --purge. The
# user togyz stays as long as files of his do: his number would go to the next user, and with it the keys.
set -euo pipefail

# Set by install.sh.
script=${script:-} base=${base:-} dry=${dry:-} purge=${purge:-} yes=${yes:-}
kept_here=${kept_here:-} manifest=${manifest:-} environment=${environment:-} command=${command:-}

remove() {
    local path
    for path in "$@"; do
        if [ -e "$path" ] || [ -L "$path" ]; then
            if [ -n "$dry" ]; then say "would remove $path"; else rm -rf -- "$path"; fi
        fi
    done
}

# A folder that is empty now.
remove_empty() {
    local folder
    for folder in "$@"; do
        if [ -z "$dry" ] && [ -d "$folder" ]; then rmdir --ignore-fail-on-non-empty -- "$folder"; fi
    done
}

# Games are not thrown away by a slip of the hand.
ask_before_purge() {
    local answer=''
    [ -n "$purge" ] && [ -z "$yes" ] && [ -z "$dry" ] || return 0
    [ -t 0 ] || die '--purge deletes all games and keys and asks first: without a terminal it needs --yes as well.'
    say "This deletes $base/var/lib/togyz with all games, and $base/etc/togyz with all keys. Type yes to go on:"
    read -r answer || true
    [ "$answer" = yes ] || die 'nothing was removed.'
}

stop_services() {
    local unit _ link
    if [ -z "$base" ] && [ -z "$dry" ] && [ -d /run/systemd/system ]; then
        while read -r unit _; do
            quietly systemctl stop "$unit" || die "$unit does not stop; journalctl -u $unit says why. Nothing was removed."
        done < <(systemctl list-units --plain --no-legend --all 'togyz-*.service' 'togyz*.target' 2>/dev/null || true)
    fi
    # What `systemctl enable` made, of instances too; by hand, since it must go below --root and in a chroot as well.
    for link in "$base"/etc/systemd/system/*.wants/togyz*; do
        if [ -L "$link" ]; then
            remove "$link"
            remove_empty "$(dirname "$link")"
        fi
    done
}

remove_files() {
    local file
    while read -r file; do
        remove "$base$file"
    done < <(cat "$base$manifest" 2>/dev/null || true)
    while read -r file; do
        remove_empty "$base$file" # a folder that came with us
    done < <(cat "$base$kept_here/folders" 2>/dev/null || true)
    remove "$base/etc/systemd/journald.conf.d/togyz.conf" # of read-only.sh
    remove "$base$command" "$base$environment" "$base$environment.new" "$base"/opt/togyz-[abc]
}

remove_account() {
    local group
    if [ -e "$base/etc/togyz" ] || [ -e "$base/var/lib/togyz" ]; then
        say "kept: $base/etc/togyz and $base/var/lib/togyz (configuration, keys, games), and the user togyz who owns them." \
            "To remove these too: $script --uninstall --purge"
        return
    fi
    [ -z "$dry" ] || return 0
    if grep -q '^togyz:' "$base/etc/passwd"; then quietly userdel ${base:+--root "$base"} togyz; fi
    while read -r group; do
        # Ours, and nobody else has joined it.
        if grep -Eq "^$group:[^:]*:[0-9]*:\$" "$base/etc/group"; then quietly groupdel ${base:+--root "$base"} "$group"; fi
    done < <(cat "$base$kept_here/groups" 2>/dev/null || true; grep -q '^togyz:' "$base/etc/group" && echo togyz)
}

remove_all() {
    [ -n "$dry" ] || is_root || die "only root can uninstall: sudo $script --uninstall"
    ask_before_purge
    stop_services
    remove_files
    if [ -n "$purge" ]; then remove "$base/etc/togyz" "$base/var/lib/togyz" "$base/run/togyz"; fi
    remove_empty "$base"/etc/togyz/{boards,keys} "$base/etc/togyz" "$base/var/lib/togyz"
    remove_account
    remove "$base$kept_here"
    [ -z "$dry" ] || return 0
    reload
    say "Togyz Bridge is removed. Debian's packages were left: mosquitto, python3-venv, for a kiosk cage and chromium."
}

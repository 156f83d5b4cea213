#!/usr/bin/env bash
# Makes this machine the board, or the boards, whose serial numbers stand in the table of the card, and starts them.
# Run by togyz-card.service at each start; it may be run again at any time.
#
#   card.sh [DIR]     DIR: the folder with boards.csv, board.toml and keys (default: on the boot partition)
set -euo pipefail

folder=${1:-/boot/firmware/togyz}
hosts=${TOGYZ_HOSTS:-/etc/hosts}

say() { printf 'togyz-card: %s\n' "$*"; }

# The name under which the machine is found in the network; sudo looks it up in /etc/hosts.
be_called() {
    [ "$(hostname)" != "$1" ] || return 0
    local others
    # In place: the service may write to this file, and make none beside it.
    others=$(grep -v '^127\.0\.1\.1[[:space:]]' "$hosts" || true)
    printf '%s\n127.0.1.1\t%s\n' "$others" "$1" >"$hosts"
    hostnamectl set-hostname "$1"
}

boards=()
said=$(togyz card "$folder" --apply) || {
    say "this machine is no board yet; looking again in 10 s. journalctl -u togyz-card shows this again."
    exit 1
}
while read -r word board; do
    [ "$word" = board ] && boards+=("$board")
done <<<"$said"

be_called "${boards[0]}"
units=()
for board in "${boards[@]}"; do units+=("togyz-board@$board.service" "togyz-table@$board.service"); done
if command -v cage >/dev/null; then units+=("togyz-kiosk@${boards[0]}.service"); fi
# Not enabled but started: on another machine the same card is another board.
systemctl start --no-block "${units[@]}"
say "this machine is ${boards[*]}"

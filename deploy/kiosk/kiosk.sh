#!/usr/bin/env bash
# The page of a board's screen, over the whole screen and nothing else: Chromium in cage (togyz-kiosk@BOARD).
#
#   kiosk.sh BOARD    BOARD: its configuration is /etc/togyz/boards/BOARD.toml; a whole address is taken as it is
#
# Waits for the page, for a browser that finds none shows its own, and does not look again. What the browser writes
# goes to memory: nothing of it is worth wearing out a card for, and no page is left from the day before.
set -euo pipefail

board=${1:?kiosk.sh BOARD: name the board whose page is to be shown}
scratch=${RUNTIME_DIRECTORY:-${XDG_RUNTIME_DIR:-/tmp}}/chromium

say() { printf 'togyz-kiosk: %s\n' "$*" >&2; }

# Where `togyz table` listens, as the board's file says it.
address_of() {
    "${PYTHON:-/opt/togyz/bin/python}" - "${TOGYZ_BOARDS:-/etc/togyz/boards}/$1.toml" <<'PYTHON'
import sys
from pathlib import Path

from firmware_bridge.config import ConfigError, load_config

try:
    screen = load_config(Path(sys.argv[1])).table
except ConfigError as error:
    sys.exit(str(error))
host = "127.0.0.1" if screen.host in ("0.0.0.0", "::") else screen.host
print(f"http://[{host}]:{screen.port}/" if ":" in host else f"http://{host}:{screen.port}/")
PYTHON
}

case $board in
http://* | https://*) address=$board ;;
*) address=$(address_of "$board") ;;
esac

browser=''
for name in chromium chromium-browser; do
    if command -v "$name" >/dev/null; then browser=$name; fi
done
for name in cage "${browser:-chromium}"; do
    command -v "$name" >/dev/null || { say "no $name here; type: sudo apt-get install cage chromium"; exit 1; }
done

host=${address#*://} host=${host%%/*} port=${host##*:}
case $host in *:*) host=${host%:*} ;; *) port=80 ;; esac
host=${host#[} host=${host%]}
until (exec 3<>"/dev/tcp/$host/$port") 2>/dev/null; do
    [ -n "${told:-}" ] || say "waiting for $address (togyz-table@$board)"
    told=yes
    sleep 1
done

# -s lets a keyboard switch to another console, where a technician may log in; -d leaves out window borders.
exec cage -s -d -- "$browser" --kiosk --ozone-platform=wayland --user-data-dir="$scratch" \
    --disk-cache-dir="$scratch/cache" --no-first-run --noerrdialogs --disable-infobars --disable-translate \
    --disable-features=Translate --disable-component-update --disable-pinch --overscroll-history-navigation=0 \
    --password-store=basic "$address"

#!/bin/sh
# The first and only program of the kernel lane's machine. Its root is the host's, read-only; what it writes is
# in memory. It runs the tests, says how they ended, and switches the machine off.
#
# The kernel hands on what stands behind its command line: LANE_PYTHON, LANE_ROOT.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t configfs configfs /sys/kernel/config
mount -t devtmpfs devtmpfs /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm
mount -t devpts -o ptmxmode=0666 devpts /dev/pts
# Not over /tmp: the checkout may lie there.
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /run
export TMPDIR=/dev/shm

# gpiozero wants to know which Raspberry Pi this is: a Pi 5.
cp /proc/cpuinfo /dev/shm/cpuinfo
echo 'Revision	: c04170' >>/dev/shm/cpuinfo
mount --bind /dev/shm/cpuinfo /proc/cpuinfo

mkdir -p /dev/shm/home
cd /dev/shm/home || exit 1
export HOME=/dev/shm/home PYTHONPATH="$LANE_ROOT" PYTHONDONTWRITEBYTECODE=1 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
"$LANE_PYTHON" -m pytest -q -rA --color=no -p no:cacheprovider --noconftest --import-mode=importlib -c /dev/null \
    --rootdir "$LANE_ROOT" "$LANE_ROOT/tests/kernel/in_guest.py"
echo "LANE-ENDED-WITH $?"
exec reboot -f

"""The same `frames.py` under the real MicroPython interpreter."""

import ast
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sensors import frames

BESIDE = Path(sys.executable).with_name("micropython")
MICROPYTHON = str(BESIDE) if BESIDE.exists() else shutil.which("micropython")
SCRIPT = Path(__file__).with_name("on_micropython.py")
NAMES = ["hello", "data", "button", "beat", "hello_request", "button_ack", "clock", "lamps", "buzzer"]

pytestmark = [
    pytest.mark.micropython,
    pytest.mark.skipif(MICROPYTHON is None, reason="no micropython beside python or on PATH"),
]


def jobs() -> list[tuple[str, bytes]]:
    """Return payloads of every message, valid ones and random ones."""
    rng = random.Random(7)
    hello = frames.Hello(1, 0, 31, 0xFFFFFFFF, 1, (1 << 64) - 1, 20, 8000, 20, 3, 1, "стол 7", "x" * 32)
    data = frames.Data(
        0xFFFFFFFF, (0, 1, 2, 3, 4) * 4, tuple(rng.randrange(-(1 << 31), 1 << 31) for _ in range(20))
    )
    clock = frames.Clock(0xFFFFFFFF, 1, 1 << 63, 2, 1, (-1, (1 << 31) - 1), (0, 0xFFFFFFFF))
    found = [
        ("hello", frames.pack_hello(hello)),
        ("data", frames.pack_data(data)),
        ("clock", frames.pack_clock(clock)),
    ]
    for name in NAMES:
        found += [(name, rng.randbytes(rng.randrange(60))) for _ in range(30)]
    return found


def expected(name: str, payload: bytes, number: int) -> tuple[object, ...]:
    """Return what CPython makes of one job."""
    try:
        message = getattr(frames, f"unpack_{name}")(payload)
    except frames.FrameError as error:
        return ("FrameError", str(error))
    return (tuple(message), frames.encode_frame(7, number, getattr(frames, f"pack_{name}")(message)).hex())


def test_micropython_reads_and_writes_the_same_bytes() -> None:
    """Same messages, same refusals in the same words, same frames; with the heap of a small controller."""
    todo = jobs()
    text = "".join(f"{name} {payload.hex()}\n" for name, payload in todo)
    command = [str(MICROPYTHON), "-X", "heapsize=200k", str(SCRIPT), str(Path(frames.__file__).parent)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    *lines, last = done.stdout.splitlines()
    good = 0
    for number, ((name, payload), line) in enumerate(zip(todo, lines, strict=True)):
        want = expected(name, payload, number)
        if want[0] == "FrameError":
            assert line == f"FrameError {want[1]}"
        else:
            message, _, wire = line.rpartition(" ")
            assert (ast.literal_eval(message), wire) == want
            good += 1
    assert good > 100
    assert last == f"bad {good - 1} ignored 1"

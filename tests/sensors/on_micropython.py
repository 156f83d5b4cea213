"""Runs under MicroPython: reads jobs, one per line, and prints what `frames.py` makes of them.

A line is `message-name hex-payload`; the answer is the message as a plain tuple and the frame that
packing it again gives, with its line number as sequence number. Not a test module by itself.
"""

# ruff: noqa: T201 - printing is how it answers

import binascii
import sys

sys.path.insert(0, sys.argv[1])

import frames  # type: ignore[import-not-found]  # the path was set just now

if sys.implementation.name != "micropython":
    raise SystemExit("this is meant for MicroPython")

decoder = frames.Decoder()
for number, line in enumerate(sys.stdin):
    name, _, text = line.strip().partition(" ")
    payload = binascii.unhexlify(text)
    try:
        message = getattr(frames, "unpack_" + name)(payload)
    except frames.FrameError as error:
        print("FrameError", error)
        continue
    wire = frames.encode_frame(7, number, getattr(frames, "pack_" + name)(message))
    assert decoder.feed(b"\x01noise\x00" + wire[:5]) == []
    assert decoder.feed(wire[5:]) == [(7, number & 0xFFFF, wire and frames.cobs_decode(wire[:-1])[3:-4])]
    print(tuple(message), binascii.hexlify(wire).decode())
print("bad", decoder.bad_frames, "ignored", decoder.ignored)

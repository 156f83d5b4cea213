"""Follow a board until its game has ended: python follow.py HOST PORT EVENT BOARD (needs paho-mqtt 2)."""

import hashlib
import json
import sys
from contextlib import suppress

import paho.mqtt.client as mqtt

host, port, event, board = sys.argv[1:]
wanted = [(f"tk/1/{event}/board/{board}/{leaf}", 1) for leaf in ("state", "record/+/+")]
newest, printed, parts, records = {}, {}, {}, {}  # the state; moves; parts by hash; texts by game


def on_message(client, _user, message):
    with suppress(ValueError, LookupError, TypeError, AttributeError, RecursionError):
        told = json.loads(message.payload or "{}")  # empty: cleared; what no board says is skipped above
        order = [int(told.get(name, 0)) for name in ("boot", "seq", "n")]
        if told.get("kind") == "state" and order > newest.get("order", []):  # else told twice, or late
            for ply, move in enumerate(told["moves"].split(), start=told["moves_from"]):
                if printed.get((told["game"], ply)) != move:  # another one: an arbiter took moves back
                    print(ply, move, flush=True)
                    printed[told["game"], ply] = move
            newest.update(told, order=order)
        elif told.get("kind") == "record":
            while len(parts) > 64:  # far more than a board keeps: somebody else is writing here
                del parts[next(iter(parts))]
            parts.setdefault(told["sha256"], {})[told["part"]] = told["text"]
            text = "".join(part for _, part in sorted(parts[told["sha256"]].items()))
            if hashlib.sha256(text.encode()).hexdigest() == told["sha256"]:
                records[told["game"]] = text
    if newest.get("phase") in ("ended", "released") and newest["game"] in records:
        print(records[newest["game"]])
        client.disconnect()


client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.on_connect, client.on_message = (lambda *_: client.subscribe(wanted)), on_message
client.connect(host, int(port))
client.loop_forever()

"""Follow a board until its game has ended: python follow.py HOST PORT EVENT BOARD (needs paho-mqtt 2)."""

import hashlib
import json
import sys

import paho.mqtt.client as mqtt

host, port, event, board = sys.argv[1:]
here = f"tk/1/{event}/board/{board}"
newest, printed = {}, {}  # the newest state; how many plies of each game have been printed
parts, records = {}, {}  # parts of records by their hash; whole records by game


def on_message(client, _user, message):
    told = json.loads(message.payload or "{}")  # an empty one clears what was kept there
    order = [told.get(name, 0) for name in ("boot", "seq", "n")]
    if told.get("kind") == "state" and order > newest.get("order", []):  # else told twice, or late
        newest.update(told, order=order)
        for ply, move in enumerate(told["moves"].split(), start=told["moves_from"]):
            if ply > printed.get(told["game"], 0):
                print(ply, move, flush=True)
                printed[told["game"]] = ply
    elif told.get("kind") == "record":
        got = parts.setdefault(told["sha256"], {})
        got[told["part"]] = told["text"]
        text = "".join(got[number] for number in sorted(got))
        if hashlib.sha256(text.encode()).hexdigest() == told["sha256"]:
            records[told["game"]] = text
    if newest.get("phase") in ("ended", "released") and newest["game"] in records:
        print(records[newest["game"]])
        client.disconnect()


client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.on_connect = lambda *_: client.subscribe([(f"{here}/state", 1), (f"{here}/record/+/+", 1)])
client.on_message = on_message
client.connect(host, int(port))
client.loop_forever()

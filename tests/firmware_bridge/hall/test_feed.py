"""The hall and a real broker."""

import asyncio
from pathlib import Path

from firmware_bridge.hall.feed import MqttFeed
from firmware_bridge.hall.hub import Hub
from firmware_bridge.wire.broker import start_broker
from firmware_bridge.wire.mqtt import Connected, MqttClient
from firmware_bridge.wire.payloads import encode
from tests.firmware_bridge.hall.plays import EVENT, avail, message, state
from tests.firmware_bridge.hall.serving import settings
from tests.firmware_bridge.hall.test_records import told


def test_a_hall_takes_what_boards_have_left_with_the_broker_and_what_follows(tmp_path: Path) -> None:
    """Retained first, live after; another event's boards are not even asked for."""

    async def run() -> None:
        hub = Hub(settings(), "assets")
        async with (
            asyncio.timeout(60),
            await start_broker(tmp_path) as broker,
            MqttClient(broker.settings("board")) as board,
        ):
            async for event in board.events():
                if isinstance(event, Connected):
                    break
            for payload in (avail(online=True), state(3), state(9, event="other")):
                topic, data = message(payload)
                board.publish(topic, data, 1, retain=True)
            reading = asyncio.create_task(hub.run(MqttFeed(broker.settings(""), EVENT)))
            with hub.watching("b01") as changed:
                while (hub.snapshot("b01")["state"] or {"ply": 0})["ply"] != 3:
                    await changed.wait()
                    changed.clear()
                for part in told():
                    board.publish(part.topic, encode(part), 1, retain=True)
                while hub.snapshot("b01")["record"] is None:
                    await changed.wait()
                    changed.clear()
                for leaf in ("cmd", "ack"):
                    board.publish(f"tk/1/{EVENT}/board/b01/{leaf}", b"{}", 1)  # not for viewers, and no fault
                board.publish(*message(state(4)), 1, retain=True)
                while hub.snapshot("b01")["state"]["ply"] != 4:
                    await changed.wait()
                    changed.clear()
            reading.cancel()
            await asyncio.wait({reading})
        assert hub.registry.boards == ("b01",)
        assert hub.snapshot("b01")["presence"]["reason"] == "fresh"
        assert hub.registry.problems == 0

    asyncio.run(run())

"""Halls as they are heard on the network."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.discovery.notices import HallNotice

HALL = HallNotice(
    name="cup on x",
    event="cup",
    contract="1.3.0",
    software="togyz-bridge 0.1.0",
    host="192.0.2.7",
    port=8080,
    broker_host="192.0.2.7",
    broker_port=1883,
)
STRANGER = replace(HALL, event="open", host="192.0.2.8", broker_host="192.0.2.8")
"""Of another event."""

SECOND = replace(HALL, host="192.0.2.9", broker_host="192.0.2.9")
"""Of the same event, with another broker."""

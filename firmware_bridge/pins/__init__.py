"""The header pins of a Raspberry Pi, offered as a device on a serial line (`togyz pins`)."""

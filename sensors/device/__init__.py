"""The device's end of the TOGYZ link, for boards whose device is a program: emulated ones and header pins."""

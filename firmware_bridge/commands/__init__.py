"""The subcommands of `togyz`, one file each; nothing imports them but `cli.py`."""

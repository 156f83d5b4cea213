"""One card for many boards: a table says which machine is which board.

The room knows the table, the template of a configuration and the serial numbers of a machine. It knows
nothing of games, sensors or brokers, and it writes no file: `commands/card.py` does.
"""

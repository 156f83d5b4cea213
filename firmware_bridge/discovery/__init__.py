"""How boards and people find the hall of their event on the network, without an address typed in anywhere."""

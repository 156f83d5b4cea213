"""Where facts come from: the port, the board's socket, the broker, the network, the disk, the machine."""

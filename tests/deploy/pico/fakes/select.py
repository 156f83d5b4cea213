"""`select.poll`, which asks a line in memory itself: the unix port would wait a millisecond for it."""

import uselect

POLLIN, POLLOUT = uselect.POLLIN, uselect.POLLOUT


class _InMemory:
    """A poll of one `benched.Cable`."""

    def __init__(self, cable, flags):
        self._cable, self._flags = cable, flags

    def ipoll(self, _timeout):
        """Return what is ready."""
        return ((self._cable, self._flags),) if self._cable.ready(self._flags) else ()


class poll:  # noqa: N801 - its name
    """The real one, but for lines in memory."""

    def __init__(self):
        self._poll = uselect.poll()

    def register(self, stream, flags):
        """Take the one stream that the firmware registers."""
        if hasattr(stream, "ready"):
            self._poll = _InMemory(stream, flags)
        else:
            self._poll.register(stream, flags)

    def ipoll(self, timeout):
        """Return what is ready."""
        return self._poll.ipoll(timeout)

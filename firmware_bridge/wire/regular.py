"""Small files of ours, read so that nothing found in their place can hold the program up."""

import os
import stat
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 64 * 1024


def read_regular(path: Path) -> bytes:
    """Return the content of a small file.

    Raises:
        OSError: It is not there, cannot be read, is no regular file (a pipe would be waited for for
            ever), or has more than 64 KiB.
    """
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(f"{path} is no regular file")
        data = os.read(fd, MAX_BYTES + 1)
    finally:
        os.close(fd)
    if len(data) > MAX_BYTES:
        raise OSError(f"{path} has more than {MAX_BYTES} bytes")
    return data

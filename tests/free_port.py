"""A port for a server that must be told its own before it starts; every other one is started on port 0."""

from __future__ import annotations

import random
import socket
from pathlib import Path

__all__ = ["find_free_port"]

_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LEAST = 10_000


def find_free_port() -> int:
    """Return a port on which nothing listens, below those that the system gives to whoever asks for any.

    Of those, another process could be given the same one before the server takes it.
    """
    end = int(_RANGE.read_text().split()[0]) if _RANGE.is_file() else 32_768
    while True:
        port = random.SystemRandom().randrange(_LEAST, max(end, _LEAST + 1))
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port

"""Whether the server is about to stop: set by its first process for every worker, before any port is closed."""

from __future__ import annotations

from pathlib import Path

from vetrina.http.shared_memory import map_shared_memory


class ShutdownFlag:
    """A flag that the server is about to stop.

    folder: of the server's run, which its processes share; None: this process alone.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._flag, _ = map_shared_memory(folder / "draining" if folder else None, 1)
        self._here = False

    def begin(self) -> None:
        """Set it for every process of the server."""
        self._flag[0] = 1

    def begin_here(self) -> None:
        """Set it in this process alone: another one replaces it."""
        self._here = True

    def __bool__(self) -> bool:
        return self._here or self._flag[0] != 0

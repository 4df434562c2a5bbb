"""Whether the server is about to stop: told by its first process to every worker, before any port is closed."""

from __future__ import annotations

from pathlib import Path

from vetrina.http.shared_memory import mapped

__all__ = ["Draining"]


class Draining:
    """The word that the server stops.

    folder: of the server's run, which its processes share; None: this process alone.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._flag, _ = mapped(folder / "draining" if folder else None, 1)
        self._here = False

    def begin(self) -> None:
        """Say it to every process of the server."""
        self._flag[0] = 1

    def begin_here(self) -> None:
        """Say it in this process alone: another one takes its place."""
        self._here = True

    def __bool__(self) -> bool:
        return self._here or self._flag[0] != 0

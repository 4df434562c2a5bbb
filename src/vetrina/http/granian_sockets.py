"""The server's library with listening sockets that are handed to it, one a worker.

The library opens its sockets itself and has no public way to be given one, so two of its inner methods are replaced
here and nowhere else. What that is for, what else was tried and what to look at when the library is updated:
docs/decisions/http.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from granian.net import SocketHolder  # type: ignore[attr-defined]  # imported there without a list of exports
from granian.server import MPServer
from granian.server.mp import WorkerProcess

BACKLOG: Final = 1024  # connections that may wait for a worker to accept them


class GranianSocketServer(MPServer):
    """A server whose workers listen on sockets that were opened elsewhere. sockets: their descriptors, one a worker."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.sockets: list[int] = []

    def open_sockets(self) -> list[int]:
        """Return the descriptors of the listening sockets; called once, before the first worker starts."""
        raise NotImplementedError

    def build_loader(self, position: int, load: Callable[..., Any]) -> Callable[[], Any]:
        """Return the call by which a worker loads its application. position: that of the worker, from 0."""
        raise NotImplementedError

    def _init_shared_socket(self) -> None:
        self._ssp = self._sso = None
        self.sockets = self.open_sockets()

    # The abstract server declares a fourth argument that the server of processes does not take.
    def _spawn_worker(self, idx: int, target: Any, callback_loader: Any) -> WorkerProcess:  # type: ignore[override]
        # The library's type stub lacks the arguments of this class.
        holder: Any = SocketHolder
        self._shd = holder(self.sockets[idx], False, BACKLOG)
        return super()._spawn_worker(idx, target, self.build_loader(idx, callback_loader))

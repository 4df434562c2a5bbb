"""The package of docs/gateways.md, written where Python finds it, and the service that it calls."""

from __future__ import annotations

import json
import re
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from vetrina import modules
from vetrina.shop.payments import gateways

GUIDE = Path(__file__).parents[1] / "docs" / "gateways.md"
_BLOCK = re.compile(r"^```(python|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def write_package(folder: Path) -> None:
    """Write the package of the guide, installed."""
    blocks = dict(_BLOCK.findall(GUIDE.read_text(encoding="utf-8")))
    (folder / "vetrina_tallero.py").write_text(blocks["python"], encoding="utf-8")
    project = tomllib.loads(blocks["toml"])["project"]
    told = folder / "vetrina_tallero-1.0.dist-info"
    told.mkdir(exist_ok=True)
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n", encoding="utf-8")
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (told / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Install the package for a while."""
    write_package(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        _look_again()
        yield
    _look_again()


def _look_again() -> None:
    """Clear the cache of installed packages, as a start of the server does."""
    sys.modules.pop("vetrina_tallero", None)
    gateways.load_packaged_gateways.cache_clear()
    modules.declare_routes.cache_clear()


class Bank:
    """The service of the guide: the payments requested by key, and the point at which something happens to its client.

    meets: called with "before" and "charged" of each call, while the client waits.
    """

    def __init__(self) -> None:
        self.by_key: dict[str, dict[str, Any]] = {}
        self.is_down = False
        self.state = "succeeded"
        self.meets: Callable[[str], None] = lambda moment: None
        bank = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                bank.meets("before")
                if bank.is_down:
                    self.send_error(503)
                    return
                key = self.headers["Idempotency-Key"]
                kind = self.path.strip("/")
                made = {"id": f"{kind}-{len(bank.by_key)}", "state": bank.state, "kind": kind, **asked}
                kept = bank.by_key.setdefault(key, made)
                bank.meets("charged")
                body = json.dumps(kept).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def amounts(self, kind: str) -> list[str]:
        """Return the amounts that were paid, or refunded."""
        return [one["amount"] for one in self.by_key.values() if one["kind"] == kind]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

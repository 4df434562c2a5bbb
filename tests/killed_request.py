"""A process of a site that sends one request and is killed during its call to an outside service."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import vetrina
from vetrina.settings import Settings

TESTS = Path(__file__).parent
SOURCE = Path(vetrina.__file__).parents[1]  # the code under test, whatever other version is installed
PATIENCE = 120  # seconds; processes start slowly on a busy machine

_CHILD = """
import json, sys
from pathlib import Path
from conftest import Client
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

folder, told = sys.argv[1], json.loads(sys.argv[2])
site = Site(load_profile("second", told["sets"]), Settings(secret=told["secret"]), Path(folder))
answer = Client(site, *told["account"]).post(told["path"], told["body"], headers=told["headers"])
print(answer.status, answer.json, flush=True)
"""


class Meeting(Protocol):
    """A service that reports its calls: `meets` is called with a point of the call, while its client waits."""

    meets: Any


def send_killed(
    service: Meeting, at: str, folder: Path, settings: Settings, path: str, body: Mapping[str, Any], *,
    sets: Mapping[str, Any] | None = None, account: tuple[str, ...] = (), headers: Mapping[str, str] | None = None,
) -> None:  # fmt: skip
    """Send a request from a process that is killed at a given point of its call to the service.

    sets: of the profile. account: login and password, none for a visitor.
    """
    told = {
        "secret": settings.secret, "sets": sets, "account": account, "path": path, "body": body,
        "headers": dict(headers or {}),
    }  # fmt: skip
    found: list[subprocess.Popen[str]] = []

    def meets(moment: str) -> None:
        if moment == at:
            os.kill(found[0].pid, signal.SIGKILL)
            found[0].wait()

    service.meets = meets
    words = [sys.executable, "-c", _CHILD, str(folder), json.dumps(told)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(SOURCE), str(folder)])}
    found.append(subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment))
    said, _ = found[0].communicate(timeout=PATIENCE)
    service.meets = lambda moment: None
    assert (found[0].returncode, said) == (-signal.SIGKILL, "")

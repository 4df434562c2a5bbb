"""A throw-away site in a process of its own, for tests of programs that use the interface.

    with StandIn("second") as site:
        site.client("shop_manager").shop.products.create(name="Coat")
        site.reset()

It knows the server by its command and its control alone (`vetrina serve --ephemeral --control`). Not here: the
fixtures of pytest (testing/pytest_plugin.py). Guide: docs/testing.md.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from vetrina.testing.accounts import Account, accounts_of
from vetrina.testing.control import Clock, Control, ControlError

if TYPE_CHECKING:
    from vetrina.client import AsyncClient, Client

__all__ = ["Account", "Clock", "ControlError", "StandIn", "StartError"]

_STOP = 10.0  # seconds that a stop may take


class StartError(Exception):
    """The stand-in did not start; the message has what it said."""


class StandIn:
    """A stand-in, from its start to its stop.

    profile: a built-in one's name, or the path of a TOML file. dialects: spoken beside those of the profile.
    accounts: None for one of each role of a built-in profile. settings: lines of `KEY=VALUE`, as for `--set`.
    url: scheme, host and port. root: address of the interface. clock: that of the site. Raises StartError.

    `accounts` then has each by its login, and the first of a role by the role.
    """

    def __init__(
        self, profile: str | Path = "first", *, dialects: Sequence[str] = (), accounts: Sequence[Account] | None = None,
        settings: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.profile = str(profile)
        given = accounts_of(self.profile) if accounts is None else accounts
        self.accounts: dict[str, Account] = {}
        for account in given:
            self.accounts.setdefault(account.role, account)
            self.accounts[account.login] = account
        self._clients: list[Client] = []
        key = secrets.token_urlsafe(32)
        self._process, self.root = _started(self.profile, dialects, given, settings, key)
        parts = urlsplit(self.root)
        self.url = f"{parts.scheme}://{parts.netloc}"
        self._control = Control(parts.hostname or "", parts.port or 80, key)
        self.clock = Clock(self._control)
        atexit.register(self.stop)

    def reset(self) -> None:
        """Put everything back to the start: data, files, numbers, jobs, what was remembered, the clock."""
        self._close_clients()
        self._control.ask("POST", "reset")

    def keep(self) -> None:
        """Make the present state the one to which `reset` returns."""
        self._control.ask("PUT", "start")

    def work_off(self) -> int:
        """Carry out the background jobs that are due and return their number."""
        return int(self._control.ask("POST", "jobs")["done"])

    def client(self, who: str | None = "administrator", **words: Any) -> Client:
        """Return a client, which the next reset closes.

        who: role or login of one of `accounts`, None for nobody. words: further arguments of Client.
        """
        from vetrina.client import Client

        found = Client(self.url, self._credentials(who), **_near(words))
        self._clients.append(found)
        return found

    def async_client(self, who: str | None = "administrator", **words: Any) -> AsyncClient:
        """Return a client to be awaited; close it, or use it as `async with`. The arguments are those of `client`."""
        from vetrina.client import AsyncClient

        return AsyncClient(self.url, self._credentials(who), **_near(words))

    def stop(self) -> None:
        """Stop the site; nothing of it is left."""
        atexit.unregister(self.stop)
        self._close_clients()
        self._process.terminate()
        try:
            self._process.wait(_STOP)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _credentials(self, who: str | None) -> tuple[str, str] | None:
        if who is None:
            return None
        if who not in self.accounts:
            raise LookupError(f"there is no account or role {who!r}; known: {', '.join(self.accounts)}")
        account = self.accounts[who]
        return account.login, account.application_password

    def _close_clients(self) -> None:
        for client in self._clients:
            client.close()
        self._clients.clear()

    def __enter__(self) -> StandIn:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<StandIn {self.profile} at {self.url}>"


def _near(words: dict[str, Any]) -> dict[str, Any]:
    # No proxy stands between a program and its own machine.
    return {"environment": False, **words}


def _started(
    profile: str, dialects: Sequence[str], accounts: Sequence[Account], settings: Sequence[str], key: str
) -> tuple[subprocess.Popen[str], str]:
    """Start the process and return it with the root of its interface. Raises StartError."""
    command = [sys.executable, "-m", "vetrina.cli", "serve", "--ephemeral", "--profile", profile, "--port", "0"]
    command += [word for dialect in dialects for word in ("--dialect", dialect)]
    command += [word for line in settings for word in ("--set", line)]
    # Settings of another site, which the environment may have for the program under test, are none of this one's.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VETRINA_")}
    with tempfile.TemporaryDirectory(prefix="vetrina-accounts-") as folder:
        users = Path(folder) / "users.json"
        users.write_text(json.dumps([account.written() for account in accounts]), encoding="utf-8")
        process = subprocess.Popen(
            [*command, "--users", str(users), "--control", "--parent", str(os.getpid())],
            stdout=subprocess.PIPE, text=True, encoding="utf-8", env={**environment, "VETRINA_CONTROL": key},
        )  # fmt: skip
        assert process.stdout is not None
        line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    if found is None:
        process.wait(_STOP)
        process.stdout.close()
        raise StartError(f"`{' '.join(command)}` ended with status {process.returncode}; what it said is above")
    return process, found[0].rstrip("/")

"""A throw-away site in a process of its own, for tests of programs that use the interface.

    with LocalTestServer("second") as site:
        site.client("shop_manager").shop.products.create(name="Coat")
        site.reset()

It uses the server through its command and control port only (`vetrina serve --ephemeral --control`). Fixtures of
pytest: pytest_plugin.py. Guide: docs/testing.md.
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

from vetrina.testing.accounts import ServerAccount, build_accounts
from vetrina.testing.control import ServerClock, ServerControl, ServerControlError

if TYPE_CHECKING:
    from vetrina.client import AsyncClient, Client

__all__ = ["LocalTestServer", "ServerAccount", "ServerClock", "ServerControlError", "ServerStartError"]

_STOP_SECONDS = 10.0  # seconds allowed for stopping


class ServerStartError(Exception):
    """The test server did not start; the message has its output."""


class LocalTestServer:
    """A test server, from its start to its stop.

    profile: a built-in one's name, or the path of a TOML file. dialects: additional ones beside the profile's.
    accounts: None for one of each role of a built-in profile. settings: lines of `KEY=VALUE`, as for `--set`.
    url: scheme, host and port. root: URL of the API root. clock: that of the site. control_key: of its control, for
    suites in other languages. Raises ServerStartError.

    `accounts` then has each by its login, and the first of a role by the role.
    """

    def __init__(
        self,
        profile: str | Path = "first",
        *,
        dialects: Sequence[str] = (),
        accounts: Sequence[ServerAccount] | None = None,
        settings: Sequence[str] = (),
    ) -> None:
        self.profile = str(profile)
        given = build_accounts(self.profile) if accounts is None else accounts
        self.accounts: dict[str, ServerAccount] = {}
        for account in given:
            self.accounts.setdefault(account.role, account)
            self.accounts[account.login] = account
        self._clients: list[Client] = []
        self.control_key = key = secrets.token_urlsafe(32)
        self._process, self.root = _start_process(self.profile, dialects, given, settings, key)
        parts = urlsplit(self.root)
        self.url = f"{parts.scheme}://{parts.netloc}"
        self._control = ServerControl(parts.hostname or "", parts.port or 80, key)
        self.clock = ServerClock(self._control)
        atexit.register(self.stop)

    def reset(self) -> None:
        """Reset everything to the initial state: data, files, ids, jobs, caches, the clock."""
        self._close_clients()
        self._control.ask("POST", "reset")

    def keep(self) -> None:
        """Make the current state the one to which `reset` returns."""
        self._control.ask("PUT", "start")

    def run_due_jobs(self) -> int:
        """Run the background jobs that are due and return their number."""
        return int(self._control.ask("POST", "jobs")["done"])

    def client(self, who: str | None = "administrator", **words: Any) -> Client:
        """Return a client, closed by the next reset.

        who: role or login of one of `accounts`, None for anonymous. words: further arguments of Client.
        """
        from vetrina.client import Client

        found = Client(self.url, self._credentials(who), **_add_client_defaults(words))
        self._clients.append(found)
        return found

    def async_client(self, who: str | None = "administrator", **words: Any) -> AsyncClient:
        """Return an asynchronous client; close it, or use it with `async with`. The arguments are those of `client`."""
        from vetrina.client import AsyncClient

        return AsyncClient(self.url, self._credentials(who), **_add_client_defaults(words))

    def stop(self) -> None:
        """Stop the site and remove all its data."""
        atexit.unregister(self.stop)
        self._close_clients()
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
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

    def __enter__(self) -> LocalTestServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<LocalTestServer {self.profile} at {self.url}>"


def _add_client_defaults(words: dict[str, Any]) -> dict[str, Any]:
    # There is no proxy between a program and its own machine.
    return {"environment": False, **words}


def _start_process(
    profile: str, dialects: Sequence[str], accounts: Sequence[ServerAccount], settings: Sequence[str], key: str
) -> tuple[subprocess.Popen[str], str]:
    """Start the process and return it with the URL of its API root. Raises ServerStartError."""
    command = [sys.executable, "-m", "vetrina.cli", "serve", "--ephemeral", "--profile", profile, "--port", "0"]
    command += [word for dialect in dialects for word in ("--dialect", dialect)]
    command += [word for line in settings for word in ("--set", line)]
    # Settings of another site, in the environment for the program under test, must not apply to this one.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VETRINA_")}
    with tempfile.TemporaryDirectory(prefix="vetrina-accounts-") as folder:
        users = Path(folder) / "users.json"
        users.write_text(json.dumps([account.to_members() for account in accounts]), encoding="utf-8")
        process = subprocess.Popen(
            [*command, "--users", str(users), "--control", "--parent", str(os.getpid())],
            stdout=subprocess.PIPE, text=True, encoding="utf-8", env={**environment, "VETRINA_CONTROL": key},
        )  # fmt: skip
        assert process.stdout is not None
        line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    if found is None:
        process.wait(_STOP_SECONDS)
        process.stdout.close()
        raise ServerStartError(f"`{' '.join(command)}` ended with status {process.returncode}; what it said is above")
    return process, found[0].rstrip("/")

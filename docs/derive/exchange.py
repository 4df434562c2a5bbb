"""The site that answers the recorded examples: a fresh stand-in in this process, its clock standing still.

Requests go through the site's ASGI application as a server would hand them over, so that what the pages show is what a
client gets, headers and all.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from vetrina.access.users import rules as users
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system import sample_content
from vetrina.system.bootstrap import InitialAccount

__all__ = ["ADDRESS", "PASSWORD", "Answer", "Example"]

ADDRESS: Final = "http://127.0.0.1:8000"
PASSWORD: Final = "open sesame"
_NOW: Final = 1_790_000_000  # 21 September 2026, 14:13:20 GMT
_ROLES: Final = {
    "first": {"admin": "administrator", "editor": "editor", "author": "author", "contributor": "contributor"},
    "second": {"admin": "administrator", "editor": "editor", "manager": "shop_manager", "customer": "customer"},
}


class _Still:
    """A clock that somebody else moves on."""

    def __init__(self) -> None:
        self.at = _NOW

    def now(self) -> int:
        return self.at


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Example:
    """One site for the examples of a page, and the values that they keep from one to the next."""

    def __init__(self, profile: str, own: str = "", *, planted: bool) -> None:
        """Open the site. own: the TOML of a profile that is not built in. planted: with the sample content."""
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        roles = _ROLES.get(profile, {"admin": "administrator"})
        accounts = [
            InitialAccount(login, role, f"{login}@example.org", PASSWORD, name=login.capitalize())
            for login, role in roles.items()
        ]
        self._clock = _Still()
        settings = Settings(secret="secret of the examples")
        if own:
            file = Path(self._folder.name) / "profile.toml"
            file.write_text(own, encoding="utf-8")
            profile = str(file)
        self.site: Site = create_stand_in_site(
            load_profile(profile), accounts, Path(self._folder.name), settings, self._clock
        )
        self.kept: dict[str, str] = {}
        self.logins = tuple(roles)
        logging.getLogger("vetrina").setLevel(logging.WARNING)
        if planted:
            with self.site.work(read=True) as work:
                admin = users.find_user_by_login(work.tx, "admin")
            assert admin is not None
            with self.site.work(admin) as work:
                sample_content.create_samples(work)

    def ask(self, method: str, target: str, body: bytes, headers: Mapping[str, str], login: str = "") -> Answer:
        """Send one request. login: one of the accounts, empty for nobody."""
        self._clock.at += 60
        named = {"host": ADDRESS.partition("://")[2], **{name.lower(): value for name, value in headers.items()}}
        if login:
            named["authorization"] = "Basic " + base64.b64encode(f"{login}:{PASSWORD}".encode()).decode()
        if body:
            named["content-length"] = str(len(body))
        path, _, query = target.partition("?")
        scope = {
            "type": "http", "method": method, "scheme": "http", "path": unquote(path),
            "query_string": quote(query, safe="=&%+,:[]_-.~/?@!$'()*;").encode(),
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()],
            "client": ("127.0.0.1", 50000), "server": ("127.0.0.1", 8000),
        }  # fmt: skip
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(self.site.app(scope, receive, send))
        pairs = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in sent[0]["headers"])
        return Answer(sent[0]["status"], pairs, b"".join(part["body"] for part in sent[1:]))

    def close(self) -> None:
        """Close the site and remove it."""
        self.site.close()
        self._folder.cleanup()

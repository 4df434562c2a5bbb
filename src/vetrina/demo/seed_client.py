"""The client that fills a demonstration site: in-process requests to its own routes, at a chosen time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.core.user import NOBODY, User
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Request, Response, UploadedFile
from vetrina.site import Site

DAY: Final = 86_400  # seconds


class SeedRequestRefused(RuntimeError):
    """The site refused a demonstration's request; a bug of the demonstration or of the site."""


class FakeClock:
    """The clock of a site that is being filled: it stays where it was set.

    last: the end of the period, in seconds since 1970.
    """

    def __init__(self, last: int) -> None:
        self.last = self._moment = last

    def now(self) -> int:
        """Return the current time."""
        return self._moment

    def move_to(self, moment: int) -> None:
        """Set the time, in seconds since 1970."""
        self._moment = moment

    def move_before_end(self, days: float) -> None:
        """Set the time to `days` before the end of the period; a negative number is after it."""
        self._moment = self.last - round(days * DAY)


class SeedClient:
    """Sends requests to a site; as the administrator by default.

    people: accounts by login, including the administrator.
    """

    def __init__(self, site: Site, clock: FakeClock, admin: str) -> None:
        self.site, self.clock = site, clock
        self.people: dict[str, User] = {}
        self.admin = admin
        self.add_account(admin)

    def add_account(self, login: str) -> User:
        """Load an account, which may send requests from here on, and return it."""
        with self.site.work(read=True) as work:
            found = users.find_user_by_login(work.tx, login, work.site.roles)
        if found is None:
            raise SeedRequestRefused(f"there is no account {login!r}")
        self.people[login] = found
        return found

    def time(self, moment: int) -> str:
        """Return a time as routes accept it, in GMT."""
        return format_iso(moment)

    def day(self, days: float) -> str:
        """Return the date `days` before the end of the period; a negative number is after it."""
        return format_iso(self.clock.last - round(days * DAY))[:10]

    def get(self, path: str, query: Mapping[str, Any] | None = None, **words: Any) -> Any:
        """Return the response to GET. Raises SeedRequestRefused."""
        return self.ask("GET", path, query=query, **words)

    def post(self, path: str, json: Mapping[str, Any] | None = None, **words: Any) -> Any:
        """Return the response to POST. Raises SeedRequestRefused."""
        return self.ask("POST", path, json=json, **words)

    def put(self, path: str, json: Mapping[str, Any] | None = None, **words: Any) -> Any:
        """Return the response to PUT. Raises SeedRequestRefused."""
        return self.ask("PUT", path, json=json, **words)

    def upload(self, path: Path, json: Mapping[str, Any], kind: str, by: str = "") -> Any:
        """Upload a file to the library and return its record. kind: its media type. Raises SeedRequestRefused."""
        file = UploadedFile(path.name, path, path.stat().st_size)
        headers = {"content-disposition": f'attachment; filename="{path.name}"', "content-type": kind}
        return self.ask("POST", "/cms/v2/media", query=json, upload=file, headers=headers, by=by)

    def ask(self, method: str, path: str, **words: Any) -> Any:
        """Return the body of a response; words: arguments of `answer`. Raises SeedRequestRefused."""
        return self.answer(method, path, **words).body

    def answer(
        self,
        method: str,
        path: str,
        *,
        json: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        items: list[Any] | None = None,
        headers: Mapping[str, str] | None = None,
        upload: UploadedFile | None = None,
        files: Mapping[str, UploadedFile] | None = None,
        by: str | None = "",
        language: str = "",
    ) -> Response:
        """Send a request and return the response.

        by: a login; empty for the administrator, None for anonymous. language: of the API root, the default if left
        out.
        Raises SeedRequestRefused for anything but success.
        """
        origin = self.site.context.origin
        language = language or self.site.context.profile.default_language
        request = Request(
            method, path, f"{origin}/{language}/cms-json", origin, language, dict(query or {}), json=dict(json or {}),
            items=items or [], headers=headers or {}, upload=upload,
            files=dict(files or {}), remote="127.0.0.1",
        )  # fmt: skip
        answer = self.site.dispatcher.answer(request, NOBODY if by is None else self.people[by or self.admin])
        if answer.failed or answer.status >= 400:
            raise SeedRequestRefused(f"{method} {path} {dict(json or {})!r:.300}: {answer.status} {answer.body}")
        return answer

"""Whoever writes a demonstration site: requests to its own routes, in process, at a moment that is chosen.

Not here: what is asked (the other modules of this package).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.access.users.model import NOBODY, User
from vetrina.kernel.times import iso
from vetrina.rest.call import Answer, Request, Upload
from vetrina.site import Site

__all__ = ["DAY", "Calendar", "Hand", "Refused"]

DAY: Final = 86_400  # seconds


class Refused(RuntimeError):
    """The site did not take what a demonstration is made of; a mistake of ours, or of the site."""


class Calendar:
    """The clock of a site that is being filled: it stands where it was put.

    last: the moment at which the filling ends, in seconds since 1970.
    """

    def __init__(self, last: int) -> None:
        self.last = self._moment = last

    def now(self) -> int:
        """Return the moment at which it stands."""
        return self._moment

    def go(self, moment: int) -> None:
        """Put it to a moment."""
        self._moment = moment

    def back(self, days: float) -> None:
        """Put it so many days before the end; a negative number lies after it."""
        self._moment = self.last - round(days * DAY)


class Hand:
    """Makes requests of a site; by the administrator where nobody else is named.

    people: accounts by their logins, the administrator among them.
    """

    def __init__(self, site: Site, calendar: Calendar, admin: str) -> None:
        self.site, self.calendar = site, calendar
        self.people: dict[str, User] = {}
        self.admin = admin
        self.meet(admin)

    def meet(self, login: str) -> User:
        """Return an account, which may make requests from here on."""
        with self.site.work(read=True) as work:
            found = users.by_login_or_email(work.tx, login, users.has_shop(work.frame))
        if found is None:
            raise Refused(f"there is no account {login!r}")
        self.people[login] = found
        return found

    def time(self, moment: int) -> str:
        """Return a moment as routes take it, in GMT."""
        return iso(moment)

    def day(self, days: float) -> str:
        """Return the day that lies so many days before the end; a negative number lies after it."""
        return iso(self.calendar.last - round(days * DAY))[:10]

    def get(self, path: str, query: Mapping[str, Any] | None = None, **words: Any) -> Any:
        """Return what a route answers. Raises Refused."""
        return self.ask("GET", path, query=query, **words)

    def post(self, path: str, json: Mapping[str, Any] | None = None, **words: Any) -> Any:
        """Return what a route answers to a write. Raises Refused."""
        return self.ask("POST", path, json=json, **words)

    def put(self, path: str, json: Mapping[str, Any] | None = None, **words: Any) -> Any:
        """Return what a route answers to a change. Raises Refused."""
        return self.ask("PUT", path, json=json, **words)

    def upload(self, path: Path, json: Mapping[str, Any], kind: str, by: str = "") -> Any:
        """Return the record of a file that is put into the library. kind: its media type. Raises Refused."""
        file = Upload(path.name, kind, path, path.stat().st_size)
        headers = {"content-disposition": f'attachment; filename="{path.name}"', "content-type": kind}
        return self.ask("POST", "/cms/v2/media", query=json, upload=file, headers=headers, by=by)

    def ask(self, method: str, path: str, **words: Any) -> Any:
        """Return the body that a route answers; words: of `answer`. Raises Refused."""
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
        upload: Upload | None = None,
        by: str | None = "",
        language: str = "",
    ) -> Answer:
        """Return what a route answers.

        by: a login; empty for the administrator, None for nobody. language: of the root, the default when left out.
        Raises Refused for anything but success.
        """
        origin = self.site.frame.origin
        language = language or self.site.frame.profile.default_language
        request = Request(
            method, path, f"{origin}/{language}/cms-json", origin, language, dict(query or {}), json=dict(json or {}),
            items=items or [], headers=headers or {}, upload=upload, remote="127.0.0.1",
        )  # fmt: skip
        answer = self.site.dispatcher.answer(request, NOBODY if by is None else self.people[by or self.admin])
        if answer.failed or answer.status >= 400:
            raise Refused(f"{method} {path} {dict(json or {})!r:.300}: {answer.status} {answer.body}")
        return answer

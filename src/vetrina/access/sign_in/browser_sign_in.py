"""Signing in on pages: passwords checked, sessions of browsers found, started and ended.

Requests of the interface: access/sign_in/request_sign_in.py. Rules: docs/rules/sessions.md, 2 and 3;
docs/rules/second_factors.md, 6.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from vetrina.access.second_factors import rules as second_factors
from vetrina.access.sessions import browser_sessions, cookies, rules as sessions
from vetrina.access.sessions.model import BrowserSession
from vetrina.access.sign_in import credentials, request_sign_in
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.backends.database import Database
from vetrina.backends.transaction_retries import run_with_retries
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.rest.call import Request


class BrowserSignIn:
    """How people sign in on the pages of a site.

    open_work: (request, caller, whether it only reads) → a unit of work.
    """

    def __init__(
        self,
        site: SiteContext,
        database: Database,
        open_work: Callable[[Request, User, bool], AbstractContextManager[UnitOfWork]],
    ) -> None:
        self._site, self._database, self._open_work = site, database, open_work

    def find_session(self, request: Request) -> BrowserSession | None:
        """Return the session that a request's cookie proves, None for none, or where its account lacks a factor."""
        found = self.find_setup_session(request)
        return None if found is None or self._lacks_required_factor(found.user) else found

    def find_setup_session(self, request: Request) -> BrowserSession | None:
        """Return the session that a request's cookie proves, None for none."""
        try:
            return run_with_retries(lambda: request_sign_in.find_request_session(self._site, self._database, request))
        except TooManyGuesses:
            # A page is shown without a session: the cookie is sent with every page, and may be a stale one.
            return None

    def check_password(self, request: Request, login: str, password: str) -> User:
        """Return the account of a login and its own password. Raises IncorrectPassword, TooManyFailedSignIns."""
        guesses = request_sign_in.get_request_guesses(self._site, request)
        return run_with_retries(
            lambda: credentials.authenticate_by_password(self._site, self._database, guesses, login, password)
        )

    def start_session(self, request: Request, user: User) -> str:
        """Start a browser's session for an account whose owner has been proved; return the header that does it."""

        def start() -> str:
            with self._open_work(request, user, False) as work:
                return browser_sessions.start_browser_session(work, user, request_sign_in.describe_client(request))

        return run_with_retries(start)

    def end_session(self, request: Request, session: BrowserSession) -> str:
        """End a session and return the header that removes its cookie from the browser."""

        def end() -> None:
            with self._open_work(request, session.user, False) as work:
                found = sessions.find_session(work.tx, session.id, work.now)
                if found is not None:
                    sessions.end_session(work, found)

        run_with_retries(end)
        return cookies.format_cookie(request.origin, cookies.SESSION_COOKIE, "", 0)

    def _lacks_required_factor(self, user: User) -> bool:
        if not second_factors.requires_second_factor(self._site, user):
            return False
        with self._database.begin_read() as tx:
            return second_factors.lacks_required_factor(tx, self._site, user)

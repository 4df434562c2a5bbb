"""The only place that joins things: settings and profile to a running site.

Not here: which rooms a site has (modules.py).
"""

from __future__ import annotations

import logging
import os
import platform
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from vetrina import __version__, modules
from vetrina.access.sessions import rules as sessions
from vetrina.access.sessions.rules import Session
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in import rules as signin
from vetrina.access.sign_in.guess_limiter import Guesses, Secret, TooManyFailures, TooManyGuesses
from vetrina.access.users.model import NOBODY, User
from vetrina.backends import database_schema
from vetrina.backends.database import Database, DatabaseBusy, open_database
from vetrina.backends.file_store import ADDRESS, Files, open_files
from vetrina.backends.http_client import Outbound
from vetrina.backends.job_consumer import Consumer
from vetrina.backends.packaged_files import WithPackaged
from vetrina.backends.response_cache import AnswerCache
from vetrina.backends.site_folder import CannotOpen, database_of, settings_of
from vetrina.backends.site_snapshot import StartingState
from vetrina.backends.sqlite import SqliteDatabase
from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.themes import rules as themes
from vetrina.http.api_roots import Doors
from vetrina.http.app import Edge
from vetrina.http.cached_responses import Kept
from vetrina.http.file_responses import FileServer, Source
from vetrina.http.limits import Limits
from vetrina.http.metrics import Gauge
from vetrina.http.multipart import sweep
from vetrina.http.observability import upkeep
from vetrina.http.openapi_pages import REFUSALS, Papers
from vetrina.http.ops_endpoints import METRICS
from vetrina.http.test_control import Application, Control
from vetrina.internal_requests import shower
from vetrina.kernel.fake_clock import StandInClock
from vetrina.kernel.keys import random_key, same
from vetrina.kernel.times import Clock
from vetrina.pages.page_context import Desk, Root
from vetrina.pages.page_table import Pages
from vetrina.rest.call import Request
from vetrina.rest.dialects.dialect import compiled
from vetrina.rest.dispatcher import Dispatcher
from vetrina.rest.openapi import Described
from vetrina.settings import Profile, Settings, SettingsError
from vetrina.shop.products import placeholder
from vetrina.system import job_runner
from vetrina.system.bootstrap import Account, found
from vetrina.system.context_factory import frame_of
from vetrina.system.health.site_stats import vitals

__all__ = ["CannotOpen", "Site", "application", "database_of", "open_site", "stand_in"]

_LOG = logging.getLogger("vetrina.site")
_PREFIX, _RELATION = "cms-json", "https://api.cms.example/"

# What a request may be refused with whatever its route is.
_EVERYWHERE = (
    *REFUSALS, signin.UnknownLogin, signin.IncorrectPassword, signin.InvalidNonce, TooManyFailures, TooManyGuesses,
    DatabaseBusy,
)  # fmt: skip

SignIn = Callable[[Frame, Database, Request], User | None]


class Site:
    """A site that answers: its frame, database, routes and ASGI application."""

    def __init__(
        self,
        profile: Profile,
        settings: Settings,
        folder: Path,
        *,
        clock: Clock | None = None,
        durable: bool = True,
        outbound: Outbound | None = None,
        run: Path | None = None,
    ) -> None:
        self.folder = folder
        self.database: Database = open_database(database_of(folder, settings), durable)
        self.files: Files = open_files(settings.media, folder / "media", durable, settings.media_url)
        self.frame = frame_of(profile, settings, clock, outbound, self.files, folder)
        incoming = folder / "incoming"
        sweep(incoming)
        self._consumer: Consumer | None = None
        self._jobs: threading.Thread | None = None
        self._stop_jobs = threading.Event()
        self._settling = job_runner.background(profile.modules).settling
        self._signs_in = _ways_in(self.frame, self.database)
        self.table, self.index = modules.joined(self.frame)
        self.dialects = compiled(profile.dialects, self.index)
        limits = profile.limits
        self._keeper = AnswerCache[Kept](self.database, settings.cache_bytes) if settings.cache_bytes else None
        self.dispatcher = Dispatcher(self.table, self.index, self.open_work, self.database.settled, limits)
        self.frame.showing.show = shower(self.dispatcher, self.dialects)
        self.app = Edge(
            self.dispatcher,
            Doors(profile.languages, profile.default_language, self.dialects),
            self.sign_in,
            Limits.of(profile.limits),
            url=settings.url,
            threads=settings.threads,
            trust_proxy=settings.trust_proxy,
            notice=profile.notice_prefix,
            keeper=self._keeper,
            cache_control=profile.cache_control,
            close=self.close,
            files=FileServer(self._file_source(), ADDRESS, profile.files_cache_control, drawn=self._drawn),
            incoming=incoming,
            shown=self._papers(self._pages()),
            gathering=self.database.gathering,
            upkeep=upkeep(settings, run, self._parts(), self._gauges, self._build(), self._proves),
            counted_as=_counted_as,
        )

    def _file_source(self) -> Source:
        """Return the files that readers may ask for."""
        return WithPackaged(self.files, placeholder.FILES) if "shop" in self.frame.profile.modules else self.files

    def sign_in(self, request: Request) -> User:
        """Return who sent a request. Raises ApiError when its credentials fail."""
        return self.database.settled(lambda: self._signs_in(request))

    def session(self, request: Request) -> Session | None:
        """Return the session that a request's cookie proves, None for none."""
        try:
            return self.database.settled(lambda: sessions.of_request(self.frame, self.database, request))
        except TooManyGuesses:
            # A page is shown as to a stranger: a cookie is sent with every page, and may be a stale one.
            return None

    def enter(self, request: Request, login: str, password: str) -> str:
        """Return the header that begins a session. Raises IncorrectPassword, TooManyFailures."""
        frame, database = self.frame, self.database
        user, stored = database.settled(lambda: signin.by_password(frame, database, request, login, password))
        return sessions.begun(frame, request, user, stored)

    def leave(self, request: Request, session: Session) -> str:
        """End a session and return the header that takes it from the browser."""
        return self.database.settled(lambda: sessions.ended(self.frame, self.database, request, session))

    def _papers(self, then: Pages) -> Papers:
        """Return what says what the interface is, in front of the pages."""
        profile = self.frame.profile
        languages = (profile.default_language, *(one for one in profile.languages if one != profile.default_language))
        said = {}
        for dialect in self.dialects:
            prefix = dialect.prefix if dialect else _PREFIX
            roots = {f"/{one}/{prefix}": one for one in languages}
            said[dialect.name if dialect else "neutral"] = Described(profile.title, __version__, roots, _EVERYWHERE)
        return Papers(self.index, said, {one.name: one for one in self.dialects if one is not None}, then)

    def _drawn(self, name: str) -> tuple[str, bytes] | None:
        """Return what is sent where a file is asked for that is not there; loaded with the first of them."""
        if "shop" not in self.frame.profile.modules:
            return None
        from vetrina.shop.admin import logos

        return logos.drawn(name)

    def _pages(self) -> Pages:
        """Return what answers the addresses that are not the interface's."""
        roots = [
            Root(one.prefix, one.names.pairs.link_relations[_RELATION], one.spoken) if one else Root(_PREFIX, _RELATION)
            for one in self.dialects
        ]
        desk = Desk(
            self.frame, self.open_work, self.session, self.enter, self.leave,
            roots=tuple(roots), embeds="oembed/1.0" in self.index.namespaces,
        )  # fmt: skip
        admins = (one.names.pairs.url_prefix["admin"] for one in self.dialects if one is not None)
        return Pages(desk, ("admin", *admins))

    @contextmanager
    def open_work(self, request: Request, caller: User, read: bool) -> Iterator[Work]:
        """Open a unit of work for a request: a snapshot, or the write transaction."""
        guesses, kept = guess_limiter.guesses_of(self.frame, request), False
        try:
            with self.database.reading() if read else self.database.writing() as tx:
                if request.inline is not None:
                    tx.watch_time(request.inline.look)
                work = Work(
                    self.frame, tx, caller, root=request.root, origin=request.origin, language=request.language,
                    guesses=guesses, budget=self.frame.budget(request), ahead=request.ahead,
                )  # fmt: skip
                yield work
                if work.noted:
                    for settle in self._settling:
                        settle(work)
            kept = not read
        finally:
            # Only now, for there is one writer at a time; whether or not the transaction was kept.
            self._count(guesses, kept)
        work.finish()

    def _count(self, guesses: Guesses, kept: bool) -> None:
        """Count the wrong guesses of a request; kept: what it wrote stands. Raises DatabaseBusy."""
        try:
            guesses.store(self.database)
        except DatabaseBusy:
            if not kept:
                raise
            _LOG.exception("wrong guesses could not be counted")

    @contextmanager
    def work(self, user: User = NOBODY, read: bool = False) -> Iterator[Work]:
        """Open a unit of work outside a request (command line, jobs, tests)."""
        origin = self.frame.origin
        with self.open_work(Request("GET", "/", f"{origin}/cms-json", origin), user, read) as work:
            yield work

    def _parts(self) -> dict[str, Callable[[], object]]:
        """Return what must answer where the site is to be ready."""
        return {
            "database": lambda: database_schema.revision(self.database),
            "migrations": self._require_current,
            "files": self.files.reach,
        }

    def _require_current(self) -> None:
        found = database_schema.revision(self.database)
        if found != database_schema.HEAD:
            raise CannotOpen(f"the database stands at {found}, this version needs {database_schema.HEAD}")

    def _gauges(self) -> Iterator[Gauge]:
        """Give the figures of the site for its metrics."""
        with self.work(read=True) as work:
            now = vitals(work)
        for state, count in now.jobs.items():
            yield Gauge("jobs", "Background jobs by state.", count, {"state": state})
        yield Gauge("jobs_late_seconds", "Seconds by which the oldest job that waits is late.", now.late)
        yield Gauge("search_lag_changes", "Changes that the search index has not read yet.", now.search_lag)
        yield Gauge("database_bytes", "Bytes of the database.", now.database)
        yield Gauge("uploads_bytes", "Bytes of uploaded files, without the sizes made of them.", now.uploads)
        for state, count in self.database.facts().items():
            yield Gauge("database_connections", "Connections of the answering process.", count, {"state": state})

    def _proves(self, remote: str, given: str, token: str) -> bool:
        """Say whether a text is the token of the metrics. Raises TooManyGuesses."""
        request = Request("GET", METRICS, origin=self.frame.origin, remote=remote)
        try:
            with self.open_work(request, NOBODY, True) as work:
                return guess_limiter.opens(work, Secret.METRICS, None, given, token)
        except TooManyGuesses:
            raise
        except Exception:
            # Who runs the server reads its metrics all the more while the database is away.
            _LOG.exception("guesses at the token of the metrics are not counted")
            return same(given, token)

    def _build(self) -> dict[str, str]:
        profile, python = self.frame.profile.name, platform.python_version()
        return {"version": __version__, "profile": profile, "database": self.database.kind, "python": python}

    def start_jobs(self) -> None:
        """Carry out jobs in a thread of this process until they are stopped."""
        self._consumer = job_runner.consumer(self.frame, self.database)
        self._stop_jobs.clear()
        self._jobs = threading.Thread(target=self._consumer.run, args=(self._stop_jobs,), name="jobs", daemon=True)
        self._jobs.start()

    def stop_jobs(self) -> None:
        """Finish the job at hand and carry out no further one."""
        self._stop_jobs.set()
        if self._jobs is not None:
            self._jobs.join()
            self._jobs = None

    def work_off(self) -> int:
        """Carry out the jobs that are due, beside the thread that does, and return their number."""
        return self._consumer.work_off() if self._consumer is not None else 0

    def forget(self) -> None:
        """Forget what this process knows of what is stored: something else is stored now."""
        if self._keeper is not None:
            self._keeper.forget()
        self.frame.matches.forget()
        signin.forget(self.database)
        themes.read.cache_clear()

    def close(self) -> None:
        """Finish the job at hand and close what the site holds open."""
        self.stop_jobs()
        self.database.close()


class _Resettable:
    """A throw-away site that its control puts back to its start (http/test_control.py), which is what is stored now."""

    def __init__(self, site: Site) -> None:
        assert isinstance(site.database, SqliteDatabase), "a throw-away site has a file of its own"
        self._site, self._database, self._start = site, site.database, StartingState(site.folder)
        self.stir, self.still, self.work_off = site.start_jobs, site.stop_jobs, site.work_off
        self.keep()

    def keep(self) -> None:
        self._database.let_go()
        self._start.keep()
        self._site.forget()

    def put_back(self) -> None:
        self._database.let_go()
        self._start.put_back()
        self._site.forget()


def stand_in(
    profile: Profile,
    accounts: Iterable[Account],
    folder: Path,
    settings: Settings | None = None,
    clock: Clock | None = None,
) -> Site:
    """Return a throw-away site in a folder, empty but for its accounts."""
    settings = settings or Settings()
    if not settings.secret:
        settings = msgspec.structs.replace(settings, secret=random_key())
    site = Site(profile, settings, folder, clock=clock, durable=False)
    database_schema.create(site.database)
    with site.work() as work:
        found(work, accounts)
    return site


def open_site(
    folder: Path, sets: Iterable[str] = (), *, durable: bool = True, clock: Clock | None = None, run: Path | None = None
) -> Site:
    """Return the site of a folder.

    sets: `KEY=VALUE` texts for settings and profile. durable: off for throw-away sites. clock: None for the machine's.
    run: the folder that the workers of a server share while it runs. Raises CannotOpen, SettingsError.
    """
    settings, profile = settings_of(folder, sets)
    try:
        return Site(profile, settings, folder, clock=clock, durable=durable, run=run)
    except SettingsError:
        raise
    except ValueError as error:
        raise CannotOpen(f"the site in {folder}: {error}") from error


def application() -> Application:
    """Return the application of the site that the environment names, for servers that load it by this name.

    VETRINA_SITE: the site's folder. VETRINA_SET: lines of `KEY=VALUE`. VETRINA_EPHEMERAL: not empty for a throw-away
    site, whose writes need not survive a power cut and whose jobs are carried out here; for any other site run
    `vetrina work` beside the server, as `vetrina serve` does. VETRINA_CONTROL: the key of a throw-away site's control,
    empty for one that has none. VETRINA_RUN: the folder that the workers share while the server runs.
    """
    folder, sets = Path(os.environ.get("VETRINA_SITE", "site")), os.environ.get("VETRINA_SET", "").splitlines()
    run = Path(os.environ["VETRINA_RUN"]) if os.environ.get("VETRINA_RUN") else None
    if not os.environ.get("VETRINA_EPHEMERAL"):
        return open_site(folder, sets, run=run).app
    key, clock = os.environ.get("VETRINA_CONTROL"), StandInClock()
    site = open_site(folder, sets, durable=False, clock=clock, run=run)
    application: Application = Control(site.app, _Resettable(site), clock, key) if key else site.app
    site.start_jobs()
    return application


def _counted_as(request: Request, caller: User) -> str:
    """Return the name under which the requests of a caller are limited: the key's, or the account's."""
    return request.key or caller.app_password or str(caller.id)


def _ways_in(frame: Frame, database: Database) -> Callable[[Request], User]:
    """Return what tells who sent a request, by the ways that the site's modules add too; others are not loaded."""
    before: list[SignIn] = []
    after: list[SignIn] = []
    if "shop" in frame.profile.modules:
        from vetrina.shop.keys import rules as keys

        before.append(keys.sign_in)
    if "connector" in frame.profile.modules:
        from vetrina.connector.connection import signatures as connection_signatures

        after.append(connection_signatures.sign_in)

    def signed_in(request: Request) -> User:
        for way in before:
            if (user := way(frame, database, request)) is not None:
                return user
        found = signin.sign_in(frame, database, request)
        for way in after:
            found = found or way(frame, database, request) or found
        return found

    return signed_in

"""The only place that joins things: settings and profile to a running site.

A newcomer reads here which rooms a site has; a route exists only because its room is in one of these tuples.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec

from vetrina.backends import schema
from vetrina.backends.cache import AnswerCache
from vetrina.backends.database import Database, open_database
from vetrina.declare.arguments import language as language_argument
from vetrina.declare.call import Request
from vetrina.declare.dispatch import Dispatcher
from vetrina.declare.index import Index
from vetrina.declare.route import Route
from vetrina.declare.table import Table
from vetrina.domain.access import signin
from vetrina.domain.access.user import NOBODY, User
from vetrina.domain.founding import Account, found
from vetrina.domain.work import Frame, Work
from vetrina.edge.asgi import Edge, Limits
from vetrina.edge.doors import Doors
from vetrina.edge.kept import Kept
from vetrina.kernel.ids import random_key
from vetrina.kernel.times import Clock
from vetrina.namespaces import batch, root
from vetrina.namespaces.cms import app_passwords, kinds, records, terms, users
from vetrina.settings import Profile, Settings, load_profile, parse_sets, read_settings

__all__ = ["NAMESPACES", "CannotOpen", "Site", "application", "database_of", "open_site", "stand_in"]

Room = Callable[[Frame], tuple[Route, ...]]

# Module of a profile → namespace → the rooms whose routes it has, in the order of the index.
NAMESPACES: dict[str, dict[str, tuple[Room, ...]]] = {
    "content": {
        "cms/v2": (records.routes, kinds.routes, terms.routes, users.routes, app_passwords.routes),
    },
}


class Site:
    """A site that answers: its frame, database, routes and ASGI application."""

    def __init__(
        self, profile: Profile, settings: Settings, folder: Path, *, clock: Clock | None = None, durable: bool = True
    ) -> None:
        self.folder = folder
        self.database: Database = open_database(database_of(folder, settings), durable)
        self.frame = Frame.of(profile, settings, clock)
        spaces = _namespaces(profile)
        site_routes: list[Route] = [*root.routes(self.frame), *batch.routes(self.frame)]
        for name, rooms in spaces.items():
            own = [route for room in rooms for route in room(self.frame)]
            spoken = [_speaking(route, profile, name) for route in (root.namespace_root(name), *own)]
            site_routes += spoken
        self.table = Table(site_routes)
        self.index = Index(self.table, tuple(spaces))
        self.dispatcher = Dispatcher(self.table, self.index, self.open_work)
        self.app = Edge(
            self.dispatcher,
            Doors(profile.languages, profile.default_language),
            self.sign_in,
            Limits(profile.limits.body_bytes, profile.limits.body_depth, profile.limits.target_bytes),
            url=settings.url,
            threads=settings.threads,
            trust_proxy=settings.trust_proxy,
            notice=profile.notice_prefix,
            keeper=AnswerCache[Kept](self.database, settings.cache_bytes) if settings.cache_bytes else None,
            cache_control=profile.cache_control,
            close=self.close,
        )

    def sign_in(self, request: Request) -> User:
        """Return who sent a request. Raises ApiError when its credentials fail."""
        return signin.sign_in(self.frame, self.database, request)

    @contextmanager
    def open_work(self, request: Request, caller: User, read: bool) -> Iterator[Work]:
        """Open a unit of work for a request: a snapshot, or the write transaction."""
        with self.database.reading() if read else self.database.writing() as tx:
            yield Work(self.frame, tx, caller, root=request.root, origin=request.origin, language=request.language)

    @contextmanager
    def work(self, user: User = NOBODY, read: bool = False) -> Iterator[Work]:
        """Open a unit of work outside a request (command line, jobs, tests)."""
        origin = self.frame.origin
        with self.open_work(Request("GET", "/", f"{origin}/cms-json", origin), user, read) as work:
            yield work

    def close(self) -> None:
        """Close what the site holds open."""
        self.database.close()


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
    schema.create(site.database)
    with site.work() as work:
        found(work, accounts)
    return site


def database_of(folder: Path, settings: Settings) -> str:
    """Return the URL of the database of a site's folder."""
    return settings.database or f"sqlite:///{folder / 'site.sqlite'}"


class CannotOpen(Exception):
    """A folder holds no site that could be opened; the message says what to do."""


def open_site(folder: Path, sets: Iterable[str] = (), *, durable: bool = True) -> Site:
    """Return the site of a folder.

    sets: `KEY=VALUE` texts for settings and profile. durable: off for throw-away sites.
    Raises CannotOpen, SettingsError.
    """
    if not (folder / "vetrina.toml").is_file():
        raise CannotOpen(f"there is no site in {folder}; make one with: vetrina init {folder}")
    for_settings, for_profile = parse_sets(sets)
    settings = read_settings(folder, for_settings)
    profile = load_profile(settings.profile, for_profile)
    try:
        site = Site(profile, settings, folder, durable=durable)
    except ValueError as error:
        raise CannotOpen(f"{folder / 'vetrina.toml'}: {error}") from error
    try:
        _require_current(site)
    except BaseException:
        site.close()
        raise
    return site


def application() -> Edge:
    """Return the application of the site that the environment names, for servers that load it by this name.

    VETRINA_SITE: the site's folder. VETRINA_SET: lines of `KEY=VALUE`. VETRINA_EPHEMERAL: not empty for a throw-away
    site, whose writes need not survive a power cut.
    """
    durable = not os.environ.get("VETRINA_EPHEMERAL")
    folder, sets = Path(os.environ.get("VETRINA_SITE", "site")), os.environ.get("VETRINA_SET", "")
    return open_site(folder, sets.splitlines(), durable=durable).app


def _require_current(site: Site) -> None:
    """Raise CannotOpen unless the database is there and stands at the newest migration."""
    path = site.database.path
    if path is not None and not path.is_file():
        raise CannotOpen(f"the database {path} of this site is missing; put it back from a backup")
    try:
        found = schema.revision(site.database)
    except sqlite3.DatabaseError as error:
        raise CannotOpen(f"the database {path} cannot be read: {error}") from None
    if found is None:
        raise CannotOpen(f"the database {path} holds no site; put it back from a backup")
    if found < schema.HEAD:
        command = f"vetrina migrate --site {site.folder}"
        raise CannotOpen(f"the database stands at {found}, this version needs {schema.HEAD}; run: {command}")
    if found > schema.HEAD:
        raise CannotOpen(f"the database stands at {found}, a newer version than this one ({schema.HEAD}) wrote it")


def _namespaces(profile: Profile) -> Mapping[str, tuple[Room, ...]]:
    return {name: rooms for module in profile.modules for name, rooms in NAMESPACES.get(module, {}).items()}


def _speaking(route: Route, profile: Profile, namespace: str) -> Route:
    """Return a route of a namespace with the argument that selects by language."""
    args = {**route.args, "mlang_language": language_argument(profile.languages)}
    return replace(route, args=args, namespace=namespace)

"""The only place that joins things: settings and profile become a running site.

Which routes a site has: modules.py. Opening the site of a folder: site_factory.py.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from vetrina import __version__, modules
from vetrina.access.sessions import cookies as session_cookies
from vetrina.access.sign_in import credentials as signin, request_sign_in
from vetrina.access.sign_in.browser_sign_in import BrowserSignIn
from vetrina.access.sign_in.guess_limiter import GuessCounter, TooManyFailedSignIns, TooManyGuesses
from vetrina.access.tokens import token_sign_in
from vetrina.access.tokens.model import AccessTokenExpired, InvalidAccessToken, TokenSessionEnded
from vetrina.access.tokens.permissions import InsufficientScope, require_scope
from vetrina.backends.change_log import ChangeLogPosition
from vetrina.backends.database import Database, Transaction
from vetrina.backends.file_store import FILE_URL_PREFIX, FileStore, FolderFileStore, open_file_store
from vetrina.backends.http_client import OutboundClient
from vetrina.backends.job_consumer import JobConsumer
from vetrina.backends.packaged_files import PackagedFileStore
from vetrina.backends.response_cache import ChangeAwareCache
from vetrina.backends.site_folder import open_site_database
from vetrina.backends.transaction_retries import DatabaseBusy, run_with_retries
from vetrina.content.redirects import store as redirects
from vetrina.core.change_source import COMMAND_SOURCE, IMPORT_SOURCE
from vetrina.core.hit_counter import Hits
from vetrina.core.site_context import SerializedRecord, SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY, User
from vetrina.design.themes import model as themes
from vetrina.design.themes.public_files import ThemeFileSource
from vetrina.http.api_roots import ApiRoots
from vetrina.http.app import SiteApplication
from vetrina.http.built_files import BuiltFileServer
from vetrina.http.cached_responses import CachedResponse
from vetrina.http.downloads import DownloadServer
from vetrina.http.event_streams import EventStreamLimits, EventStreams
from vetrina.http.file_responses import FileServer, FileSource
from vetrina.http.limits import RequestLimits
from vetrina.http.openapi_pages import COMMON_REFUSALS, OpenApiPages
from vetrina.http.upload_spool import remove_abandoned_files
from vetrina.internal_requests import build_record_serializer
from vetrina.kernel.errors import ApiError
from vetrina.kernel.site_paths import get_base_path
from vetrina.kernel.times import Clock
from vetrina.media.images.renditions import RenditionStore
from vetrina.pages.admin_build import ADMIN_FILES_PATH, ADMIN_FOLDER, AdminBuild
from vetrina.pages.page_context import ApiRootLink, PageContext
from vetrina.pages.page_table import SitePages
from vetrina.pages.record_unlocking import OPENED_COOKIE
from vetrina.profile_outlines import OutlinedProfiles
from vetrina.rest.call import Request
from vetrina.rest.dialects.dialect import Dialect, compile_admin_dialect, compile_dialects
from vetrina.rest.dialects.prefixes import NEUTRAL_PREFIX
from vetrina.rest.dispatcher import Dispatcher
from vetrina.rest.openapi import SiteDescription
from vetrina.settings import Profile, Settings
from vetrina.site_observability import build_site_observability
from vetrina.site_replicas import SiteReplicas
from vetrina.system import job_runner
from vetrina.system.backups.folder import get_backup_folder
from vetrina.system.context_factory import build_site_context

_LOG = logging.getLogger("vetrina.site")
_NEUTRAL_RELATION = "https://api.cms.example/"

# Errors that any route may return.
COMMON_ERRORS = (
    *COMMON_REFUSALS,
    signin.UnknownLogin,
    signin.IncorrectPassword,
    signin.InvalidSessionNonce,
    InvalidAccessToken,
    AccessTokenExpired,
    TokenSessionEnded,
    InsufficientScope,
    TooManyFailedSignIns,
    TooManyGuesses,
    DatabaseBusy,
)


class Site:
    """A running site: its context, database, routes and ASGI application.

    profile_sets: keys of the profile that were set on the command line, which a changed profile keeps.
    """

    def __init__(
        self,
        profile: Profile,
        settings: Settings,
        folder: Path,
        profile_sets: Mapping[str, Any] | None = None,
        *,
        clock: Clock | None = None,
        durable: bool = True,
        outbound: OutboundClient | None = None,
        run: Path | None = None,
        admin_folder: Path = ADMIN_FOLDER,
    ) -> None:
        self.folder, self._admin_build = folder, AdminBuild(admin_folder)
        self.database: Database = open_site_database(folder, settings, durable)
        self.database.leases_answers = settings.cache_leases
        self.files: FileStore = open_file_store(settings.media, folder / "media", durable, settings.media_url)
        self.context = build_site_context(
            profile,
            settings,
            modules.load_modules(profile.modules),
            clock,
            outbound,
            self.files,
            folder,
            self._serialize_record,
            OutlinedProfiles(settings.profile, profile_sets or {}),
            lambda context, request, caller: self.dispatcher.answer(request, caller),
        )
        self.context.hits.connect(self._write_hits)
        self.context.change_log.follow(self.database)
        upload_folder = folder / "incoming"
        remove_abandoned_files(upload_folder)
        self._consumer: JobConsumer | None = None
        self._jobs: threading.Thread | None = None
        self._stop_jobs = threading.Event()
        tasks = job_runner.collect_background_tasks(self.context.modules)
        self._before_commit, self._last_before_commit = tasks.before_commit, tasks.last_before_commit
        self._expect_hook_reads = tasks.expect_hook_reads
        self._authenticate = _build_sign_in(self.context, self.database)
        self.table, self.index = modules.build_route_table(self.context)
        self.dialects = compile_dialects(profile.dialects, self.index, get_base_path(settings.url))
        limits = profile.limits
        log, most_bytes = self.context.change_log, settings.cache_bytes
        self._response_cache = ChangeAwareCache[CachedResponse](log, most_bytes) if most_bytes else None
        self.replicas = SiteReplicas(self.database, settings, self._get_newest_change)
        self.dispatcher = Dispatcher(self.table, self.index, self.open_work, run_with_retries, limits, require_scope)
        self._record_serializer = build_record_serializer(self.dispatcher, self.dialects)
        self._change_position = ChangeLogPosition(self.database)
        observability = build_site_observability(self, run)
        self.browser_sign_in = BrowserSignIn(self.context, self.database, self.open_work)
        self.app = SiteApplication(
            self.dispatcher,
            ApiRoots(profile.languages, profile.default_language, self.dialects, self._compile_admin_dialect),
            self.sign_in,
            RequestLimits.from_profile(profile.limits),
            url=settings.url,
            threads=settings.threads,
            trust_proxy=settings.trust_proxy,
            notice=profile.notice_prefix,
            response_cache=self._response_cache,
            cache_control=profile.cache_control,
            deciding_cookies=self._list_deciding_cookies(),
            cache_tags=profile.cache_tags,
            allowed_origins=profile.allowed_origins,
            close=self.close,
            files=FileServer(
                self._build_file_source(),
                FILE_URL_PREFIX,
                profile.files_cache_control,
                generate_missing=self._generate_missing_file,
                renditions=RenditionStore(self.context, folder, lambda: self.work(read=True)),
            ),
            built_files=BuiltFileServer(admin_folder, ADMIN_FILES_PATH),
            downloads=DownloadServer(FolderFileStore(get_backup_folder(folder))),
            upload_folder=upload_folder,
            page_handler=self._build_openapi_pages(self._build_pages()),
            open_group_commit=self.database.open_group_commit,
            observability=observability,
            get_rate_limit_key=_get_rate_limit_key,
            read_positions=self.replicas.read_positions,
            event_streams=EventStreams(
                EventStreamLimits(
                    settings.event_streams, settings.event_streams_per_caller, settings.event_stream_seconds
                ),
                lambda: self._change_position.read(),
                observability.shutdown_flag.__bool__,
            ),
        )

    def _compile_admin_dialect(self) -> Dialect:
        return compile_admin_dialect(self.dialects, self.index, get_base_path(self.context.settings.url))

    def _build_file_source(self) -> FileSource:
        """Return the files that readers may ask for."""
        packaged = {
            name: path for module in self.context.modules for name, path in module.load_packaged_files().items()
        }
        return ThemeFileSource(PackagedFileStore(self.files, packaged) if packaged else self.files, self.context)

    def _list_deciding_cookies(self) -> tuple[str, ...]:
        """Return the names, or their beginnings, of the cookies that decide what a visitor may read."""
        gate = self.context.gate
        return (session_cookies.SESSION_COOKIE, OPENED_COOKIE, *((gate.cookie,) if gate is not None else ()))

    def _write_hits(self, batch: Mapping[int, Hits]) -> None:
        with self.work() as work:
            redirects.add_hits(work, batch)

    def _serialize_record(self, work: UnitOfWork, path: str) -> SerializedRecord | None:
        return self._record_serializer(work, path)

    def sign_in(self, request: Request) -> User:
        """Return the caller of a request. Raises ApiError when the credentials are invalid."""
        return run_with_retries(lambda: self._authenticate(request))

    def _build_openapi_pages(self, then: SitePages) -> OpenApiPages:
        """Return the OpenAPI documents and the explorer, in front of the pages."""
        profile = self.context.profile
        languages = (profile.default_language, *(one for one in profile.languages if one != profile.default_language))
        said, base = {}, get_base_path(self.context.settings.url)
        for dialect in self.dialects:
            prefix = dialect.prefix if dialect else NEUTRAL_PREFIX
            roots = {f"{base}/{one}/{prefix}": one for one in languages}
            said[dialect.name if dialect else "neutral"] = SiteDescription(
                profile.title, __version__, roots, COMMON_ERRORS
            )
        return OpenApiPages(self.index, said, {one.name: one for one in self.dialects if one is not None}, then, base)

    def _generate_missing_file(self, name: str) -> tuple[str, bytes] | None:
        """Return the content for a missing file, None for none."""
        made = (module.generate_file(name) for module in self.context.modules)
        return next((file for file in made if file is not None), None)

    def _build_pages(self) -> SitePages:
        """Return the pages, for all URLs that are not the interface's."""
        roots = [
            ApiRootLink(one.prefix, one.names.pairs.link_relations[_NEUTRAL_RELATION], one.to_dialect_path)
            if one
            else ApiRootLink(NEUTRAL_PREFIX, _NEUTRAL_RELATION)
            for one in self.dialects
        ]
        browsers = self.browser_sign_in
        context = PageContext(
            self.context, self.open_work, browsers.find_session, browsers.find_setup_session, browsers.check_password,
            browsers.start_session, browsers.end_session,
            roots=tuple(roots), embeds="oembed/1.0" in self.index.namespaces, admin_build=self._admin_build,
            call_route=self.dispatcher.answer, call_route_within=self.dispatcher.answer_within,
        )  # fmt: skip
        admins = (one.names.pairs.url_prefix["admin"] for one in self.dialects if one is not None)
        return SitePages(context, ("admin", *admins))

    @contextmanager
    def open_work(self, request: Request, caller: User, read: bool, quiet: bool = False) -> Iterator[UnitOfWork]:
        """Open a unit of work for a request: a snapshot, or the write transaction. quiet: others aren't told of it."""
        guesses, kept = request_sign_in.get_request_guesses(self.context, request), False
        try:
            with self._begin_transaction(request, caller, read) as tx:
                if request.inline is not None:
                    tx.watch_time(request.inline.check_time)
                # Only there, and where the request can be run again if the snapshot shows something else.
                tx.may_assume = read and request.inline is not None and request.runs_again and not tx.is_replica
                work = UnitOfWork(
                    self.context, tx, caller, root=request.root, origin=request.origin, language=request.language,
                    guesses=guesses, budget=self.context.budget(request), precomputed=request.precomputed,
                    source=COMMAND_SOURCE if read else request_sign_in.describe_source(request, caller),
                )  # fmt: skip
                work.expect_hook_reads = self._expect_hook_reads
                work.expect_options(read and request.runs_again)
                try:
                    yield work
                except ApiError:
                    # It may have come from options that are no longer true.
                    work.confirm_options()
                    raise
                work.confirm_options()
                if work.changes:
                    for hook in (*self._before_commit, *(() if quiet else self._last_before_commit)):
                        hook(work)
            kept = not read
            if tx.position and request.consistency is not None:
                request.consistency.written = tx.position
        finally:
            # Only now, since there is one writer at a time; whether or not the transaction was committed.
            self._count_guesses(guesses, kept)
        if work.has_steps:
            self.database.end_shared_write()
        work.finish()

    def _begin_transaction(self, request: Request, caller: User, read: bool) -> AbstractContextManager[Transaction]:
        if read:
            return self.replicas.begin_read(request, caller)
        return self.database.begin_write() if request.inline is None else self.database.begin_shared_write()

    def _get_newest_change(self) -> int | None:
        return self._response_cache.newest if self._response_cache is not None else None

    def _count_guesses(self, guesses: GuessCounter, kept: bool) -> None:
        """Count the failed attempts of a request; kept: its writes are committed. Raises DatabaseBusy."""
        try:
            guesses.store(self.database)
        except DatabaseBusy:
            if not kept:
                raise
            _LOG.exception("wrong guesses could not be counted")

    @contextmanager
    def work(self, user: User = NOBODY, read: bool = False, quiet: bool = False) -> Iterator[UnitOfWork]:
        """Open a unit of work outside a request (command line, jobs, tests). quiet: nobody is told what it writes."""
        origin = self.context.origin
        with self.open_work(Request("GET", "/", f"{origin}/cms-json", origin), user, read, quiet) as work:
            work.source = IMPORT_SOURCE if quiet else COMMAND_SOURCE
            yield work

    def start_jobs(self) -> None:
        """Run jobs in a thread of this process until they are stopped."""
        self._consumer = job_runner.build_consumer(self.context, self.database)
        self._stop_jobs.clear()
        self._jobs = threading.Thread(target=self._consumer.run, args=(self._stop_jobs,), name="jobs", daemon=True)
        self._jobs.start()

    def stop_jobs(self) -> None:
        """Finish a running job and start no further one."""
        self._stop_jobs.set()
        if self._jobs is not None:
            self._jobs.join()
            self._jobs = None

    def run_due_jobs(self) -> int:
        """Run the jobs that are due, beside the thread that does, and return how many."""
        return self._consumer.run_due_jobs() if self._consumer is not None else 0

    def clear_caches(self) -> None:
        """Drop everything that this process has cached of the stored data, which has been replaced."""
        self.context.change_log.clear()
        if self._response_cache is not None:
            self._response_cache.clear()
        self._change_position = ChangeLogPosition(self.database)
        self.context.filter_cache.clear()
        self.context.fragments.clear()
        self.context.option_memory.clear()
        signin.forget_known_credentials(self.database)
        token_sign_in.forget_known_tokens(self.database)
        themes.load_theme.cache_clear()

    def close(self) -> None:
        """Finish a running job and close what the site holds open."""
        self.stop_jobs()
        # A thread that reads from a connection while it is closed brings the process down.
        self.app.close()
        self.context.hits.flush()
        self.replicas.close()
        self.database.close()


def _get_rate_limit_key(request: Request, caller: User) -> str:
    """Return the name under which a caller is rate limited: the key's, or the account's."""
    return request.key or caller.app_password or str(caller.id)


def _build_sign_in(site: SiteContext, database: Database) -> Callable[[Request], User]:
    """Return the sign-in function, with the methods of the site's modules before and after the site's own."""
    before = [way for one in site.modules if (way := one.load_first_sign_in()) is not None]
    after = [way for one in site.modules if (way := one.load_last_sign_in()) is not None]

    def authenticate(request: Request) -> User:
        for way in before:
            if (user := way(site, database, request)) is not None:
                return user
        found = request_sign_in.authenticate_request(site, database, request)
        for way in after:
            found = found or way(site, database, request) or found
        return found

    return authenticate

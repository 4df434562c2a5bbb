"""The ASGI application: from scope to request, dispatcher and response.

Handlers run inline in the event loop; a route declared slow runs in a thread (http/request_runner.py), and so does a
request that turns out to take long (http/offload.py). This module knows no site: sign-in, API roots and the pages
beside the interface are passed in. Rules: docs/rules/global_parameters.md, 9 (If-None-Match).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Awaitable, Callable, Collection, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final

from vetrina.http import client_address
from vetrina.http.api_roots import ApiRoots
from vetrina.http.built_files import BuiltFileServer
from vetrina.http.cached_responses import (
    CacheBackend,
    CachedResponse,
    CacheKey,
    build_bypass_headers,
    build_cached_reply,
    cache_response,
    find_cache_key,
    matches_etag,
)
from vetrina.http.cross_origin import build_cors_headers
from vetrina.http.decoding_pool import DecodingPool
from vetrina.http.downloads import DownloadServer, FileDownload
from vetrina.http.durable_responses import OpenGroupCommit
from vetrina.http.event_answers import EventAnswers
from vetrina.http.event_streams import EVENT_STREAM_HEADERS, EventStream, EventStreams
from vetrina.http.file_mounts import FileMounts
from vetrina.http.file_responses import FileServer
from vetrina.http.limits import RequestLimits
from vetrina.http.observability import Observability
from vetrina.http.offload import RequestExecutor, ServerStopping
from vetrina.http.page_answers import PageAnswers
from vetrina.http.page_responses import NoPageHandler, PageHandler
from vetrina.http.read_positions import ReadPositions, is_kept
from vetrina.http.request_reader import Receive, RequestReader, Scope, override_method
from vetrina.http.request_runner import RequestRunner
from vetrina.http.request_trace import RequestTrace
from vetrina.http.responses import (
    EncodedResponse,
    Headers,
    InvalidCallback,
    ResponseTooLarge,
    encode_response,
    is_valid_callback,
)
from vetrina.kernel.errors import ApiError, InlineBudgetExceeded, NoRoute
from vetrina.kernel.site_paths import get_base_path, remove_base_path
from vetrina.rest import query_strings
from vetrina.rest.call import Request, Response
from vetrina.rest.dialects.dialect import Dialect
from vetrina.rest.dialects.prefixes import NEUTRAL_PREFIX
from vetrina.rest.dispatcher import Dispatcher
from vetrina.rest.error_statuses import build_error_response
from vetrina.rest.route import Route

_NEUTRAL_ROOT = f"/{NEUTRAL_PREFIX}"
_CONNECTION_CLOSE = (b"connection", b"close")
# Seconds that a thread keeps the GIL when another one wants it. A request returns from a dozen statements, and waits
# each time for every busy thread; at the default of 0.005 it took a quarter of a second beside four of them.
_SWITCH_INTERVAL = 0.001

_NEEDS_VALUES: Final = frozenset({"_embed", "_envelope", "_pretty"})  # parameters that look into a body

Send = Callable[[dict[str, Any]], Awaitable[None]]


class SiteApplication:
    """One site as an ASGI application.

    sign_in: returns the caller of a request, raises ApiError when the credentials are invalid.
    url: address of the site, with the path that it lives under, if any; empty: the host that the client wrote.
    threads: how many slow routes may run at once, and as many that decode images beside them.
    close: called once, when the server has finished its last request.
    response_cache: caches responses to anonymous reads; None: nothing is cached.
    cache_control: the Cache-Control header of anonymous responses, empty for none.
    deciding_cookies: what is in the names of cookies that can change a response to an anonymous read.
    cache_tags: whether anonymous responses name what they were made from.
    allowed_origins: whose pages may read answers to credentials, empty for all.
    files: sends the files of the site, None for none. built_files: sends those of the administration's front end.
    downloads: sends the files that routes hand out, None for none. upload_folder: for files of running requests.
    page_handler: answers the URLs that are not the interface's.
    open_group_commit: opens a block whose commits are flushed to disk together with others', before its response
      is sent.
    observability: request ids, log lines, metrics, rate limits, health.
    get_rate_limit_key: the name under which a caller is rate limited.
    event_streams: the answers that go on while the site changes.
    read_positions: what clients of a site with replicas of its database have written; None where it has none.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        api_roots: ApiRoots,
        sign_in: Callable[[Request], Any],
        limits: RequestLimits,
        url: str = "",
        threads: int = 4,
        trust_proxy: bool = False,
        notice: str = "",
        close: Callable[[], None] | None = None,
        response_cache: CacheBackend | None = None,
        cache_control: str = "",
        deciding_cookies: Iterable[str] = ("",),
        cache_tags: bool = False,
        allowed_origins: Collection[str] = (),
        files: FileServer | None = None,
        built_files: BuiltFileServer | None = None,
        downloads: DownloadServer | None = None,
        upload_folder: Path | None = None,
        page_handler: PageHandler | None = None,
        *,
        open_group_commit: OpenGroupCommit,
        observability: Observability,
        get_rate_limit_key: Callable[[Request, Any], str],
        event_streams: EventStreams,
        read_positions: ReadPositions | None = None,
    ) -> None:
        self._read_positions = read_positions
        self._dispatcher, self._api_roots, self._limits = dispatcher, api_roots, limits
        self._url, self._trust_proxy, self._notice = url.rstrip("/"), trust_proxy, notice.encode()
        self._base_path = get_base_path(url)
        self._observability = observability
        self._executor = RequestExecutor(threads, limits.inline_characters, open_group_commit)
        self._decoding_pool = DecodingPool(threads)
        self._close = close
        self._reader = RequestReader(limits)
        self._response_cache, self._cache_control = response_cache, cache_control
        self._deciding_cookies = tuple(name.encode() for name in deciding_cookies)
        self._cache_tags, self._allowed_origins = cache_tags, allowed_origins
        spoken = [dialect for _, dialect in api_roots.roots if dialect is not None]
        self._file_mounts = FileMounts(files, built_files, spoken)
        self._downloads = downloads
        self._bypass_headers = build_bypass_headers(dialect.names.header for dialect in spoken)
        self._page_answers = PageAnswers(
            page_handler or NoPageHandler(), self._reader, self._executor, response_cache, self._base_path, cache_tags
        )
        self.event_streams = event_streams
        self._event_answers = EventAnswers(dispatcher, sign_in, self._executor)
        self._runner = RequestRunner(
            dispatcher,
            sign_in,
            limits,
            self._reader,
            self._executor,
            self._decoding_pool,
            upload_folder or Path(tempfile.gettempdir()),
            observability,
            get_rate_limit_key,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._run_lifespan(receive, send)
        elif scope["type"] == "http":
            scope = self._remove_base_path(scope)
            observability = self._observability
            if scope["path"] in observability.ops_endpoints.paths and (
                answered := await observability.ops_endpoints.answer(scope)
            ):
                await _send_response(send, *answered)
                return
            trace = RequestTrace(observability.request_ids.get_id(scope["headers"]))
            if observability.observer is None:
                await self._answer_request(scope, receive, send, trace)
            else:
                remote = client_address.get_remote_address(scope, self._trust_proxy)
                await observability.observer.observe(
                    scope, trace, send, remote, lambda send: self._answer_request(scope, receive, send, trace)
                )

    def _remove_base_path(self, scope: Scope) -> Scope:
        """Return the scope of a request with its path below the site's; a proxy may have taken that off already."""
        base = self._base_path
        if not base:
            return scope
        raw = scope.get("raw_path") or b""
        return {
            **scope,
            "path": remove_base_path(base, scope["path"]),
            "raw_path": remove_base_path(base, raw.decode("latin-1")).encode("latin-1"),
        }

    async def _answer_request(self, scope: Scope, receive: Receive, send: Send, trace: RequestTrace) -> None:
        """Answer a request with a file, a cached response, or the site's own response."""
        also: Headers = [(b"x-request-id", trace.id)]
        if self._observability.shutdown_flag and scope.get("http_version", "1.1") != "2":
            # The next request of this connection goes to another worker or server.
            also.append(_CONNECTION_CLOSE)
        if (mount := self._file_mounts.find(scope)) is not None:
            trace.route = "(file)"
            await mount.serve(mount.scope, _add_headers(send, also))
            return
        if self._observability.rate_limiter is not None:
            remote = client_address.get_remote_address(scope, self._trust_proxy)
            trace.set_rate_status(self._observability.rate_limiter.count_address(remote), "this address")
        cache_key = (
            find_cache_key(scope, self._bypass_headers, self._deciding_cookies)
            if self._response_cache is not None
            else None
        )
        cached = (
            self._response_cache.get(cache_key.key)
            if cache_key is not None and self._response_cache is not None
            else None
        )
        if cache_key is not None and cached is not None and not trace.refused:
            trace.from_cache, trace.route = True, cached.route
            content: bytes | EventStream | FileDownload
            status, headers, content = build_cached_reply(cached, cache_key, self._allowed_origins)
        else:
            status, headers, content = await self._answer_http(scope, receive, cache_key, trace)
            if trace.consistency is not None and self._read_positions is not None:
                headers = self._read_positions.add_headers(headers, trace.consistency, trace.origin)
        if trace.rate_status is not None:
            also += trace.rate_status.headers
        if isinstance(content, EventStream):
            trace.take_time()
            await content.run(headers + also, receive, send)
            return
        if isinstance(content, FileDownload):
            await content.run(also, send)
            return
        await _send_response(send, status, headers + also, content)

    def close(self) -> None:
        """Finish what runs in threads; what they read may be closed afterwards."""
        self._observability.close()
        self._executor.close()
        self._decoding_pool.close()
        self.event_streams.close()
        self._file_mounts.close()
        if self._downloads is not None:
            self._downloads.close()

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            stopped = message["type"] == "lifespan.shutdown"
            if not stopped:
                sys.setswitchinterval(_SWITCH_INTERVAL)
            if stopped:
                self.close()
                if self._close is not None:
                    self._close()
            await send({"type": f"{message['type']}.complete"})
            if stopped:
                return

    async def _answer_http(
        self, scope: Scope, receive: Receive, cache_key: CacheKey | None, trace: RequestTrace
    ) -> tuple[int, Headers, bytes | EventStream | FileDownload]:  # fmt: skip
        values = query_strings.parse_query(scope["query_string"].decode("latin-1"))
        rest_route = values.get("rest_route")
        api_root = self._api_roots.find(scope["path"], rest_route if isinstance(rest_route, str) else None)
        headers = client_address.parse_headers(scope)
        origin = self._url or client_address.get_origin(scope, headers, self._trust_proxy)
        remote = client_address.get_remote_address(scope, self._trust_proxy)
        if api_root is None:
            request = Request(
                scope["method"], scope["path"], origin + _NEUTRAL_ROOT, origin, "", values,
                headers=headers, remote=remote, target=client_address.get_request_target(scope),
            )  # fmt: skip
            await self._begin_reading(request, scope, trace)
            return await self._page_answers.answer(scope, request, receive, cache_key, trace)
        if rest_route is not None:
            values.pop("rest_route")
        request = Request(
            scope["method"], api_root.path, origin + api_root.root, origin, api_root.language, values,
            headers=headers, remote=remote, target=client_address.get_request_target(scope),
        )  # fmt: skip
        await self._begin_reading(request, scope, trace)
        if api_root.dialect is not None:
            api_root.dialect.translate_request(request)
        override = override_method(request)
        if override:
            cache_key = None
        head = scope["method"] == "HEAD" or request.method == "HEAD"
        if api_root.internal:
            # Its callers are signed in, and the cache need not know its headers: it has no response of this root.
            cache_key = None
        mark = self._response_cache.mark() if cache_key is not None and self._response_cache is not None else 0
        request.takes_text = not override and _NEEDS_VALUES.isdisjoint(request.query)
        callback = values.get("_jsonp") or ""
        signed_in, content_read, route = False, b"", None
        try:
            self._reader.require_short_target(scope)
            trace.check_rate()
            if callback and not (isinstance(callback, str) and is_valid_callback(callback)):
                raise InvalidCallback
            route = self._find_route(request)
            if route is not None:
                trace.route = route.path
            if route is not None and route.files:
                answer, signed_in = await self._runner.run_with_files(request, receive, route, api_root.dialect, trace)
            else:
                content_read = await self._reader.read_body(request, receive, scope.get("http_version", ""))
                trace.in_thread = self._executor.is_large(len(content_read))
                decode = partial(self._reader.decode, request, content_read, api_root.dialect)
                if trace.in_thread:
                    await self._executor.run_in_thread(decode)
                else:
                    decode()
                if route is not None and route.batch_arguments:
                    self._runner.count_parts(request, route, trace)
                answer, signed_in = await self._runner.run_request(request, route, trace)
                if answer.events is not None and scope["method"] == "GET" and not override:
                    return self._open_stream(request, answer, route, api_root.dialect, trace)
                if answer.download and self._downloads is not None:
                    return 200, [], self._downloads.open(scope, answer.download, answer.headers)
        except ApiError as error:
            answer = build_error_response(error)
        except Exception as error:
            answer = Response(500, _build_fault_body(trace.log_failure(error)), {}, [], failed=True)
        encoding = partial(
            encode_response, request, signed_in=signed_in, overridden=override, callback=str(callback),
            cache_control=self._cache_control, cache_tags=self._cache_tags, route=route, dialect=api_root.dialect,
            request_headers=(
                self._dispatcher.list_request_headers(request.path) if route is None else route.request_headers
            ),
            most=self._limits.answer_bytes,
        )  # fmt: skip
        status, named, content, etag = await self._encode_response(encoding, answer, trace)
        if self._notice:
            content = self._notice + content
            named = [pair for pair in named if pair[0] != b"content-length"]
            named.append((b"content-length", str(len(content)).encode()))
        # A key in the query signs in without any header that bypasses the cache.
        keeps = cache_key is not None and not signed_in and answer.kinds is not None and etag and not content_read
        keeps = keeps and is_kept(request)
        if keeps and cache_key is not None and answer.kinds is not None and self._response_cache is not None:
            cached = CachedResponse(status, named, content, etag, route=trace.route)
            cache_response(self._response_cache, cache_key, mark, answer.kinds, cached)
            return build_cached_reply(cached, cache_key, self._allowed_origins)
        named = named + build_cors_headers(
            request.headers.get("origin"), signed_in, request.method, self._allowed_origins,
            request.headers.get("access-control-request-headers"),
        )  # fmt: skip
        condition = headers.get("if-none-match")
        if condition is not None and matches_etag(condition.encode("latin-1"), etag):
            return 304, [pair for pair in named if pair[0] not in (b"content-length", b"content-type")], b""
        if head and scope["method"] != "HEAD":
            # The client sent another method: with a length it would wait for bytes that never come.
            named = [pair for pair in named if pair[0] != b"content-length"] + [(b"content-length", b"0")]
        return status, named, b"" if head else content

    async def _begin_reading(self, request: Request, scope: Scope, trace: RequestTrace) -> None:
        """Let a request read from replicas of the database, where there are any."""
        if self._read_positions is not None:
            trace.consistency = await self._read_positions.begin(request, scope["method"])
            trace.origin = request.origin

    def _open_stream(
        self, request: Request, answer: Response, route: Route | None, dialect: Dialect | None, trace: RequestTrace
    ) -> tuple[int, Headers, EventStream]:
        """Return the beginning of an answer that goes on. Raises TooManyEventStreams."""
        if request.consistency is not None:
            request.consistency.needs_primary = True
        first = self._event_answers.encode(request, answer, route, dialect, trace.caller)
        whom = f"account {trace.caller}" if trace.caller else f"address {request.remote}"
        stream = self.event_streams.open(
            whom, first, self._event_answers.repeat(request, first.page.cursor, route, dialect)
        )
        cors = build_cors_headers(request.headers.get("origin"), bool(trace.caller), "GET", self._allowed_origins)
        return 200, EVENT_STREAM_HEADERS + cors, stream

    def _find_route(self, request: Request) -> Route | None:
        try:
            return self._dispatcher.locate(request)[2]
        except NoRoute:
            return None

    async def _encode_response(
        self, encoding: Callable[..., EncodedResponse], answer: Response, trace: RequestTrace
    ) -> EncodedResponse:
        """Return an encoded response; long ones are encoded in a thread."""
        try:
            if not trace.in_thread:
                try:
                    return encoding(answer=answer, inline=True)
                except InlineBudgetExceeded:
                    pass
            try:
                return await self._executor.run_in_thread(partial(encoding, answer=answer))
            except ServerStopping:
                # Nobody else waits for the loop any more.
                return encoding(answer=answer)
        except ResponseTooLarge as error:
            return encoding(answer=build_error_response(error))


def _build_fault_body(id: str) -> dict[str, Any]:
    message = f"The server made a mistake; its log names it by {id}."
    return {"code": "internal_server_error", "message": message, "data": {"status": 500}}


async def _send_response(send: Send, status: int, headers: Headers, content: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def _add_headers(send: Send, headers: Headers) -> Send:
    """Return a `send` that adds headers to the response."""

    async def added(message: dict[str, Any]) -> None:
        if "headers" in message:
            message = {**message, "headers": [*message["headers"], *headers]}
        await send(message)

    return added

"""The ASGI application: scope in, request to the dispatcher, answer out.

Handlers run inline in the loop; a route declared slow runs in a thread, and so does what turns out to take long
(http/offload.py). This room knows no site: who signs in, which doors there are and what answers everything else is
handed in.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from vetrina.http import client_address, page_responses
from vetrina.http.api_roots import NEUTRAL_PREFIX, Doors
from vetrina.http.cached_responses import Asked, Keeper, Kept, asked, deciding, keep, matches, replied
from vetrina.http.decoding_pool import DecodingPool
from vetrina.http.durable_responses import Gathering
from vetrina.http.file_responses import FileServer
from vetrina.http.limits import Limits
from vetrina.http.multipart import Spool, take
from vetrina.http.observability import Upkeep
from vetrina.http.offload import Aside, Begin
from vetrina.http.request_reader import Receive, RequestReader, Scope, override_method
from vetrina.http.request_trace import Seen
from vetrina.http.responses import AnswerTooLarge, Encoded, Headers, InvalidCallback, cors, encode, valid_callback
from vetrina.kernel.errors import ApiError, NoRoute, TakesLong
from vetrina.rest import query_strings
from vetrina.rest.call import Answer, Request
from vetrina.rest.dialects.dialect import Dialect
from vetrina.rest.dispatcher import Dispatcher
from vetrina.rest.route import Route

__all__ = ["Edge"]

_NEUTRAL_ROOT = f"/{NEUTRAL_PREFIX}"
_TEXT = "text/plain; charset=UTF-8"
_CLOSING = (b"connection", b"close")
# Seconds that a thread goes on when another one wants its turn. A request comes back from a dozen statements, and waits
# each time for every thread that works; at the usual 0.005 it took a quarter of a second beside four of them.
_TURN = 0.001
_FEW = 4  # requests that one may carry and still be answered in the loop

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Edge:
    """One site as an ASGI application.

    sign_in: names the caller of a request, raises ApiError when its credentials fail.
    url: scheme and host of the site's addresses; empty: as the client wrote them.
    threads: how many routes that wait may run at once, and as many that decode images beside them.
    close: called once, when the server has finished its last request.
    keeper: keeps answers to anonymous reads; None: every answer is made anew.
    cache_control: the Cache-Control header of anonymous answers, empty for none.
    files: sends the files of the site; None: it has none. incoming: the folder for files of requests at hand.
    shown: answers the addresses that are not the interface's.
    gathering: opens a block whose commits are kept with others', before its answer is sent.
    upkeep: what runs beside the answers. counted_as: the name under which the requests of a caller are limited.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        doors: Doors,
        sign_in: Callable[[Request], Any],
        limits: Limits,
        url: str = "",
        threads: int = 4,
        trust_proxy: bool = False,
        notice: str = "",
        close: Callable[[], None] | None = None,
        keeper: Keeper | None = None,
        cache_control: str = "",
        files: FileServer | None = None,
        incoming: Path | None = None,
        shown: page_responses.Pages | None = None,
        *,
        gathering: Gathering,
        upkeep: Upkeep,
        counted_as: Callable[[Request, Any], str],
    ) -> None:
        self._dispatcher, self._doors, self._sign_in, self._limits = dispatcher, doors, sign_in, limits
        self._url, self._trust_proxy, self._notice = url.rstrip("/"), trust_proxy, notice.encode()
        self._upkeep, self._counted_as = upkeep, counted_as
        self._aside = Aside(threads, limits.inline_characters, gathering)
        self._decoding = DecodingPool(threads)
        self._close = close
        self._reader = RequestReader(limits)
        self._keeper, self._cache_control = keeper, cache_control
        spoken = [dialect for _, dialect in doors.roots if dialect is not None]
        address = files.address if files is not None else ""
        self._file_addresses = (address, *(dialect.names.foreign_file(address) for dialect in spoken))
        self._deciding = deciding(dialect.names.header for dialect in spoken)
        self._shown: page_responses.Pages = shown or page_responses.NoPages()
        self._files, self._incoming = files, incoming or Path(tempfile.gettempdir())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            upkeep = self._upkeep
            if scope["path"] in upkeep.operators.paths and (answered := await upkeep.operators.answer(scope)):
                await _sent(send, *answered)
                return
            seen = Seen(upkeep.ids.of(scope["headers"]))
            if upkeep.observer is None:
                await self._answered(scope, receive, send, seen)
            else:
                remote = client_address.remote(scope, self._trust_proxy)
                await upkeep.observer.watch(
                    scope, seen, send, remote, lambda send: self._answered(scope, receive, send, seen)
                )

    async def _answered(self, scope: Scope, receive: Receive, send: Send, seen: Seen) -> None:
        """Answer a request by a file, by a kept answer, or by the site."""
        also: Headers = [(b"x-request-id", seen.id)]
        if self._upkeep.draining and scope.get("http_version", "1.1") != "2":
            # Its next request goes to a server that stays.
            also.append(_CLOSING)
        if self._files is not None and scope["path"].startswith(self._file_addresses):
            # The files stand in another folder for the clients of a dialect.
            alias = next(one for one in self._file_addresses if scope["path"].startswith(one))
            seen.route = "(file)"
            scope = {**scope, "path": self._files.address + scope["path"][len(alias) :]}
            await self._files(scope, _adding(send, also))
            return
        if self._upkeep.rates is not None:
            remote = client_address.remote(scope, self._trust_proxy)
            seen.stands(self._upkeep.rates.by_address(remote), "this address")
        ask = asked(scope, self._deciding) if self._keeper is not None else None
        kept = self._keeper.get(ask.key) if ask is not None and self._keeper is not None else None
        if ask is not None and kept is not None and not seen.refused:
            seen.kept, seen.route = True, kept.route
            status, headers, content = replied(kept, ask)
        else:
            status, headers, content = await self._http(scope, receive, ask, seen)
        if seen.standing is not None:
            also += seen.standing.headers
        await _sent(send, status, headers + also, content)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            stopped = message["type"] == "lifespan.shutdown"
            if not stopped:
                sys.setswitchinterval(_TURN)
            if stopped:
                self._upkeep.close()
                self._aside.close()
                self._decoding.close()
                if self._files is not None:
                    self._files.close()
                if self._close is not None:
                    self._close()
            await send({"type": f"{message['type']}.complete"})
            if stopped:
                return

    async def _http(
        self, scope: Scope, receive: Receive, ask: Asked | None, seen: Seen
    ) -> tuple[int, Headers, bytes]:  # fmt: skip
        values = query_strings.parse(scope["query_string"].decode("latin-1"))
        rest_route = values.get("rest_route")
        door = self._doors.find(scope["path"], rest_route if isinstance(rest_route, str) else None)
        headers = client_address.named(scope)
        origin = self._url or client_address.origin(scope, headers, self._trust_proxy)
        remote = client_address.remote(scope, self._trust_proxy)
        if door is None:
            request = Request(
                scope["method"], scope["path"], origin + _NEUTRAL_ROOT, origin, "", values,
                headers=headers, remote=remote,
            )  # fmt: skip
            return await self._page(scope, request, receive, ask, seen)
        if rest_route is not None:
            values.pop("rest_route")
        request = Request(
            scope["method"], door.path, origin + door.root, origin, door.language, values,
            headers=headers, remote=remote, target=client_address.target(scope),
        )  # fmt: skip
        if door.dialect is not None:
            door.dialect.read(request)
        override = override_method(request)
        if override:
            ask = None
        head = scope["method"] == "HEAD" or request.method == "HEAD"
        mark = self._keeper.mark() if ask is not None and self._keeper is not None else 0
        callback = values.get("_jsonp") or ""
        signed_in, content_read, route = False, b"", None
        try:
            self._reader.require_short_target(scope)
            seen.admit()
            if callback and not (isinstance(callback, str) and valid_callback(callback)):
                raise InvalidCallback
            route = self._route(request)
            if route is not None:
                seen.route = route.path
            if route is not None and route.files:
                answer, signed_in = await self._run_with_files(request, receive, route, door.dialect, seen)
            else:
                content_read = await self._reader.read_body(request, receive)
                seen.aside = self._aside.large(len(content_read))
                decode = partial(self._reader.decode, request, content_read, door.dialect)
                if seen.aside:
                    await self._aside.thread(decode)
                else:
                    decode()
                if route is not None and route.carries:
                    self._count_parts(request, route, seen)
                answer, signed_in = await self._run(request, route, seen)
        except ApiError as error:
            answer = _refusal(error)
        except Exception as error:
            answer = Answer(500, _fault(seen.failed(error)), {}, [], failed=True)
        encoding = partial(
            encode, request, signed_in=signed_in, overridden=override, callback=str(callback),
            cache_control=self._cache_control, route=route, dialect=door.dialect,
            takes=route.takes if route is not None else self._dispatcher.takes(request.path),
            most=self._limits.answer_bytes,
        )  # fmt: skip
        status, named, content, etag = await self._encoded(encoding, answer, seen)
        if self._notice:
            content = self._notice + content
            named = [pair for pair in named if pair[0] != b"content-length"]
            named.append((b"content-length", str(len(content)).encode()))
        # A key in the query signs in without a header that keeps the request from the kept answers.
        keeps = ask is not None and not signed_in and answer.kinds is not None and etag and not content_read
        if keeps and ask is not None and answer.kinds is not None and self._keeper is not None:
            kept = Kept(status, named, content, etag, route=seen.route)
            keep(self._keeper, ask, mark, answer.kinds, kept)
            return replied(kept, ask)
        named = named + cors(request.headers.get("origin"), signed_in, request.method)
        condition = headers.get("if-none-match")
        if condition is not None and matches(condition.encode("latin-1"), etag):
            return 304, [pair for pair in named if pair[0] not in (b"content-length", b"content-type")], b""
        if head and scope["method"] != "HEAD":
            # The client asked with another method: a length would make it wait for bytes that never come.
            named = [pair for pair in named if pair[0] != b"content-length"] + [(b"content-length", b"0")]
        return status, named, b"" if head else content

    async def _page(
        self, scope: Scope, request: Request, receive: Receive, ask: Asked | None, seen: Seen
    ) -> tuple[int, Headers, bytes]:
        """Answer an address that is not the interface's."""
        mark = self._keeper.mark() if ask is not None and self._keeper is not None else 0
        seen.route = "(page)"
        try:
            self._reader.require_short_target(scope)
            seen.admit()
            chunks = self._reader.chunks(request, receive, page_responses.MOST_BYTES)
            self._reader.decode(request, b"".join([part async for part in chunks]), None)
            if self._shown.slow(request):
                answer = await self._aside.thread(self._shown.answer, request)
            else:
                answer, _ = await self._aside.here(partial(self._shown_here, request))
        except ApiError as error:
            text = f"{error.text}\n".encode()
            answer = Answer(error.answer_status, None, dict(error.headers), [], (_TEXT, text), failed=True)
        except Exception as error:
            answer = page_responses.fault(seen.failed(error))
        headers, content, etag = page_responses.encoded(answer)
        if ask is not None and answer.kinds is not None and etag and self._keeper is not None:
            kept = Kept(answer.status, headers, content, etag, shared=False, route=seen.route)
            keep(self._keeper, ask, mark, answer.kinds, kept)
        return page_responses.sent(request, answer.status, headers, content, etag)

    def _route(self, request: Request) -> Route | None:
        try:
            return self._dispatcher.locate(request)[2]
        except NoRoute:
            return None

    async def _run_with_files(
        self, request: Request, receive: Receive, route: Route, dialect: Dialect | None, seen: Seen
    ) -> tuple[Answer, bool]:
        """Answer a request whose body brings files, which lie on disk until it is answered."""
        limits = self._limits
        request.unread = True
        caller = self._caller(request, seen)
        # Who has no account is refused by the route, and takes no place from those who wait.
        decodes = bool(caller) and route.decodes is not None and route.decodes(request)
        if decodes:
            self._decoding.check()
        # Who has no account fills no disk, and is refused by the route.
        limit = (route.body_bytes if caller else None) or limits.body_bytes
        with Spool(self._incoming) as spool:
            chunks = self._reader.chunks(request, receive, limit)
            decode = partial(self._reader.decode, request, dialect=None)
            await take(request, chunks, spool, limits.body_bytes, lambda content: self._aside.thread(decode, content))
            if request.proof is not None:
                request.proof()
            if dialect is not None:
                await self._aside.thread(dialect.read_body, request)
            seen.aside = True
            run = self._decoding.run if decodes else self._aside.thread
            answer = await run(self._dispatcher.answer, request, caller)
        return answer, bool(caller)

    async def _run(self, request: Request, route: Route | None, seen: Seen) -> tuple[Answer, bool]:
        answering = self._answering(request, seen)
        if route is not None and route.decodes is not None and route.decodes(request):
            seen.aside = True
            caller = await self._aside.thread(self._caller, request, seen)
            # Who has no account is refused by the route, and takes no place from those who wait.
            run = self._decoding.run if caller else self._aside.thread
            return await run(self._dispatcher.answer, request, caller), bool(caller)
        if seen.aside or seen.parts > _FEW or (route is not None and route.slow):
            seen.aside = True
            return await self._aside.thread(answering)
        answered, seen.aside = await self._aside.here(answering)
        return answered

    def _answering(self, request: Request, seen: Seen) -> Callable[..., tuple[Answer, bool]]:
        """Return what answers a request; where it has to begin again, its caller is signed in already."""
        callers: list[Any] = []

        def answer(begin: Begin = lambda: None) -> tuple[Answer, bool]:
            if not callers:
                callers.append(self._caller(request, seen))
            request.inline = begin()
            return self._dispatcher.answer(request, callers[0]), bool(callers[0])

        return answer

    def _shown_here(self, request: Request, begin: Begin) -> Answer:
        request.inline = begin()
        return self._shown.answer(request)

    async def _encoded(self, encoding: Callable[..., Encoded], answer: Answer, seen: Seen) -> Encoded:
        """Return an answer in its bytes; many are made in a thread."""
        try:
            if not seen.aside:
                try:
                    return encoding(answer=answer, inline=True)
                except TakesLong:
                    pass
            return await self._aside.thread(partial(encoding, answer=answer))
        except AnswerTooLarge as error:
            return encoding(answer=_refusal(error))

    def _caller(self, request: Request, seen: Seen) -> Any:
        """Return who sent a request. Raises ApiError when the credentials fail or are used too often."""
        caller = self._sign_in(request)
        if caller:
            seen.caller = caller.id
            if self._upkeep.rates is not None:
                key = self._counted_as(request, caller)
                seen.stands(self._upkeep.rates.by_key(key, seen.parts), "this key")
                seen.admit()
        return caller

    def _count_parts(self, request: Request, route: Route, seen: Seen) -> None:
        """Let a request that carries others count as so many. Raises TooManyRequests."""
        listed = (request.raw(name) for name in route.carries)
        seen.parts = max(1, sum(len(one) for one in listed if isinstance(one, (list, dict))))
        if seen.parts > 1 and self._upkeep.rates is not None:
            seen.stands(self._upkeep.rates.by_address(request.remote, seen.parts - 1), "this address")
            seen.admit()


def _refusal(error: ApiError) -> Answer:
    return Answer(error.answer_status, error.body(), dict(error.headers), [], failed=True)


def _fault(id: str) -> dict[str, Any]:
    message = f"The server made a mistake; its log names it by {id}."
    return {"code": "internal_server_error", "message": message, "data": {"status": 500}}


async def _sent(send: Send, status: int, headers: Headers, content: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def _adding(send: Send, headers: Headers) -> Send:
    """Return what sends an answer with some headers more."""

    async def added(message: dict[str, Any]) -> None:
        if "headers" in message:
            message = {**message, "headers": [*message["headers"], *headers]}
        await send(message)

    return added

"""Running a request: whose it is, in the event loop or in a thread, with the files of its body on disk.

Answers to what was run: http/app.py. What takes long in the loop: http/offload.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from vetrina.http.decoding_pool import DecodingPool
from vetrina.http.limits import RequestLimits
from vetrina.http.multipart import receive_body
from vetrina.http.observability import Observability
from vetrina.http.offload import RequestExecutor, StartAllowance
from vetrina.http.request_reader import Receive, RequestReader
from vetrina.http.request_trace import RequestTrace
from vetrina.http.upload_spool import UploadSpool
from vetrina.rest.call import Request, Response
from vetrina.rest.dialects.dialect import Dialect
from vetrina.rest.dispatcher import Dispatcher
from vetrina.rest.route import Route

_MAX_INLINE_MEMBERS = 4  # requests inside one request that is still answered in the loop


class RequestRunner:
    """Hands requests to the dispatcher; its parameters are those of SiteApplication."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        sign_in: Callable[[Request], Any],
        limits: RequestLimits,
        reader: RequestReader,
        executor: RequestExecutor,
        decoding_pool: DecodingPool,
        upload_folder: Path,
        observability: Observability,
        get_rate_limit_key: Callable[[Request, Any], str],
    ) -> None:
        self._dispatcher, self._sign_in, self._limits, self._reader = dispatcher, sign_in, limits, reader
        self._executor, self._decoding_pool, self._upload_folder = executor, decoding_pool, upload_folder
        self._observability, self._get_rate_limit_key = observability, get_rate_limit_key

    async def run_with_files(
        self, request: Request, receive: Receive, route: Route, dialect: Dialect | None, trace: RequestTrace
    ) -> tuple[Response, bool]:
        """Answer a request whose body has files, which are on disk until it is answered."""
        limits = self._limits
        request.unread = True
        caller = self._sign_in_caller(request, trace)
        # A caller without an account is refused by the route, and takes no place in the queue.
        decodes = bool(caller) and route.decodes is not None and route.decodes(request)
        if decodes:
            self._decoding_pool.check()
        # A caller without an account cannot fill the disk, and is refused by the route.
        limit = (route.body_bytes if caller else None) or limits.body_bytes
        with UploadSpool(self._upload_folder) as spool:
            chunks = self._reader.iterate_chunks(request, receive, limit)
            decode = partial(self._reader.decode, request, dialect=None)
            await receive_body(
                request, chunks, spool, limits.body_bytes, lambda content: self._executor.run_in_thread(decode, content)
            )
            if request.verify_body is not None:
                request.verify_body()
            if dialect is not None:
                await self._executor.run_in_thread(dialect.translate_request_body, request)
            trace.in_thread = True
            run = self._decoding_pool.run if decodes else self._executor.run_in_thread
            answer = await run(self._dispatcher.answer, request, caller)
        return answer, bool(caller)

    async def run_request(self, request: Request, route: Route | None, trace: RequestTrace) -> tuple[Response, bool]:
        answering = self._build_answer_function(request, trace)
        if route is not None and route.decodes is not None and route.decodes(request):
            trace.in_thread = True
            caller = await self._executor.run_in_thread(self._sign_in_caller, request, trace)
            # A caller without an account is refused by the route, and takes no place in the queue.
            run = self._decoding_pool.run if caller else self._executor.run_in_thread
            return await run(self._dispatcher.answer, request, caller), bool(caller)
        if trace.in_thread or trace.parts > _MAX_INLINE_MEMBERS or (route is not None and route.slow):
            trace.in_thread = True
            if trace.parts > _MAX_INLINE_MEMBERS and route is not None and not route.read:
                return await self._executor.run_batch(answering)
            return await self._executor.run_in_thread(answering)
        writes = request.shares_turn = route is not None and not route.read
        answered, trace.in_thread = await self._executor.run_inline(answering, writes)
        return answered

    def _build_answer_function(self, request: Request, trace: RequestTrace) -> Callable[..., tuple[Response, bool]]:
        """Return a function that answers a request; when it is run again, the caller is signed in already.

        But not one that was known from a transaction of which nothing may have been kept.
        """
        callers: list[Any] = []

        def answer(begin: StartAllowance = lambda: None) -> tuple[Response, bool]:
            if not callers or request.is_known_in_turn:
                request.is_known_in_turn = False
                callers[:] = [self._sign_in_caller(request, trace)]
            request.inline = begin()
            return self._dispatcher.answer(request, callers[0]), bool(callers[0])

        return answer

    def _sign_in_caller(self, request: Request, trace: RequestTrace) -> Any:
        """Return the caller of a request. Raises ApiError when the credentials are invalid or used too often."""
        caller = self._sign_in(request)
        if caller:
            trace.caller = caller.id
            if self._observability.rate_limiter is not None:
                key = self._get_rate_limit_key(request, caller)
                trace.set_rate_status(self._observability.rate_limiter.count_key(key, trace.parts), "this key")
                trace.check_rate()
        return caller

    def count_parts(self, request: Request, route: Route, trace: RequestTrace) -> None:
        """Count a request once for each request inside it. Raises RateLimitExceeded."""
        listed = (request.raw(name) for name in route.batch_arguments)
        trace.parts = max(1, sum(len(one) for one in listed if isinstance(one, (list, dict))))
        if trace.parts > 1 and self._observability.rate_limiter is not None:
            trace.set_rate_status(
                self._observability.rate_limiter.count_address(request.remote, trace.parts - 1), "this address"
            )
            trace.check_rate()

"""The answers of URLs that are not the interface's: asked of the page handler, kept, and sent.

How they are encoded: http/page_responses.py.
"""

from __future__ import annotations

from functools import partial

from vetrina.http import page_responses
from vetrina.http.cached_responses import CacheBackend, CachedResponse, CacheKey, cache_response
from vetrina.http.offload import RequestExecutor, StartAllowance
from vetrina.http.read_positions import is_kept
from vetrina.http.request_reader import Receive, RequestReader, Scope
from vetrina.http.request_trace import RequestTrace
from vetrina.http.responses import Headers
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Request, Response
from vetrina.rest.error_statuses import STATUSES

_TEXT_TYPE = "text/plain; charset=UTF-8"


class PageAnswers:
    """Answers with pages.

    response_cache: caches responses to anonymous reads; None: nothing is cached.
    base_path: the path that the site lives under, empty for none.
    cache_tags: whether anonymous responses name what they were made from.
    """

    def __init__(
        self, page_handler: page_responses.PageHandler, reader: RequestReader, executor: RequestExecutor,
        response_cache: CacheBackend | None, base_path: str, cache_tags: bool,
    ) -> None:  # fmt: skip
        self._page_handler, self._reader, self._executor = page_handler, reader, executor
        self._response_cache, self._base_path, self._cache_tags = response_cache, base_path, cache_tags

    async def answer(
        self, scope: Scope, request: Request, receive: Receive, cache_key: CacheKey | None, trace: RequestTrace
    ) -> tuple[int, Headers, bytes]:
        """Answer a URL that is not the interface's."""
        mark = self._response_cache.mark() if cache_key is not None and self._response_cache is not None else 0
        trace.route = "(page)"
        try:
            self._reader.require_short_target(scope)
            trace.check_rate()
            chunks = self._reader.iterate_chunks(request, receive, page_responses.MAX_BODY_BYTES)
            self._reader.decode(request, b"".join([part async for part in chunks]), None)
            if self._page_handler.is_slow(request):
                answer = await self._executor.run_in_thread(self._page_handler.answer, request)
            else:
                answer, _ = await self._executor.run_inline(partial(self._answer_inline, request))
        except ApiError as error:
            text = f"{error.text}\n".encode()
            answer = Response(STATUSES[error.failure], None, dict(error.headers), [], (_TEXT_TYPE, text), failed=True)
        except Exception as error:
            answer = page_responses.build_fault_response(trace.log_failure(error))
        page_responses.add_base_path(answer, self._base_path)
        if not is_kept(request):
            cache_key = None
        headers, content, etag = page_responses.encode_page(answer, self._cache_tags)
        if cache_key is not None and answer.kinds is not None and etag and self._response_cache is not None:
            cached = CachedResponse(answer.status, headers, content, etag, shared=False, route=trace.route)
            cache_response(self._response_cache, cache_key, mark, answer.kinds, cached)
        return page_responses.build_page_reply(request, answer.status, headers, content, etag)

    def _answer_inline(self, request: Request, begin: StartAllowance) -> Response:
        request.inline = begin()
        return self._page_handler.answer(request)

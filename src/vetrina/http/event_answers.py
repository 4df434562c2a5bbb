"""The answers of an event stream: the same request asked again, for a caller who is signed in again each time.

When they are asked for, and how they are sent: http/event_streams.py.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

import orjson

from vetrina.http.event_streams import AskAgain, EventAnswer
from vetrina.http.offload import RequestExecutor, StartAllowance
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Request, Response
from vetrina.rest.dialects.dialect import Dialect
from vetrina.rest.dispatcher import Dispatcher
from vetrina.rest.route import Route

_LAST_EVENT = "last-event-id"


class EventAnswers:
    """Asks the dispatcher again. sign_in: returns the caller of a request, raises ApiError."""

    def __init__(self, dispatcher: Dispatcher, sign_in: Callable[[Request], Any], executor: RequestExecutor) -> None:
        self._dispatcher, self._sign_in, self._executor = dispatcher, sign_in, executor

    def repeat(self, request: Request, cursor: str, route: Route | None, dialect: Dialect | None) -> AskAgain:
        """Return a function that answers a request after another cursor, None where the caller may hear no more.

        cursor: the name of its argument.
        """
        headers = {name: value for name, value in request.headers.items() if name != _LAST_EVENT}
        plain = dataclasses.replace(request, headers=headers, guesses=None, steps=None, inline=None, route_match=None)

        async def ask_again(position: int) -> EventAnswer | None:
            again = dataclasses.replace(plain, query={**request.query, cursor: str(position)})
            try:
                (answer, caller), _ = await self._executor.run_inline(partial(self._answer, again))
            except ApiError:
                return None  # the password or session was withdrawn
            if answer.failed or answer.events is None:
                return None
            return self.encode(again, answer, route, dialect, caller)

        return ask_again

    def encode(
        self, request: Request, answer: Response, route: Route | None, dialect: Dialect | None, caller: int
    ) -> EventAnswer:
        """Return an answer as events, in the names that the client speaks. caller: the id of the account."""
        page = answer.events
        assert page is not None, "it is asked for answers with events"
        body = answer.body
        if dialect is not None:
            body = orjson.loads(dialect.encode_body(request, route, body)[0])
        entries = body.get(page.member) or [None] * len(page.ids)
        return EventAnswer(page, [orjson.dumps(entry) for entry in entries], caller)

    def _answer(self, request: Request, begin: StartAllowance) -> tuple[Response, int]:
        caller = self._sign_in(request)
        request.inline = begin()
        return self._dispatcher.answer(request, caller), caller.id if caller else 0

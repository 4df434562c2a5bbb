"""The site's account with the outside service that translates: made, told who works here, looked at.

Rules: facts of the multilingual layer, 9; OVERRIDES, 7 (an error is a word, its number in `data.number`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.declare.call import Call, Result
from vetrina.declare.route import READ, WRITE, Route
from vetrina.domain.mlang import accounts
from vetrina.domain.mlang.remote import ServiceFailed
from vetrina.domain.mlang.services import ServiceError
from vetrina.domain.work import Frame
from vetrina.kernel.errors import ApiError

from .access import Forbidden, managers

__all__ = ["routes"]

_PATH: Final = "/mlang/tm/v1/ams"
_ERRORS: Final = (Forbidden, ServiceFailed)


class NotAList(ApiError):
    code = "mlang_engines_not_a_list"
    message = "Send the engines as a JSON list, in the wanted order."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the account."""

    def asking(methods: tuple[str, ...], path: str, ask: Callable[[Call], Any], *errors: type[ApiError]) -> Route:
        return Route(methods, f"{_PATH}/{path}", _told, {}, managers, slow=True, read=True, prepare=_asking(ask),
                     errors=(*_ERRORS, *errors))  # fmt: skip

    return (
        asking(WRITE, "register_manager", _register),
        asking(READ, "synchronize/translators", _synchronise("translators")),
        asking(READ, "synchronize/managers", _synchronise("managers")),
        asking(READ, "status", lambda call: accounts.status(call.work.frame, _open(call))),
        Route(READ, f"{_PATH}/console", _console, {}, managers, errors=(Forbidden,)),
        asking(READ, "engines", lambda call: accounts.engines(call.work.frame, _open(call))),
        asking(WRITE, "engines", _set_engines, NotAList),
    )


def _open(call: Call) -> accounts.Open:
    assert call.open is not None
    return call.open


def _asking(ask: Callable[[Call], Any]) -> Callable[[Call], AbstractContextManager[Any]]:
    """Return the slow work of a route that asks the service."""

    @contextmanager
    def asked(call: Call) -> Iterator[Any]:
        try:
            found = ask(call)
        except ServiceError as error:
            raise ServiceFailed(error) from error
        yield found

    return asked


def _told(call: Call) -> Result:
    return Result(call.prepared)


def _register(call: Call) -> dict[str, Any]:
    try:
        accounts.register(call.work.frame, _open(call))
    except ServiceError as error:
        return {"enabled": False, "error": str(error)}
    return {"enabled": True}


def _synchronise(whom: str) -> Callable[[Call], Any]:
    return lambda call: {"result": accounts.synchronise(call.work.frame, _open(call), whom)}


def _console(call: Call) -> Result:
    return Result(accounts.console(call.work))


def _set_engines(call: Call) -> bool:
    if call.request.body.lstrip()[:1] != b"[":
        raise NotAList
    return accounts.set_engines(call.work.frame, _open(call), call.request.items)

"""The site's account with the outside service that translates: made, told who works here, looked at.

Rules: facts of the multilingual layer, 9; OVERRIDES, 7 (an error is a word, its number in `data.number`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.permissions import Forbidden, managers
from vetrina.multilingual.services import account as service_account
from vetrina.multilingual.services.remote import ServiceFailed
from vetrina.multilingual.services.service import ServiceError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Boolean, Field, Object, String
from vetrina.rest.response_fields import Free
from vetrina.rest.route import READ, WRITE, Route

__all__ = ["routes"]

_PATH: Final = "/mlang/tm/v1/ams"
_ERRORS: Final = (Forbidden, ServiceFailed)
_AS_IT_IS: Final = Free("What the translation service answers, as it is; null without an account.", of=())
_REGISTERED: Final = Object(properties={
    "enabled": Boolean("Whether the site has an account now."), "error": String("Why it has none."),
})  # fmt: skip


class NotAList(ApiError):
    code = "mlang_engines_not_a_list"
    message = "Send the engines as a JSON list, in the wanted order."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the account."""

    def asking(
        methods: tuple[str, ...], path: str, ask: Callable[[Call], Any], answers: Field, *errors: type[ApiError]
    ) -> Route:
        return Route(methods, f"{_PATH}/{path}", _told, {}, managers, slow=True, read=True, prepare=_asking(ask),
                     errors=(*_ERRORS, *errors), answers=answers, says=ask.__doc__ or "")  # fmt: skip

    return (
        asking(WRITE, "register_manager", _register, _REGISTERED),
        asking(READ, "synchronize/translators", _synchronise("translators"), Object(properties={"result": _AS_IT_IS})),
        asking(READ, "synchronize/managers", _synchronise("managers"), Object(properties={"result": _AS_IT_IS})),
        asking(READ, "status", _status, _AS_IT_IS),
        Route(
            READ,
            f"{_PATH}/console",
            _console,
            {},
            managers,
            errors=(Forbidden,),
            answers=String("Address of the service's own pages, `#` without an account."),
        ),
        asking(READ, "engines", _engines, _AS_IT_IS),
        asking(WRITE, "engines", _set_engines, Boolean("Whether the service did it."), NotAList),
    )


def _open(call: Call) -> service_account.Open:
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
    """Register the site, with the caller as its manager, at the translation service."""
    try:
        service_account.register(call.work.frame, _open(call))
    except ServiceError as error:
        return {"enabled": False, "error": str(error)}
    return {"enabled": True}


def _synchronise(whom: str) -> Callable[[Call], Any]:
    def synchronised(call: Call) -> dict[str, Any]:
        return {"result": service_account.synchronise(call.work.frame, _open(call), whom)}

    synchronised.__doc__ = f"Tell the translation service who the site's {whom} are."
    return synchronised


def _status(call: Call) -> Any:
    """Tell how the site's account at the translation service stands."""
    return service_account.status(call.work.frame, _open(call))


def _engines(call: Call) -> Any:
    """List the translation engines, in the order in which they are asked."""
    return service_account.engines(call.work.frame, _open(call))


def _console(call: Call) -> Result:
    """Tell the address of the translation service's console for the caller."""
    return Result(service_account.console(call.work))


def _set_engines(call: Call) -> bool:
    """Choose the translation engines, in their order."""
    if call.request.body.lstrip()[:1] != b"[":
        raise NotAList
    return service_account.set_engines(call.work.frame, _open(call), call.request.items)

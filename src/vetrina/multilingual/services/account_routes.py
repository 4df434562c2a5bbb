"""Routes of the site's account with the translation service.

Rules: docs/rules/translation_services.md, 11, 12 and 13; docs/rules/translation_routes.md, 3 (an error has a word as
its code, and its number in `data.number`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.permissions import TranslationForbidden, require_manager_or_options_permission
from vetrina.multilingual.services import account as service_account, account_people, account_registration
from vetrina.multilingual.services.remote import TranslationServiceFailed
from vetrina.multilingual.services.service import TranslationServiceError
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Field, Object, String
from vetrina.rest.response_fields import Free
from vetrina.rest.route import READ, WRITE, Route

_PATH: Final = "/mlang/tm/v1/ams"
_ERRORS: Final = (TranslationForbidden, TranslationServiceFailed)
_RAW_ANSWER: Final = Free("What the translation service answers, as it is; null without an account.", of=())
_REGISTERED: Final = Object(properties={
    "enabled": Boolean("Whether the site has an account now."), "error": String("Why it has none."),
})  # fmt: skip


class EnginesNotAList(ApiError):
    code = "mlang_engines_not_a_list"
    message = "Send the engines as a JSON list, in the wanted order."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the account."""

    def asking(
        methods: tuple[str, ...], path: str, ask: Callable[[Call], Any], answers: Field, *errors: type[ApiError]
    ) -> Route:
        return Route(
            methods, f"{_PATH}/{path}", _return_prepared, {}, require_manager_or_options_permission, slow=True,
            read=True, prepare=_build_asking_step(ask), errors=(*_ERRORS, *errors), answers=answers,
            summary=ask.__doc__ or "",
        )  # fmt: skip

    return (
        asking(WRITE, "register_manager", _register_account, _REGISTERED),
        asking(
            READ,
            "synchronize/translators",
            _build_people_sync("translators"),
            Object(properties={"result": _RAW_ANSWER}),
        ),
        asking(
            READ, "synchronize/managers", _build_people_sync("managers"), Object(properties={"result": _RAW_ANSWER})
        ),
        asking(READ, "status", _read_status, _RAW_ANSWER),
        Route(
            READ,
            f"{_PATH}/console",
            _read_console_address,
            {},
            require_manager_or_options_permission,
            errors=(TranslationForbidden,),
            answers=String("Address of the service's own pages, `#` without an account."),
        ),
        asking(READ, "engines", _list_engines, _RAW_ANSWER),
        asking(WRITE, "engines", _set_engines, Boolean("Whether the service did it."), EnginesNotAList),
    )  # fmt: skip


def _get_open(call: Call) -> service_account.OpenUnitOfWork:
    assert call.open is not None
    return call.open


def _build_asking_step(ask: Callable[[Call], Any]) -> Callable[[Call], AbstractContextManager[Any]]:
    """Return the slow step of a route that calls the service."""

    @contextmanager
    def asked(call: Call) -> Iterator[Any]:
        try:
            found = ask(call)
        except TranslationServiceError as error:
            raise TranslationServiceFailed(error) from error
        yield found

    return asked


def _return_prepared(call: Call) -> Result:
    return Result(call.prepared)


def _register_account(call: Call) -> dict[str, Any]:
    """Register the site, with the caller as its manager, at the translation service."""
    try:
        account_registration.register_account(call.work.site, _get_open(call))
    except TranslationServiceError as error:
        return {"enabled": False, "error": str(error)}
    return {"enabled": True}


def _build_people_sync(group: str) -> Callable[[Call], Any]:
    def synchronised(call: Call) -> dict[str, Any]:
        return {"result": account_people.synchronize_people(call.work.site, _get_open(call), group)}

    synchronised.__doc__ = f"Tell the translation service who the site's {group} are."
    return synchronised


def _read_status(call: Call) -> Any:
    """Read the status of the site's account at the translation service."""
    return service_account.fetch_account_status(call.work.site, _get_open(call))


def _list_engines(call: Call) -> Any:
    """List the translation engines, in the order in which they are used."""
    return service_account.fetch_engines(call.work.site, _get_open(call))


def _read_console_address(call: Call) -> Result:
    """Return the URL of the translation service's console for the caller."""
    return Result(service_account.build_console_address(call.work))


def _set_engines(call: Call) -> bool:
    """Set the translation engines, in their order."""
    if call.request.body.lstrip()[:1] != b"[":
        raise EnginesNotAList
    return service_account.set_engines(call.work.site, _get_open(call), call.request.items)

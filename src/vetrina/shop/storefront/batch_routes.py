"""Several calls of visitors in one: each is answered as a lone one, in one transaction.

Members are about the cart of the whole, and have its proof, where they bring no other themselves.
Not here: the batch of the site (system/batch/routes.py).
Rules: facts, "Visitors' interface": up to 25, answered 207.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.kernel.errors import ApiError
from vetrina.rest import batches, query_strings
from vetrina.rest.call import Answer, Call, Request, Result
from vetrina.rest.route import WRITE, Route
from vetrina.shop.storefront.visit_permissions import Visit

__all__ = ["InvalidPath", "routes"]

_PASSED_ON: Final = ("cart-token", "nonce", "user-agent")


class InvalidPath(ApiError):
    code = "shop_rest_batch_invalid_path"
    message = "The path {path!r} is none of this namespace; a batch here carries only such ones."


def routes(base: str) -> tuple[Route, ...]:
    """Return the route of a batch; base: the address of the namespace."""

    def batch(call: Call) -> Result:
        """Carry out several writes on the cart in one call; each is answered by itself."""
        visit = Visit(call)
        shared = {**visit.passed_on(), **_passed_on(call.request)}
        members = [_prepared(call, member, base, shared) for member in call.args["requests"]]
        faults = [_fault(call, member) for member in members]
        if call.args["validation"] == "require-all-validate" and any(faults):
            return batches.none_ran(faults)
        room = batches.Room(call)
        result = batches.answered(
            [
                fault or room.answer(partial(call.ask.answer_within, member, call.work))
                for member, fault in zip(members, faults, strict=True)
            ]
        )
        visit.forget_cart()
        result.headers |= visit.headers()
        return result

    return (
        Route(
            WRITE,
            f"{base}/batch",
            batch,
            batches.ARGUMENTS,
            answers=batches.ANSWERED,
            status=207,
            errors=(InvalidPath,),
            carries=("requests",),
        ),
    )


def _passed_on(request: Request) -> dict[str, str]:
    return {name: value for name in _PASSED_ON if (value := request.headers.get(name))}


def _prepared(call: Call, member: dict[str, Any], base: str, shared: dict[str, str]) -> Request:
    """Return the request that a member describes; shared: headers of the whole. Raises InvalidPath."""
    outer, path = call.request, member["path"]
    try:
        parts = urlsplit(path)
    except ValueError:
        raise InvalidPath(path=path) from None
    if not parts.path.startswith(f"{base.removesuffix('/v1')}/"):
        raise InvalidPath(path=path)
    headers = {**shared, **batches.headers_of(member)}
    return Request(
        member["method"], parts.path, outer.root, outer.origin, outer.language, query=query_strings.parse(parts.query),
        form=member.get("body") or {}, headers=headers, remote=outer.remote, inner=True,
    )  # fmt: skip


def _fault(call: Call, member: Request) -> Answer | None:
    """Return what a member is refused with before it runs, or None."""
    try:
        call.ask.check(member, call.work)
    except ApiError as error:
        return Answer(error.answer_status, error.body(), {}, [], failed=True)
    return None

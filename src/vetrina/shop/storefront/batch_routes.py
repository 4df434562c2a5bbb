"""Storefront batch: several calls of a visitor in one transaction, each with its own response.

Members use the cart and the nonce of the outer request, unless they send their own. Not here: the batch of the site
(system/batch/routes.py). Rules: docs/rules/store_products.md, 6: up to 25, status 207.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError
from vetrina.rest import batch_envelopes, query_strings
from vetrina.rest.call import Request, Response, Result
from vetrina.rest.error_statuses import build_member_error_response
from vetrina.rest.route import WRITE, Route
from vetrina.shop.storefront.cart_session import CartSession

_FORWARDED_HEADERS: Final = ("cart-token", "nonce", "user-agent")


class InvalidBatchPath(ApiError):
    code = "shop_rest_batch_invalid_path"
    message = "The path {path!r} is none of this namespace; a batch here carries only such ones."


def build_routes(base: str) -> tuple[Route, ...]:
    """Return the batch route; base: path of the namespace."""

    def batch(call: Call) -> Result:
        """Carry out several writes on the cart in one call; each has its own result."""
        visit = CartSession(call)
        shared = {**visit.build_forwarded_headers(), **_select_forwarded_headers(call.request)}
        members = [_build_member_request(call, member, base, shared) for member in call.args["requests"]]
        faults = [_find_member_fault(call, member) for member in members]
        if call.args["validation"] == "require-all-validate" and any(faults):
            return batch_envelopes.build_unrun_result(faults)
        room = batch_envelopes.BatchBudget(call)
        result = batch_envelopes.build_batch_result(
            [
                fault or room.answer(partial(call.ask.answer_within, member, call.work))
                for member, fault in zip(members, faults, strict=True)
            ]
        )
        visit.forget_cart()
        result.headers |= visit.build_headers()
        return result

    return (
        Route(
            WRITE, f"{base}/batch", batch, batch_envelopes.BATCH_ARGUMENTS, answers=batch_envelopes.BATCH_RESPONSE,
            status=207,
            errors=(InvalidBatchPath,), batch_arguments=("requests",),
        ),
    )  # fmt: skip


def _select_forwarded_headers(request: Request) -> dict[str, str]:
    return {name: value for name in _FORWARDED_HEADERS if (value := request.headers.get(name))}


def _build_member_request(call: Call, member: dict[str, Any], base: str, shared: dict[str, str]) -> Request:
    """Return the request that a member describes; shared: headers of the outer request. Raises InvalidBatchPath."""
    outer, path = call.request, member["path"]
    try:
        parts = urlsplit(path)
    except ValueError:
        raise InvalidBatchPath(path=path) from None
    if not parts.path.startswith(f"{base.removesuffix('/v1')}/"):
        raise InvalidBatchPath(path=path)
    headers = {**shared, **batch_envelopes.build_member_headers(member)}
    return Request(
        member["method"], parts.path, outer.root, outer.origin, outer.language,
        query=query_strings.parse_query(parts.query), form=member.get("body") or {}, headers=headers,
        remote=outer.remote, inner=True,
    )  # fmt: skip


def _find_member_fault(call: Call, member: Request) -> Response | None:
    """Return the error response of a member that is refused before it runs, or None."""
    try:
        call.ask.check(member, call.work)
    except ApiError as error:
        return build_member_error_response(error)
    return None

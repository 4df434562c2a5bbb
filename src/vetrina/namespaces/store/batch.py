"""Several calls of visitors in one: each is answered as a lone one, in one transaction.

A member without a proof of its own has that of the whole. Not here: the batch of the site (namespaces/batch.py).
Rules: facts, "Visitors' interface": up to 25, answered 207.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.declare import batches, query
from vetrina.declare.call import Answer, Call, Request, Result
from vetrina.declare.route import WRITE, Route
from vetrina.domain.shop import cart_tokens
from vetrina.domain.work import Work
from vetrina.kernel.errors import ApiError

__all__ = ["InvalidPath", "routes"]

_PASSED_ON: Final = ("cart-token", "nonce")


class InvalidPath(ApiError):
    code = "shop_rest_batch_invalid_path"
    message = "The path {path!r} is none of this namespace; a batch here carries only such ones."


def routes(base: str) -> tuple[Route, ...]:
    """Return the route of a batch; base: the address of the namespace."""

    def batch(call: Call) -> Result:
        """Carry out several writes on the cart in one call; each is answered by itself."""
        members = [_prepared(call, member, base) for member in call.args["requests"]]
        faults = [_fault(call, member) for member in members]
        if call.args["validation"] == "require-all-validate" and any(faults):
            return batches.none_ran(faults)
        result = batches.answered(
            [fault or call.ask.answer_within(member, call.work) for member, fault in zip(members, faults, strict=True)]
        )
        work: Work = call.work
        nonce = cart_tokens.nonce(work.frame, work.user.id, work.now)
        result.headers |= {"Nonce": nonce, "Nonce-Timestamp": str(work.now)}
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


def _prepared(call: Call, member: dict[str, Any], base: str) -> Request:
    """Return the request that a member describes. Raises InvalidPath."""
    outer, path = call.request, member["path"]
    try:
        parts = urlsplit(path)
    except ValueError:
        raise InvalidPath(path=path) from None
    if not parts.path.startswith(f"{base.removesuffix('/v1')}/"):
        raise InvalidPath(path=path)
    own = batches.headers_of(member)
    kept = {name: value for name in (*_PASSED_ON, "user-agent") if (value := outer.headers.get(name))}
    if any(name in own for name in _PASSED_ON):
        kept = {name: value for name, value in kept.items() if name not in _PASSED_ON}
    return Request(
        member["method"], parts.path, outer.root, outer.origin, outer.language, query=query.parse(parts.query),
        form=member.get("body") or {}, headers={**kept, **own}, remote=outer.remote, inner=True,
    )  # fmt: skip


def _fault(call: Call, member: Request) -> Answer | None:
    """Return what a member is refused with before it runs, or None."""
    try:
        call.ask.check(member, call.work)
    except ApiError as error:
        return Answer(error.answer_status, error.body(), {}, [], failed=True)
    return None

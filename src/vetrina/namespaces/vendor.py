"""The vendor's call: it makes the site fetch what its subscription is, once in two hours at most.

Rules: facts of the multilingual layer, 11.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import Object, String
from vetrina.declare.route import READ, Route
from vetrina.domain.mlang import subscription
from vetrina.domain.mlang.subscription import LookedAtLately
from vetrina.domain.work import Frame

__all__ = ["routes"]

_ANSWER: Final = Object(properties={"message": String()})
_OK: Final[dict[str, Any]] = {"message": "OK"}


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the route of the vendor."""
    path = "/vendor/installer/v1/push/fetch-subscription"
    return (Route(READ, path, _fetch, read=False, answers=_ANSWER, errors=(LookedAtLately,), also=(403,)),)


def _fetch(call: Call) -> Result:
    """Refresh the subscription of the installer."""
    subscription.refresh(call.work)
    return Result(dict(_OK))

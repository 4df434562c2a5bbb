"""The vendor's call: it makes the site fetch what its subscription is, once in two hours at most.

Rules: facts of the multilingual layer, 11.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.multilingual.services import subscription
from vetrina.multilingual.services.subscription import LookedAtLately
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Object, String
from vetrina.rest.route import READ, Route

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

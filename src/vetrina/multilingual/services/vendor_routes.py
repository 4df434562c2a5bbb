"""The route by which the vendor makes the site check its subscription, at most once in two hours.

Rules: docs/rules/translation_services.md, 15.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.multilingual.services import vendor_subscription
from vetrina.multilingual.services.vendor_subscription import SubscriptionCheckedRecently
from vetrina.rest.call import Result
from vetrina.rest.fields import Object, String
from vetrina.rest.route import READ, Route

_ANSWER: Final = Object(properties={"message": String()})
_OK: Final[dict[str, Any]] = {"message": "OK"}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the vendor."""
    path = "/vendor/installer/v1/push/fetch-subscription"
    return (
        Route(
            READ, path, _fetch_subscription, read=False, answers=_ANSWER, errors=(SubscriptionCheckedRecently,),
            other_statuses=(403,),
        ),
    )  # fmt: skip


def _fetch_subscription(call: Call) -> Result:
    """Refresh the subscription of the installer."""
    vendor_subscription.refresh_subscription(call.work)
    return Result(dict(_OK))

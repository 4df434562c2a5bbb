"""Features, experiments, notices, the mobile app.

Not here: what the words stand for. Rules: facts, "Features, experiments, notices, mobile app".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Field, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.admin import features as admin_features
from vetrina.shop.admin import launching
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses

__all__ = ["routes"]

_APP: Final = "/shop-admin/mobile-app"
_LISTS: Final = {
    "continents": "Continents with their countries and what is usual there.",
    "countries": "Countries with their states.",
    "currencies": "Currencies with their names and signs.",
}
_ASSIGNMENT_SECONDS: Final = 3600


class ExperimentUnnamed(ApiError):
    code = "shop_rest_experiment_name_required"
    message = "Say which experiment, as `experiment_name`."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of features, experiments, notices and the mobile app."""
    named: dict[str, Field] = {}
    return (
        Route(
            WRITE,
            "/shop-admin/notice/dismiss",
            _dismiss,
            named,
            admin_permissions.launching,
            errors=(launching.NoticeRefused,),
            answers=admin_responses.SUCCESS,
        ),
        Route(READ, "/shop-admin/features", _features, {}, admin_permissions.viewing, answers=Array(items=String())),
        Route(
            READ,
            "/shop-admin/experiments/assignment",
            _assignment,
            {},
            admin_permissions.viewing,
            errors=(ExperimentUnnamed,),
            answers=admin_responses.VARIATIONS,
        ),
        Route(READ, _APP, _index, {}, admin_permissions.viewing, answers=admin_responses.APP),
        Route(
            READ,
            f"{_APP}/send-magic-link",
            _send_link,
            {},
            admin_permissions.viewing,
            errors=(launching.NotConnected,),
            answers=admin_responses.SUCCESS,
        ),
    )


def _dismiss(call: Call) -> Result:
    """Remember that a notice was put away."""
    given = call.request.raw
    return Result({"success": launching.dismiss_notice(call.work, given("dismiss_notice_nonce"), given("notice_id"))})


def _features(call: Call) -> Result:
    """List the features that are switched on."""
    # Programs begin with this list, so the nonce that dismisses notices comes along.
    return Result(admin_features.list_on(call.work), headers={"X-CMS-Notice-Nonce": launching.notice_nonce(call.work)})


def _assignment(call: Call) -> Result:
    """Tell which variation of an experiment the site takes part in."""
    name = call.request.raw("experiment_name")
    if not isinstance(name, str) or not name:
        raise ExperimentUnnamed
    return Result({"variations": {name: admin_features.variation(call.work, name)}, "ttl": _ASSIGNMENT_SECONDS})


def _index(call: Call) -> Result:
    """List what the routes for the mobile app tell."""
    api = call.work.api
    body: list[dict[str, Any]] = [
        {
            "slug": slug,
            "description": text,
            "_links": {"self": [{"href": api(f"{_APP}/{slug}")}], "collection": [{"href": api(_APP)}]},
        }
        for slug, text in _LISTS.items()
    ]
    return Result(body)


def _send_link(call: Call) -> Result:
    """Answer that no link can be mailed while the site is not connected."""
    raise launching.NotConnected

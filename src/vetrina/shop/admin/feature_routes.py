"""Routes of features, experiments and notices.

Rules: docs/rules/shop_admin.md, 4.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.admin import (
    features as admin_features,
    notices,
    permissions as admin_permissions,
    responses as admin_responses,
)

_ASSIGNMENT_SECONDS: Final = 3600


class ExperimentNameMissing(ApiError):
    code = "shop_rest_experiment_name_required"
    message = "Say which experiment, as `experiment_name`."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of features, experiments and notices."""
    named: dict[str, Field] = {}
    return (
        Route(
            WRITE, "/shop-admin/notice/dismiss", _dismiss_notice, named, admin_permissions.require_launch_permission,
            errors=(notices.NoticeNonceRefused,), answers=admin_responses.SUCCESS,
        ),
        Route(
            READ, "/shop-admin/features", _list_features, {}, admin_permissions.require_view_permission,
            answers=Array(items=String()),
        ),
        Route(
            READ, "/shop-admin/experiments/assignment", _read_experiment_assignment, {},
            admin_permissions.require_view_permission, errors=(ExperimentNameMissing,),
            answers=admin_responses.VARIATIONS,
        ),
    )  # fmt: skip


def _dismiss_notice(call: Call) -> Result:
    """Dismiss a notice for good."""
    given = call.request.raw
    return Result({"success": notices.dismiss_notice(call.work, given("dismiss_notice_nonce"), given("notice_id"))})


def _list_features(call: Call) -> Result:
    """List the enabled features."""
    # Clients start with this list, so it carries the nonce for dismissing notices.
    return Result(
        admin_features.list_admin_features(call.work),
        headers={"X-CMS-Notice-Nonce": notices.build_notice_nonce(call.work)},
    )


def _read_experiment_assignment(call: Call) -> Result:
    """Return the variation of an experiment that the site takes part in."""
    name = call.request.raw("experiment_name")
    if not isinstance(name, str) or not name:
        raise ExperimentNameMissing
    return Result(
        {"variations": {name: admin_features.find_experiment_variation(call.work, name)}, "ttl": _ASSIGNMENT_SECONDS}
    )

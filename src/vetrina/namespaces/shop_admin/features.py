"""Features, experiments, notices, the mobile app.

Not here: what the words stand for. Rules: facts, "Features, experiments, notices, mobile app".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import Array, Field, String
from vetrina.declare.route import READ, WRITE, Route
from vetrina.domain.shop.admin import features, launching
from vetrina.domain.work import Frame
from vetrina.kernel.errors import ApiError

from . import access, answers

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
            WRITE, "/shop-admin/notice/dismiss", _dismiss, named, access.launching,
            errors=(launching.NoticeRefused,), answers=answers.SUCCESS,
        ),
        Route(READ, "/shop-admin/features", _features, {}, access.viewing, answers=Array(items=String())),
        Route(
            READ, "/shop-admin/experiments/assignment", _assignment, {}, access.viewing, errors=(ExperimentUnnamed,),
            answers=answers.VARIATIONS,
        ),
        Route(READ, _APP, _index, {}, access.viewing, answers=answers.APP),
        Route(
            READ, f"{_APP}/send-magic-link", _send_link, {}, access.viewing, errors=(launching.NotConnected,),
            answers=answers.SUCCESS,
        ),
    )  # fmt: skip


def _dismiss(call: Call) -> Result:
    """Remember that a notice was put away."""
    given = call.request.raw
    return Result({"success": launching.dismiss_notice(call.work, given("dismiss_notice_nonce"), given("notice_id"))})


def _features(call: Call) -> Result:
    """List the features that are switched on."""
    # Programs begin with this list, so the nonce that dismisses notices comes along.
    return Result(features.list_on(call.work), headers={"X-CMS-Notice-Nonce": launching.notice_nonce(call.work)})


def _assignment(call: Call) -> Result:
    """Tell which variation of an experiment the site takes part in."""
    name = call.request.raw("experiment_name")
    if not isinstance(name, str) or not name:
        raise ExperimentUnnamed
    return Result({"variations": {name: features.variation(call.work, name)}, "ttl": _ASSIGNMENT_SECONDS})


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

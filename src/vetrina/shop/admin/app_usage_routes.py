"""Records which version of a mobile app a shop is run with."""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.fields import Field, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import WRITE, Route
from vetrina.shop.permissions import require_view_permission

_PLATFORMS: Final = ("ios", "android")
_APP_USAGE_OPTION: Final = "shop_mobile_app_usage"


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route that records the use of apps."""
    args: dict[str, Field] = {
        "platform": String("What the app runs on.", required=True),
        "version": String("Its version.", required=True),
        "installation_date": String("When it was first used.", null="keep"),
    }
    return (Route(WRITE, "/shop-telemetry/tracker", _record_app_use, args, require_view_permission, answers=Nothing()),)


def _record_app_use(call: Call) -> Result:
    """Record which version of a mobile app sent the request."""
    work = call.work
    platform, version = call.args["platform"], call.args["version"]
    if platform in _PLATFORMS:
        stored = work.stored_option(_APP_USAGE_OPTION)
        usage = stored if isinstance(stored, dict) else {}
        work.set_option(_APP_USAGE_OPTION, {**usage, platform: {"version": version[:50], "last_used": work.now}})
    return Result(None)

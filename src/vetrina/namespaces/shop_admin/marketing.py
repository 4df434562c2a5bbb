"""Marketing: what is recommended, channels, campaigns, what is installed of it.

Channels and campaigns come from modules that bring them; none is built in. Not here: the lists
(domain/shop/admin/suggestions.py). Rules: facts, "Suggestions and marketing".
"""

from __future__ import annotations

from typing import Final

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import VIEW, Array, Field, Integer, Object, String
from vetrina.declare.route import CHANGE, READ, Route
from vetrina.domain.shop.admin import modules, suggestions
from vetrina.domain.work import Frame
from vetrina.kernel.errors import ApiError

from . import access

__all__ = ["routes"]

_PATH: Final = "/shop-admin/marketing"


class PluginUnknown(ApiError):
    code = "shop_rest_invalid_plugin"
    message = "The module {slug!r} is not installed."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of marketing."""
    per_page = Integer("How many.", default=10, minimum=1, maximum=100, null="keep")
    paging: dict[str, Field] = {
        "context": String("What is shown.", enum=(VIEW,), null="keep"),
        "page": Integer("Which page.", default=1, minimum=1, null="keep"),
        "per_page": per_page,
    }
    category = String("Only those of a category.", null="keep")
    which = String("What is to be recommended.", enum=("channels", "extensions"), required=True)
    plugin = String("Name of the module.", required=True)
    many = Array(items=Object())
    return (
        Route(
            READ, f"{_PATH}/recommended", _recommended, {"per_page": per_page, "category": category},
            access.setting_up, answers=many,
        ),
        Route(READ, f"{_PATH}/knowledge-base", _nothing, {"category": category}, access.viewing, answers=many),
        Route(READ, f"{_PATH}/misc-recommendations", _nothing, {}, access.setting_up, answers=many),
        Route(READ, f"{_PATH}/recommendations", _recommendations, {"category": which}, access.viewing, answers=many),
        Route(READ, f"{_PATH}/overview/installed-plugins", _installed, {}, access.viewing, answers=many),
        Route(
            CHANGE, f"{_PATH}/overview/activate-plugin", _activate, {"plugin": plugin}, access.setting_up,
            errors=(PluginUnknown,), answers=Object(properties={"status": String()}),
        ),
        Route(READ, f"{_PATH}/channels", _nothing, {}, access.viewing, answers=many),
        Route(READ, f"{_PATH}/campaigns", _page, paging, access.viewing, answers=many),
        Route(READ, f"{_PATH}/campaign-types", _nothing, paging, access.viewing, answers=many),
    )  # fmt: skip


def _recommended(call: Call) -> Result:
    category = call.args.get("category") or ""
    found = suggestions.marketing(call.work, "extensions" if category == "marketing" else category)
    if not category:
        found = found[:10]
    return Result(found[: call.args["per_page"]])


def _recommendations(call: Call) -> Result:
    return Result(suggestions.marketing(call.work, call.args["category"]))


def _installed(call: Call) -> Result:
    have, on = modules.installed(call.work), modules.active(call.work)
    return Result(
        [
            {
                "slug": one["product"], "name": one["title"], "description": one["description"], "icon": one["icon"],
                "status": "active" if one["product"] in on else "installed",
            }
            for one in suggestions.marketing(call.work)
            if one["product"] in have
        ]
    )  # fmt: skip


def _activate(call: Call) -> Result:
    slug = call.args["plugin"].partition("/")[0]
    if modules.activate(call.work, [slug]).errors:
        raise PluginUnknown(slug=slug)
    return Result({"status": "success"})


def _nothing(call: Call) -> Result:
    return Result([])


def _page(call: Call) -> Result:
    return Result([], headers={"X-CMS-Total": 0, "X-CMS-TotalPages": 0})

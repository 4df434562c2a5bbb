"""Marketing: what is recommended, channels, campaigns, what is installed of it.

Not here: the lists (shop/admin/suggestions.py), channels and campaigns (shop/admin/marketing_channels.py).
Rules: facts, "Suggestions and marketing".
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final, TypeVar

from vetrina.core.unit_of_work import Frame
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import VIEW, Field, Integer, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.shop.admin import marketing_channels, suggestions
from vetrina.shop.admin import modules as admin_modules
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses
from vetrina.shop.admin.marketing_channels import Campaign, CampaignKind, Channel, Standing
from vetrina.shop.marketplace import rules as marketplace
from vetrina.shop.settings import rules as settings

__all__ = ["routes"]

T = TypeVar("T")

_PATH: Final = "/shop-admin/marketing"
_ARTICLE: Final = ("title", "date", "link", "author_name", "author_avatar", "image")
_OTHER: Final = ("id", "title", "description", "url", "icon")


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
    return (
        Route(
            READ,
            f"{_PATH}/recommended",
            _recommended,
            {"per_page": per_page, "category": category},
            admin_permissions.setting_up,
            answers=admin_responses.MARKETED,
        ),
        Route(
            READ,
            f"{_PATH}/knowledge-base",
            _articles,
            {"category": category},
            admin_permissions.viewing,
            answers=admin_responses.ARTICLES,
        ),
        Route(
            READ,
            f"{_PATH}/misc-recommendations",
            _others,
            {},
            admin_permissions.setting_up,
            answers=admin_responses.RECOMMENDED,
        ),
        Route(
            READ,
            f"{_PATH}/recommendations",
            _recommendations,
            {"category": which},
            admin_permissions.viewing,
            answers=admin_responses.MARKETED,
        ),
        Route(
            READ,
            f"{_PATH}/overview/installed-plugins",
            _installed,
            {},
            admin_permissions.viewing,
            answers=admin_responses.INSTALLED,
        ),
        Route(
            CHANGE,
            f"{_PATH}/overview/activate-plugin",
            _activate,
            {"plugin": plugin},
            admin_permissions.setting_up,
            errors=(PluginUnknown,),
            answers=Object(properties={"status": String()}),
        ),
        Route(READ, f"{_PATH}/channels", _channels, {}, admin_permissions.viewing, answers=admin_responses.CHANNELS),
        Route(
            READ, f"{_PATH}/campaigns", _campaigns, paging, admin_permissions.viewing, answers=admin_responses.CAMPAIGNS
        ),
        Route(
            READ,
            f"{_PATH}/campaign-types",
            _kinds,
            paging,
            admin_permissions.viewing,
            answers=admin_responses.CAMPAIGN_KINDS,
        ),
    )


def _recommended(call: Call) -> Result:
    """List the marketing modules that are recommended, one category or all."""
    category = call.args.get("category") or ""
    found = suggestions.marketing(call.work, "extensions" if category == "marketing" else category)
    if not category:
        found = found[:10]
    return Result(found[: call.args["per_page"]])


def _recommendations(call: Call) -> Result:
    """List the marketing channels or extensions that are recommended."""
    return Result(suggestions.marketing(call.work, call.args["category"]))


def _installed(call: Call) -> Result:
    """List the marketing modules that are installed."""
    have, on = admin_modules.installed(call.work), admin_modules.active(call.work)
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
    """Switch on a marketing module."""
    slug = call.args["plugin"].partition("/")[0]
    if admin_modules.activate(call.work, [slug]).errors:
        raise PluginUnknown(slug=slug)
    return Result({"status": "success"})


def _articles(call: Call) -> Result:
    """List the articles about marketing that the marketplace's catalogue has, of one category or all."""
    category = call.args.get("category") or ""
    rows = marketplace.catalogue(call.work.frame).rows("article")
    found = [one for one in rows if not category or one.get("category") == category]
    return Result([{name: str(one.get(name, "")) for name in _ARTICLE} for one in found])


def _others(call: Call) -> Result:
    """List what else the marketplace's catalogue recommends."""
    rows = marketplace.catalogue(call.work.frame).rows("recommendation")
    return Result([{name: str(one.get(name, "")) for name in _OTHER} for one in rows])


def _channels(call: Call) -> Result:
    """List the marketing channels."""
    return Result([_channel(one, one.stands(call.work)) for one in marketing_channels.channels(call.work)])


def _channel(one: Channel, stands: Standing) -> dict[str, Any]:
    return {
        "slug": one.slug, "is_setup_completed": stands.set_up, "settings_url": stands.settings_url, "name": one.name,
        "description": one.description, "product_listings_status": stands.listings, "errors_count": stands.errors,
        "icon": one.icon,
    }  # fmt: skip


def _campaigns(call: Call) -> Result:
    """List the campaigns of the marketing channels, with what they cost."""
    found = marketing_channels.campaigns(call.work)
    places = settings.decimals(call.work)
    headers, links = page_headers(call, len(found), call.args["per_page"], call.args["page"])
    return Result([_campaign(*one, places) for one in _page(call, found)], headers=headers, links=links)


def _campaign(channel: Channel, one: Campaign, places: int) -> dict[str, Any]:
    def amount(of: Decimal | None) -> dict[str, str] | None:
        return None if of is None else {"value": money.text(of, places), "currency": one.currency}

    return {
        "id": one.id, "channel": channel.slug, "title": one.title, "manage_url": one.manage_url,
        "cost": amount(one.cost), "sales": amount(one.sales),
    }  # fmt: skip


def _kinds(call: Call) -> Result:
    """List the kinds of campaigns that the marketing channels have."""
    found = [(channel, kind) for channel in marketing_channels.channels(call.work) for kind in channel.kinds]
    return Result([_kind(*one) for one in _page(call, found)])


def _kind(channel: Channel, one: CampaignKind) -> dict[str, Any]:
    return {
        "id": one.id, "name": one.name, "description": one.description,
        "channel": {"slug": channel.slug, "name": channel.name}, "create_url": one.create_url,
        "icon_url": one.icon_url,
    }  # fmt: skip


def _page(call: Call, found: list[T]) -> list[T]:
    size = call.args["per_page"]
    return found[(call.args["page"] - 1) * size :][:size]

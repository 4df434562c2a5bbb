"""Routes of marketing: recommendations, channels, campaigns, installed modules.

Not here: the recommendations (shop/admin/suggestions.py), channels and campaigns (shop/admin/marketing_channels.py).
Rules: docs/rules/shop_suggestions.md, 4 and 5.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final, TypeVar

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Result
from vetrina.rest.fields import VIEW, Field, Integer, Object, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.shop.admin import (
    marketing_channels,
    modules as admin_modules,
    permissions as admin_permissions,
    responses as admin_responses,
    suggestions,
)
from vetrina.shop.admin.marketing_channels import CampaignType, ChannelStatus, MarketingCampaign, MarketingChannel
from vetrina.shop.marketplace import rules as marketplace
from vetrina.shop.settings import rules as settings

MarketingItemT = TypeVar("MarketingItemT")

_PATH: Final = "/shop-admin/marketing"
_ARTICLE_MEMBERS: Final = ("title", "date", "link", "author_name", "author_avatar", "image")
_RECOMMENDATION_MEMBERS: Final = ("id", "title", "description", "url", "icon")


class MarketingPluginNotFound(ApiError):
    code = "shop_rest_invalid_plugin"
    message = "The module {slug!r} is not installed."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
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
            READ, f"{_PATH}/recommended", _list_recommended_modules, {"per_page": per_page, "category": category},
            admin_permissions.require_admin_update_permission, answers=admin_responses.MARKETING_MODULES,
        ),
        Route(
            READ, f"{_PATH}/knowledge-base", _list_articles, {"category": category},
            admin_permissions.require_view_permission, answers=admin_responses.ARTICLES,
        ),
        Route(
            READ, f"{_PATH}/misc-recommendations", _list_other_recommendations, {},
            admin_permissions.require_admin_update_permission, answers=admin_responses.RECOMMENDATIONS,
        ),
        Route(
            READ, f"{_PATH}/recommendations", _list_recommendations, {"category": which},
            admin_permissions.require_view_permission, answers=admin_responses.MARKETING_MODULES,
        ),
        Route(
            READ, f"{_PATH}/overview/installed-plugins", _list_installed_modules, {},
            admin_permissions.require_view_permission, answers=admin_responses.INSTALLED_MODULES,
        ),
        Route(
            CHANGE, f"{_PATH}/overview/activate-plugin", _activate_module, {"plugin": plugin},
            admin_permissions.require_admin_update_permission, errors=(MarketingPluginNotFound,),
            answers=Object(properties={"status": String()}),
        ),
        Route(
            READ, f"{_PATH}/channels", _list_channels, {}, admin_permissions.require_view_permission,
            answers=admin_responses.CHANNELS,
        ),
        Route(
            READ, f"{_PATH}/campaigns", _list_campaigns, paging, admin_permissions.require_view_permission,
            answers=admin_responses.CAMPAIGNS,
        ),
        Route(
            READ, f"{_PATH}/campaign-types", _list_campaign_types, paging, admin_permissions.require_view_permission,
            answers=admin_responses.CAMPAIGN_KINDS,
        ),
    )  # fmt: skip


def _list_recommended_modules(call: Call) -> Result:
    """List the recommended marketing modules, of one category or all."""
    category = call.args.get("category") or ""
    found = suggestions.list_marketing_extensions(call.work, "extensions" if category == "marketing" else category)
    if not category:
        found = found[:10]
    return Result(found[: call.args["per_page"]])


def _list_recommendations(call: Call) -> Result:
    """List the recommended marketing channels or extensions."""
    return Result(suggestions.list_marketing_extensions(call.work, call.args["category"]))


def _list_installed_modules(call: Call) -> Result:
    """List the installed marketing modules."""
    have, on = admin_modules.list_installed_modules(call.work), admin_modules.list_active_modules(call.work)
    return Result(
        [
            {
                "slug": one["product"], "name": one["title"], "description": one["description"], "icon": one["icon"],
                "status": "active" if one["product"] in on else "installed",
            }
            for one in suggestions.list_marketing_extensions(call.work)
            if one["product"] in have
        ]
    )  # fmt: skip


def _activate_module(call: Call) -> Result:
    """Activate a marketing module."""
    slug = call.args["plugin"].partition("/")[0]
    if admin_modules.activate_modules(call.work, [slug]).errors:
        raise MarketingPluginNotFound(slug=slug)
    return Result({"status": "success"})


def _list_articles(call: Call) -> Result:
    """List the marketing articles of the marketplace's catalogue, of one category or all."""
    category = call.args.get("category") or ""
    rows = marketplace.open_catalog(call.work.site).list_rows("article")
    found = [one for one in rows if not category or one.get("category") == category]
    return Result([{name: str(one.get(name, "")) for name in _ARTICLE_MEMBERS} for one in found])


def _list_other_recommendations(call: Call) -> Result:
    """List the other recommendations of the marketplace's catalogue."""
    rows = marketplace.open_catalog(call.work.site).list_rows("recommendation")
    return Result([{name: str(one.get(name, "")) for name in _RECOMMENDATION_MEMBERS} for one in rows])


def _list_channels(call: Call) -> Result:
    """List the marketing channels."""
    return Result(
        [
            _serialize_channel(one, one.read_status(call.work))
            for one in marketing_channels.list_active_channels(call.work)
        ]
    )


def _serialize_channel(one: MarketingChannel, stands: ChannelStatus) -> dict[str, Any]:
    return {
        "slug": one.slug, "is_setup_completed": stands.set_up, "settings_url": stands.settings_url, "name": one.name,
        "description": one.description, "product_listings_status": stands.listings, "errors_count": stands.errors,
        "icon": one.icon,
    }  # fmt: skip


def _list_campaigns(call: Call) -> Result:
    """List the campaigns of the marketing channels, with their costs."""
    found = marketing_channels.list_campaigns(call.work)
    places = settings.get_price_decimals(call.work)
    headers, links = build_page_headers(call, len(found), call.args["per_page"], call.args["page"])
    return Result(
        [_serialize_campaign(*one, places) for one in _paginate_items(call, found)], headers=headers, links=links
    )


def _serialize_campaign(channel: MarketingChannel, one: MarketingCampaign, places: int) -> dict[str, Any]:
    def amount(value: Decimal | None) -> dict[str, str] | None:
        return None if value is None else {"value": money.format_amount(value, places), "currency": one.currency}

    return {
        "id": one.id, "channel": channel.slug, "title": one.title, "manage_url": one.manage_url,
        "cost": amount(one.cost), "sales": amount(one.sales),
    }  # fmt: skip


def _list_campaign_types(call: Call) -> Result:
    """List the types of campaigns that the marketing channels offer."""
    found = [
        (channel, kind) for channel in marketing_channels.list_active_channels(call.work) for kind in channel.kinds
    ]
    return Result([_serialize_campaign_type(*one) for one in _paginate_items(call, found)])


def _serialize_campaign_type(channel: MarketingChannel, one: CampaignType) -> dict[str, Any]:
    return {
        "id": one.id, "name": one.name, "description": one.description,
        "channel": {"slug": channel.slug, "name": channel.name}, "create_url": one.create_url,
        "icon_url": one.icon_url,
    }  # fmt: skip


def _paginate_items(call: Call, items: list[MarketingItemT]) -> list[MarketingItemT]:
    size = call.args["per_page"]
    return items[(call.args["page"] - 1) * size :][:size]

"""Marketing channels of a shop and their campaigns, as its modules report them.

A package adds a channel by an entry point of the group `vetrina.marketing_channels` that names a `MarketingChannel`; it
counts while its module is active. None is built in. Not here: the routes (shop/admin/marketing_routes.py), modules
(shop/admin/modules.py), recommendations (shop/admin/suggestions.py). Rules: docs/rules/shop_suggestions.md, 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from importlib.metadata import entry_points
from typing import Final, Literal

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.admin import modules as admin_modules

_GROUP: Final = "vetrina.marketing_channels"


class ChannelStatus(msgspec.Struct, frozen=True):
    """The status of a channel. listings: what became of the products sent to it."""

    set_up: bool = False
    settings_url: str = ""
    listings: Literal["sync-in-progress", "sync-failed", "synced", "not-applicable"] = "not-applicable"
    errors: int = 0


class CampaignType(msgspec.Struct, frozen=True):
    """A type of campaign that a channel offers."""

    id: str
    name: str
    description: str
    create_url: str
    icon_url: str


class MarketingCampaign(msgspec.Struct, frozen=True):
    """A running campaign. cost, sales: in the currency; None where the channel does not report them."""

    id: str
    title: str
    manage_url: str
    currency: str = ""
    cost: Decimal | None = None
    sales: Decimal | None = None


class MarketingChannel(msgspec.Struct, frozen=True):
    """A channel. module: the slug of its module. read_status, campaigns: called in the caller's transaction."""

    slug: str
    module: str
    name: str
    description: str
    icon: str
    read_status: Callable[[UnitOfWork], ChannelStatus]
    kinds: tuple[CampaignType, ...] = ()
    campaigns: Callable[[UnitOfWork], list[MarketingCampaign]] = lambda work: []


@cache
def load_marketing_channels() -> Mapping[str, MarketingChannel]:
    """Return every channel that packages provide, by slug."""
    found = (point.load() for point in entry_points(group=_GROUP))
    return {channel.slug: channel for channel in found}


def list_active_channels(work: UnitOfWork) -> list[MarketingChannel]:
    """Return the channels whose modules are active."""
    on = admin_modules.list_active_modules(work)
    return [channel for channel in load_marketing_channels().values() if channel.module in on]


def list_campaigns(work: UnitOfWork) -> list[tuple[MarketingChannel, MarketingCampaign]]:
    """Return the campaigns of all channels, each with its channel."""
    return [(channel, one) for channel in list_active_channels(work) for one in channel.campaigns(work)]

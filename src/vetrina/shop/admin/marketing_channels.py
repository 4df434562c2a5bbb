"""Channels by which a shop finds customers, and their campaigns: what modules bring, asked as it stands.

A package brings a channel by an entry point of the group `vetrina.marketing_channels`, each the name of a `Channel`; it
counts while its module is switched on. None is built in. Not here: the routes (shop/admin/marketing_routes.py), modules
(shop/admin/modules.py), what is recommended (shop/admin/suggestions.py). Rules: facts, "Suggestions and marketing".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from importlib.metadata import entry_points
from typing import Final, Literal

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.shop.admin import modules as admin_modules

__all__ = ["Campaign", "CampaignKind", "Channel", "Standing", "campaigns", "channels", "known"]

_GROUP: Final = "vetrina.marketing_channels"


class Standing(msgspec.Struct, frozen=True):
    """How a channel stands. listings: what became of the products that it was given."""

    set_up: bool = False
    settings_url: str = ""
    listings: Literal["sync-in-progress", "sync-failed", "synced", "not-applicable"] = "not-applicable"
    errors: int = 0


class CampaignKind(msgspec.Struct, frozen=True):
    """A kind of campaign that a channel offers."""

    id: str
    name: str
    description: str
    create_url: str
    icon_url: str


class Campaign(msgspec.Struct, frozen=True):
    """A campaign that runs. cost, sales: in the currency; None where the channel does not say."""

    id: str
    title: str
    manage_url: str
    currency: str = ""
    cost: Decimal | None = None
    sales: Decimal | None = None


class Channel(msgspec.Struct, frozen=True):
    """A channel. module: the slug of what must be switched on. stands, campaigns: asked in the caller's transaction."""

    slug: str
    module: str
    name: str
    description: str
    icon: str
    stands: Callable[[Work], Standing]
    kinds: tuple[CampaignKind, ...] = ()
    campaigns: Callable[[Work], list[Campaign]] = lambda work: []


@cache
def known() -> Mapping[str, Channel]:
    """Return every channel that packages bring, by slug."""
    found = (point.load() for point in entry_points(group=_GROUP))
    return {channel.slug: channel for channel in found}


def channels(work: Work) -> list[Channel]:
    """Return the channels whose modules are switched on."""
    on = admin_modules.active(work)
    return [channel for channel in known().values() if channel.module in on]


def campaigns(work: Work) -> list[tuple[Channel, Campaign]]:
    """Return the campaigns of all channels with the channel of each."""
    return [(channel, one) for channel in channels(work) for one in channel.campaigns(work)]

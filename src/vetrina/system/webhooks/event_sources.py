"""What every site can tell its webhooks of: records, terms, media, menus, accounts, comments, settings.

Rules: docs/rules/webhooks.md, 6.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.site_settings.rules import SETTING_NAMES
from vetrina.content.types.model import ContentType
from vetrina.core.site_context import SiteContext
from vetrina.core.webhooks.model import WebhookResource

_RECORD_EVENTS: Final = ("created", "updated", "published", "unpublished", "trashed", "restored", "deleted")
_TRANSLATED: Final = "translated"
_NAMES: Final = {"attachment": "media", "nav_menu_item": "menu_item", "cms_navigation": "navigation"}
_ROOMS: Final = ("records", "media", "menu-items")


def build_resources(site: SiteContext) -> tuple[WebhookResource, ...]:
    """Return what a site's own content is called in topics; a type of a profile by its name."""
    several = len(site.profile.languages) > 1
    types = [
        _build_type_resource(type, several) for type in site.types.values() if type.described and type.room in _ROOMS
    ]
    terms = {name: f"/cms/v2/{one.base}/{{id}}" for name, one in site.taxonomies.items() if one.room == "terms"}
    return (
        *types,
        WebhookResource("term", terms, ("created", "updated", "deleted", *((_TRANSLATED,) if several else ()))),
        WebhookResource("menu", {"nav_menu": "/cms/v2/menus/{id}"}),
        WebhookResource("redirect", {"redirect": "/cms/v2/redirects/{id}"}),
        WebhookResource("user", {"user": "/cms/v2/users/{id}"}),
        WebhookResource("comment", {"comment": "/cms/v2/comments/{id}"}),
        WebhookResource("options", {"option": "/cms/v2/settings"}, ("updated",), frozenset(SETTING_NAMES)),
    )


def _build_type_resource(type: ContentType, several: bool) -> WebhookResource:
    """Return how records of a type are told; several: whether the site has several languages."""
    events: tuple[str, ...] = _RECORD_EVENTS
    if type.room == "media":
        events = ("created", "updated", "deleted")
    elif not type.trash:
        events = tuple(one for one in events if one not in ("trashed", "restored"))
    if several:
        events = (*events, _TRANSLATED)
    return WebhookResource(_NAMES.get(type.name, type.name), {type.name: f"{type.path}/{{id}}"}, events)

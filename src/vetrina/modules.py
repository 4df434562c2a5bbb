"""Which rooms a site has: module of its profile → namespace → rooms; a route exists only because its room is here.

The rooms of a module are loaded with the first site that has it: a stand-in of content alone starts without the shop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vetrina.access.app_passwords import routes as app_password_routes
from vetrina.access.users import routes as user_routes
from vetrina.content.blocks import routes as block_routes
from vetrina.content.comments import routes as comment_routes
from vetrina.content.menus import item_routes
from vetrina.content.menus import routes as menus
from vetrina.content.records import routes as record_routes
from vetrina.content.search import routes as search_routes
from vetrina.content.site_settings import routes as site_setting_routes
from vetrina.content.terms import routes as term_routes
from vetrina.content.types import routes as type_routes
from vetrina.core.unit_of_work import Frame
from vetrina.design.fonts import collection_routes
from vetrina.design.fonts import routes as font_routes
from vetrina.design.patterns import routes as pattern_routes
from vetrina.design.styles import routes as style_routes
from vetrina.design.templates import routes as template_routes
from vetrina.design.themes import block_editor_routes
from vetrina.design.themes import routes as theme_routes
from vetrina.design.widgets import routes as widget_routes
from vetrina.design.widgets import sidebar_routes
from vetrina.design.widgets import type_routes as widget_types
from vetrina.media.attachments import routes as attachment_routes
from vetrina.media.oembed import routes as oembed_routes
from vetrina.rest.common_arguments import language as language_argument
from vetrina.rest.index import Index
from vetrina.rest.route import Route
from vetrina.rest.route_table import Table
from vetrina.settings import Profile
from vetrina.system.abilities import routes as ability_routes
from vetrina.system.batch import routes as batch_routes
from vetrina.system.health import routes as health_routes
from vetrina.system.index import routes as index_routes
from vetrina.system.plugins import routes as plugin_routes

__all__ = ["NAMESPACES", "joined"]

Room = Callable[[Frame], tuple[Route, ...]]
Rooms = Mapping[str, tuple[Room, ...]]  # namespace → its rooms, in the order of the index


def _content() -> Rooms:
    return {
        "oembed/1.0": (oembed_routes.routes,),
        "cms/v2": (
            record_routes.routes,
            type_routes.routes,
            term_routes.routes,
            user_routes.routes,
            app_password_routes.routes,
            attachment_routes.routes,
            comment_routes.routes,
            menus.routes,
            item_routes.routes,
            site_setting_routes.routes,
            search_routes.routes,
            theme_routes.routes,
            template_routes.routes,
            style_routes.routes,
            font_routes.routes,
            collection_routes.routes,
            pattern_routes.routes,
            block_routes.routes,
            widget_routes.routes,
            sidebar_routes.routes,
            widget_types.routes,
            plugin_routes.routes,
        ),
        "cms-site-health/v1": (health_routes.routes,),
        "cms-block-editor/v1": (block_editor_routes.routes,),
        "cms-abilities/v1": (ability_routes.routes,),
    }


def _multilingual() -> Rooms:
    from vetrina.multilingual.jobs import routes as job_routes
    from vetrina.multilingual.languages import preference_routes
    from vetrina.multilingual.menus import routes as menus
    from vetrina.multilingual.services import account_routes, agency_routes, editor_routes, proxy_routes, vendor_routes
    from vetrina.multilingual.strings import routes as string_routes
    from vetrina.multilingual.xliff import routes as xliff_routes
    from vetrina.multilingual.xml_config import routes as xml_config_routes

    return {
        "mlang/v1": (xml_config_routes.routes,),
        "mlang/tm/v1": (
            editor_routes.routes,
            xliff_routes.routes,
            account_routes.routes,
            job_routes.routes,
            agency_routes.routes,
            preference_routes.routes,
            menus.routes,
        ),
        "mlang/ate/v1": (proxy_routes.routes,),
        "mlang/st/v1": (string_routes.routes,),
        "vendor/installer/v1": (vendor_routes.routes,),
    }


def _shop() -> Rooms:
    from vetrina.shop import resources as shop_resources
    from vetrina.shop.admin import resources as admin_resources
    from vetrina.shop.mail import preview_routes
    from vetrina.shop.products import catalogue_routes, content_routes
    from vetrina.shop.storefront import companion_routes
    from vetrina.shop.storefront import resources as storefront_resources
    from vetrina.shop.storefront.opening_permissions import while_open

    public = while_open({**storefront_resources.ROOMS, "cms/v2": (content_routes.routes, content_routes.terms)})
    beside = {**companion_routes.ROOMS, **preview_routes.ROOMS, **catalogue_routes.ROOMS}
    return {**shop_resources.ROOMS, **public, **admin_resources.ROOMS, **beside}


def _connector() -> Rooms:
    from vetrina.connector import resources as connector_resources

    return connector_resources.ROOMS


NAMESPACES: dict[str, Callable[[], Rooms]] = {
    "content": _content,
    "multilingual": _multilingual,
    "shop": _shop,
    "connector": _connector,
}

# The order of the index, where modules stand between each other's namespaces.
_ORDER = (
    "oembed/1.0", "mlang/v1", "shop/v3", "mlang/tm/v1", "mlang/ate/v1", "mlang/st/v1", "connector/v4", "shop-admin",
    "shop-analytics", "shop/store", "shop/store/v1", "shop/private", "payments/shoppay", "shop/v2", "shop/v1",
    "shop/pos/v1/catalog", "shop-admin-email", "shop-telemetry", "shopcom-site/v3", "vendor/installer/v1", "cms/v2",
    "cms-site-health/v1", "cms-block-editor/v1", "cms-abilities/v1",
)  # fmt: skip


def joined(frame: Frame) -> tuple[Table, Index]:
    """Return the routes of a site, and what they say about themselves. Raises ValueError for an unknown module."""
    spaces = _namespaces(frame.profile)
    found: list[Route] = [*index_routes.routes(frame), *batch_routes.routes(frame)]
    for name, rooms in spaces.items():
        own = [route for room in rooms for route in room(frame)]
        found += [_speaking(route, frame.profile, name) for route in (index_routes.namespace_root(name), *own)]
    table = Table(found)
    return table, Index(table, tuple(spaces))


def _namespaces(profile: Profile) -> Rooms:
    if unknown := sorted(set(profile.modules) - set(NAMESPACES)):
        raise ValueError(f"there is no module {unknown[0]!r}; known: {', '.join(NAMESPACES)}")
    found: dict[str, tuple[Room, ...]] = {}
    for module in profile.modules:
        for name, rooms in NAMESPACES[module]().items():
            found[name] = (*found.get(name, ()), *rooms)
    place = {name: at for at, name in enumerate(_ORDER)}
    return {name: found[name] for name in sorted(found, key=lambda name: place.get(name, len(place)))}


def _speaking(route: Route, profile: Profile, namespace: str) -> Route:
    """Return a route of a namespace with the argument that selects by language."""
    args = {**route.args, "mlang_language": language_argument(profile.languages)}
    return route.but(args=args, namespace=namespace)

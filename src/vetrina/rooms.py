"""Which rooms a site has: module of its profile → namespace → rooms; a route exists only because its room is here.

The rooms of a module are loaded with the first site that has it: a stand-in of content alone starts without the shop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vetrina.declare.arguments import language as language_argument
from vetrina.declare.index import Index
from vetrina.declare.route import Route
from vetrina.declare.table import Table
from vetrina.domain.work import Frame
from vetrina.namespaces import abilities, batch, block_editor, oembed, root, site_health
from vetrina.namespaces.cms import (
    app_passwords,
    block_types,
    comments,
    font_collections,
    fonts,
    kinds,
    media,
    menu_items,
    menus,
    patterns,
    plugins,
    records,
    search,
    sidebars,
    site_settings,
    styles,
    templates,
    terms,
    themes,
    users,
    widget_types,
    widgets,
)
from vetrina.settings import Profile

__all__ = ["NAMESPACES", "joined"]

Room = Callable[[Frame], tuple[Route, ...]]
Rooms = Mapping[str, tuple[Room, ...]]  # namespace → its rooms, in the order of the index


def _content() -> Rooms:
    return {
        "oembed/1.0": (oembed.routes,),
        "cms/v2": (
            records.routes,
            kinds.routes,
            terms.routes,
            users.routes,
            app_passwords.routes,
            media.routes,
            comments.routes,
            menus.routes,
            menu_items.routes,
            site_settings.routes,
            search.routes,
            themes.routes,
            templates.routes,
            styles.routes,
            fonts.routes,
            font_collections.routes,
            patterns.routes,
            block_types.routes,
            widgets.routes,
            sidebars.routes,
            widget_types.routes,
            plugins.routes,
        ),
        "cms-site-health/v1": (site_health.routes,),
        "cms-block-editor/v1": (block_editor.routes,),
        "cms-abilities/v1": (abilities.routes,),
    }


def _multilingual() -> Rooms:
    from vetrina.namespaces import vendor
    from vetrina.namespaces.mlang import agency, ams, ate, menus, preferences, proxy, strings, xliff, xml_config
    from vetrina.namespaces.mlang import jobs as jobs_room

    return {
        "mlang/v1": (xml_config.routes,),
        "mlang/tm/v1": (
            ate.routes,
            xliff.routes,
            ams.routes,
            jobs_room.routes,
            agency.routes,
            preferences.routes,
            menus.routes,
        ),
        "mlang/ate/v1": (proxy.routes,),
        "mlang/st/v1": (strings.routes,),
        "vendor/installer/v1": (vendor.routes,),
    }


def _shop() -> Rooms:
    from vetrina.namespaces import pos_catalog, shop_admin_email, shop_side
    from vetrina.namespaces.cms import products
    from vetrina.namespaces.shop import rooms as shop
    from vetrina.namespaces.shop.opening import while_open
    from vetrina.namespaces.shop_admin import rooms as shop_admin
    from vetrina.namespaces.store import rooms as store

    public = while_open({**store.ROOMS, "cms/v2": (products.routes, products.terms)})
    beside = {**shop_side.ROOMS, **shop_admin_email.ROOMS, **pos_catalog.ROOMS}
    return {**shop.ROOMS, **public, **shop_admin.ROOMS, **beside}


def _connector() -> Rooms:
    from vetrina.namespaces.connector import rooms as connector

    return connector.ROOMS


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
    found: list[Route] = [*root.routes(frame), *batch.routes(frame)]
    for name, rooms in spaces.items():
        own = [route for room in rooms for route in room(frame)]
        found += [_speaking(route, frame.profile, name) for route in (root.namespace_root(name), *own)]
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

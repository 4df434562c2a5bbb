"""Which modules there are, and the routes of a site: those of the modules that its profile names.

A module is loaded with the first site that has it: a stand-in of content alone starts without the shop. What a module
brings is in the file `module` of its folder (core/module.py). Rules: docs/rules/content_languages.md, 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Final

import msgspec

from vetrina.core.module import Module, RouteBuilder, RouteBuilders
from vetrina.core.site_context import SiteContext
from vetrina.rest.common_arguments import build_language_argument as language_argument
from vetrina.rest.route import Route
from vetrina.rest.route_descriptions import RouteIndex
from vetrina.rest.route_table import RouteTable
from vetrina.settings import Profile
from vetrina.system.batch import routes as batch_routes
from vetrina.system.index import routes as index_routes

# The name in a profile, and where its modules are.
MODULES: Final = {
    "content": ("vetrina.system.module", "vetrina.transfer.module"),
    "multilingual": ("vetrina.multilingual.module",),
    "shop": ("vetrina.analytics.module", "vetrina.shop.module"),
    "connector": ("vetrina.connector.module",),
}

# The order of the index, where the namespaces of several modules alternate.
_NAMESPACE_ORDER = (
    "oembed/1.0", "mlang/v1", "shop/v3", "mlang/tm/v1", "mlang/ate/v1", "mlang/st/v1", "connector/v4", "shop-admin",
    "shop-analytics", "shop/store", "shop/store/v1", "shop/private", "payments/shoppay", "shop/v2", "shop/v1",
    "shop/pos/v1/catalog", "shop-admin-email", "shop-telemetry", "shopcom-site/v3", "vendor/installer/v1", "cms/v2",
    "cms-site-health/v1", "cms-block-editor/v1", "cms-abilities/v1", "access/v1",
)  # fmt: skip


def load_modules(names: Iterable[str]) -> tuple[Module, ...]:
    """Return the modules that a profile names. Raises ValueError for an unknown one."""
    names = tuple(names)
    if unknown := sorted(set(names) - set(MODULES)):
        raise ValueError(f"there is no module {unknown[0]!r}; known: {', '.join(MODULES)}")
    return tuple(import_module(path).MODULE for name in names for path in MODULES[name])


@dataclass(frozen=True)
class _DeclaredSite:
    """What routes are declared from; equal where the profiles are. profile: as JSON."""

    profile: bytes
    outline: SiteContext = field(compare=False)


def build_route_table(site: SiteContext) -> tuple[RouteTable, RouteIndex]:
    """Return the routes of a site, and what they say about themselves; sites of one profile share them."""
    profile = msgspec.json.encode(site.profile, enc_hook=dict, order="deterministic")
    return declare_routes(_DeclaredSite(profile, site.outline()))


@lru_cache(maxsize=8)
def declare_routes(declared: _DeclaredSite) -> tuple[RouteTable, RouteIndex]:
    """Return the routes of all sites that are declared alike, with the packages that were there at the first."""
    site = declared.outline
    spaces = _join_namespaces(site.modules)
    found: list[Route] = [*index_routes.build_routes(site), *batch_routes.build_routes(site)]
    for name, builders in spaces.items():
        own = [route for build in builders for route in build(site)]
        found += [
            _add_language_argument(route, site.profile, name)
            for route in (index_routes.build_namespace_root(name), *own)
        ]
    table = RouteTable(found)
    return table, RouteIndex(table, tuple(spaces))


def _join_namespaces(modules: Iterable[Module]) -> RouteBuilders:
    found: dict[str, tuple[RouteBuilder, ...]] = {}
    for module in modules:
        for name, builders in module.load_routes().items():
            found[name] = (*found.get(name, ()), *builders)
    place = {name: at for at, name in enumerate(_NAMESPACE_ORDER)}
    return {name: found[name] for name in sorted(found, key=lambda name: place.get(name, len(place)))}


def _add_language_argument(route: Route, profile: Profile, namespace: str) -> Route:
    """Return a route of a namespace with the argument that selects by language."""
    args = {**route.args, "mlang_language": language_argument(profile.languages)}
    return route.replace(args=args, namespace=namespace)

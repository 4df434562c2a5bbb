"""The module `shop`: catalogue, orders, checkout, administration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from vetrina.core.account_part import AccountPart
from vetrina.core.background_work import BackgroundTasks
from vetrina.core.module import Module, RouteBuilders, SignInMethod, SyncedObjects
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.rights import MANAGE_SHOP


def _load_routes() -> RouteBuilders:
    from vetrina.shop import resources as shop_resources
    from vetrina.shop.admin import app_usage_routes, resources as admin_resources
    from vetrina.shop.mail import preview_routes
    from vetrina.shop.marketplace import site_status_routes
    from vetrina.shop.products import catalogue_routes, content_routes
    from vetrina.shop.storefront import pattern_routes, resources as storefront_resources
    from vetrina.shop.storefront.opening_permissions import restrict_to_open_shop

    public = restrict_to_open_shop(
        {
            **storefront_resources.ROUTE_BUILDERS,
            "cms/v2": (content_routes.build_routes, content_routes.build_term_routes),
        }
    )
    beside: RouteBuilders = {
        "shop/private": (pattern_routes.build_routes,),
        "payments/shoppay": (),
        "shop-telemetry": (app_usage_routes.build_routes,),
        "shopcom-site/v3": (site_status_routes.build_routes,),
        **preview_routes.ROUTE_BUILDERS,
        **catalogue_routes.ROUTE_BUILDERS,
    }
    return {**shop_resources.ROUTE_BUILDERS, **public, **admin_resources.ROUTE_BUILDERS, **beside}


def _load_background() -> BackgroundTasks:
    from vetrina.shop import background_work

    return background_work.BACKGROUND


def _extend_context(site: SiteContext) -> SiteContext:
    from vetrina.access.roles.built_in_roles import SHOP_CAPABILITIES
    from vetrina.access.users.preferences import HINT_MEMBERS, PREFERENCES_MEMBER
    from vetrina.shop.admin import gate_permissions
    from vetrina.shop.blocks.block_views import BLOCKS
    from vetrina.shop.products import product_types

    return replace(
        site,
        blocks={**site.blocks, **BLOCKS},
        types={**site.types, **product_types.TYPES},
        taxonomies={**site.taxonomies, **product_types.TAXONOMIES},
        roles=replace(site.roles, added=(*site.roles.added, *SHOP_CAPABILITIES)),
        account_members=site.account_members | {"is_super_admin", PREFERENCES_MEMBER, *HINT_MEMBERS},
        gate=gate_permissions,
    )


def _load_sign_in() -> SignInMethod:
    from vetrina.shop.keys.sign_in import authenticate_consumer_key

    return authenticate_consumer_key


def _list_option_names() -> frozenset[str]:
    from vetrina.shop.admin.option_names import ALLOWED_OPTIONS
    from vetrina.shop.settings.rules import load_setting_groups

    return ALLOWED_OPTIONS.union(*(group.settings for group in load_setting_groups().values()))


def _load_synced_objects() -> SyncedObjects:
    from vetrina.shop import synced_objects

    return synced_objects.load_synced_objects()


def _load_packaged_files() -> Mapping[str, Path]:
    from vetrina.shop.products import placeholder

    return placeholder.PLACEHOLDER_FILES


def _generate_file(name: str) -> tuple[str, bytes] | None:
    from vetrina.shop.admin import logos

    return logos.render_image(name)


def _count_first_records() -> int:
    from vetrina.shop.onboarding import PAGES

    return len(PAGES)


def _set_up(work: UnitOfWork, owner: int) -> None:
    from vetrina.shop import onboarding

    onboarding.bootstrap_shop(work, owner)


def _describe_administration(work: UnitOfWork) -> dict[str, Any]:
    from vetrina.shop.settings.rules import get_price_decimals, get_shop_option, is_setting_on

    return {
        "currency": get_shop_option(work, "shop_currency"),
        "decimals": get_price_decimals(work),
        "country": get_shop_option(work, "shop_default_country"),
        "weightUnit": get_shop_option(work, "shop_weight_unit"),
        "dimensionUnit": get_shop_option(work, "shop_dimension_unit"),
        "calculatesTaxes": is_setting_on(work, "shop_calc_taxes"),
        "usesCoupons": is_setting_on(work, "shop_enable_coupons"),
    }


@cache
def _load_block_styles() -> str:
    from importlib.resources import files

    sheets = sorted((one for one in files("vetrina.shop.blocks").iterdir() if one.name.endswith(".css")), key=str)
    return "".join(one.read_text(encoding="utf-8") for one in sheets)


def _count_stored(work: UnitOfWork) -> dict[str, int]:
    from vetrina.shop import stored_counts

    return stored_counts.count_stored(work)


def _load_account_part() -> AccountPart:
    from vetrina.shop.customers import account_part

    return account_part.ACCOUNT_PART


MODULE = Module(
    "shop",
    _load_routes,
    _load_background,
    extend_context=_extend_context,
    load_first_sign_in=_load_sign_in,
    load_synced_objects=_load_synced_objects,
    list_option_names=_list_option_names,
    load_packaged_files=_load_packaged_files,
    generate_file=_generate_file,
    set_up=_set_up,
    audited_kinds=frozenset({"shop_key", "tax_class", "tax_rate", "shipping"}),
    followed_paths={
        "product": ("/shop/v3/products", "/store/v1/products"),
        "order": ("/shop/v3/orders",),
        "coupon": ("/shop/v3/coupons",),
    },
    removal_rights=dict.fromkeys(("product", "order", "coupon"), MANAGE_SHOP),
    count_first_records=_count_first_records,
    describe_administration=_describe_administration,
    load_block_styles=_load_block_styles,
    count_stored=_count_stored,
    load_account_part=_load_account_part,
)

"""Suggestions to an owner: payment methods, shipping partners, extensions, kinds of products, marketing.

All come from lists that are part of the software (data/*.toml), chosen by the shop's country. Not here: installing what
is suggested (shop/admin/modules.py). Rules: docs/rules/shop_suggestions.md, 1, 2, 3 and 4.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.admin import goods_kinds, modules as admin_modules, store_location
from vetrina.shop.settings import rules as settings

HIDDEN_OPTION: Final = "shop_setting_payments_recommendations_hidden"
_YES: Final = "yes"
_PICTURES: Final = "/cms-content/plugins/shop/assets/images/"
_STORE: Final = "https://shop.com/products/"
_ALTERNATIVE: Final = ":alt"

PRODUCT_TYPES: Final[Mapping[str, Mapping[str, Any]]] = {
    "physical": {"label": "Physical products", "default": True},
    "downloads": {"label": "Downloads"},
    "subscriptions": {"label": "Subscriptions"},
    "memberships": {"label": "Memberships", "product": 958589},
    "bookings": {"label": "Bookings", "product": 390890},
    "product-bundles": {"label": "Bundles", "product": 18716},
    "product-add-ons": {"label": "Customizable products", "product": 18618},
}


@cache
def _load_table(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "data" / f"{name}.toml").read_text(encoding="utf-8"))


def _has_suggestions_enabled(work: UnitOfWork) -> bool:
    return settings.is_setting_on(work, "shop_show_marketplace_suggestions")


@cache
def list_image_names() -> frozenset[str]:
    """Return the names of all images that suggestions use, below their common folder."""
    paying = {
        str(one[name]) for one in _load_table("payments")["gateway"] for name in ("image", "image_72x72") if name in one
    }
    extending = {f"onboarding/{one['image']}" for one in _load_table("extensions")["plugin"]}
    sending = {
        f"shipping_partners/{name}.svg"
        for one in _load_table("partners")["partner"]
        for name in (*(f"{one['id']}-{layout}" for layout in one["layouts"]), *(icon for icon, _, _ in one["features"]))
    }
    selling = {f"marketing/{one['plugin']}.svg" for one in _load_table("marketing")["extension"]}
    return frozenset(paying | extending | sending | selling)


# -- payment methods


def list_payment_suggestions(work: UnitOfWork, *, forced: bool = False) -> list[dict[str, Any]]:
    """Return the suggested payment methods; forced: even when the owner dismissed them."""
    if not forced and has_dismissed_payments(work):
        return []
    place = store_location.get_store_country(work)
    return [_serialize_payment(work, one) for one in _load_table("payments")["gateway"] if is_available_in(one, place)]


def dismiss_payment_suggestions(work: UnitOfWork) -> None:
    """Dismiss the suggested payment methods."""
    work.set_option(HIDDEN_OPTION, _YES)


def has_dismissed_payments(work: UnitOfWork) -> bool:
    """Return whether the owner dismissed the suggested payment methods."""
    return bool(work.stored_option(HIDDEN_OPTION) == _YES)


def list_payment_rows() -> list[dict[str, Any]]:
    """Return every payment method that may be suggested, as in the table."""
    return list(_load_table("payments")["gateway"])


def is_available_in(one: Mapping[str, Any], place: str) -> bool:
    """Return whether a row of the table applies to a country."""
    if one.get("offline"):
        return True
    return bool(place) and any(place in str(one.get(name, "")).split() for name in ("countries", "other", "additional"))


def _serialize_payment(work: UnitOfWork, one: Mapping[str, Any]) -> dict[str, Any]:
    pictures = work.origin + _PICTURES
    out: dict[str, Any] = {
        "id": one["id"],
        "title": one["title"],
        "content": one["content"],
        "image": pictures + one["image"],
        "image_72x72": pictures + one.get("image_72x72", one["image"]),
    }
    if "plugins" in one:
        out["plugins"] = list(one["plugins"])
    for name in ("external_link", "description"):
        if name in one:
            out[name] = one[name]
    out["is_visible"] = True
    if one.get("offline"):
        out["is_offline"] = True
    elif "countries" not in one:
        out["category_other"] = str(one.get("other", "")).split()
        out["category_additional"] = str(one.get("additional", "")).split()
    out["recommendation_priority"] = one["priority"]
    return out


# -- shipping partners


def list_shipping_partners(work: UnitOfWork) -> list[dict[str, Any]]:
    """Return the shipping partners for the shop's country; none while the country is not set."""
    place = store_location.get_store_country(work)
    return [
        _serialize_partner(work, one)
        for one in _load_table("partners")["partner"]
        if place in str(one["countries"]).split()
    ]


def _serialize_partner(work: UnitOfWork, one: Mapping[str, Any]) -> dict[str, Any]:
    pictures = f"{work.origin}{_PICTURES}shipping_partners/{one['id']}"
    features = [
        {"icon": f"{work.origin}{_PICTURES}shipping_partners/{icon}.svg", "title": title, "description": text}
        for icon, title, text in one["features"]
    ]
    layouts = {
        f"layout_{layout}": {"image": f"{pictures}-{layout}.svg", "features": features} for layout in one["layouts"]
    }
    return {
        "id": one["id"], "name": one["name"], "slug": one["id"], "description": one["description"],
        "learn_more_link": one["link"], **layouts, "available_layouts": list(one["layouts"]), "is_visible": True,
    }  # fmt: skip


# -- extensions


def list_extension_groups(work: UnitOfWork) -> list[dict[str, Any]]:
    """Return groups of free extensions."""
    if not _has_suggestions_enabled(work):
        return []
    groups = _load_table("extensions")
    known = {one["slug"]: one for one in groups["plugin"]}
    have, on = admin_modules.list_installed_modules(work), admin_modules.list_active_modules(work)
    return [
        {
            "key": group["key"],
            "title": group["title"],
            "plugins": [
                _serialize_extension(
                    work, known[key.removesuffix(_ALTERNATIVE)], key, have, on, group.get("setup", False)
                )
                for key in group["plugins"]
            ],
        }
        for group in groups["group"]
    ]


def _serialize_extension(
    work: UnitOfWork, one: Mapping[str, Any], key: str, have: Sequence[str], on: Sequence[str], setup: bool
) -> dict[str, Any]:
    out: dict[str, Any] = {
        "name": one["name"],
        "description": one["description"],
        "image_url": f"{work.origin}{_PICTURES}onboarding/{one['image']}",
        "is_visible": True,
        "is_built_by_wc": one.get("own", False),
        "key": key,
        "is_installed": one["slug"] in have,
        "is_activated": one["slug"] in on,
    }
    if "manage" in one:
        out["manage_url"] = one["manage"]
    if one.get("connection"):
        out["min_cms_version"] = "6.0"
    if setup:
        out |= {
            "label": one["label"],
            "learn_more_link": f"{_STORE}{one['slug']}?utm_source=storeprofiler&utm_medium=product"
            "&utm_campaign=freefeatures",
            "install_priority": one["priority"],
        }
        if one.get("connection"):
            out["requires_jpc"] = True
    return out


# -- marketing


def list_marketing_extensions(work: UnitOfWork, category: str = "") -> list[dict[str, Any]]:
    """Return marketing extensions, those that suit the shop first.

    category: `channels`, `extensions`, `marketing` or empty for all.
    """
    if not _has_suggestions_enabled(work):
        return []
    wanted = [
        one for one in _load_table("marketing")["extension"] if category in ("", "marketing", one["category"])
    ]  # fmt: skip
    sold = goods_kinds.list_shop_traits(work)
    suited = sorted(wanted, key=lambda one: -len(sold.intersection(one.get("suits", ()))))
    return [_serialize_marketing_extension(work, one) for one in suited]


def _serialize_marketing_extension(work: UnitOfWork, one: Mapping[str, Any]) -> dict[str, Any]:
    slug = one["plugin"]
    tag = {"built-by-shop": "Built by us"} if one["direct_install"] else {}
    return {
        "title": one["title"],
        "description": one["description"],
        "url": f"{_STORE}{slug}",
        "direct_install": one["direct_install"],
        "icon": f"{work.origin}{_PICTURES}marketing/{slug}.svg",
        "product": slug,
        "plugin": f"{slug}/{slug}",
        "categories": ["marketing"],
        "subcategories": [{"slug": id, "name": name} for id, name in one["subcategories"]],
        "tags": [{"slug": id, "name": name} for id, name in tag.items()],
    }

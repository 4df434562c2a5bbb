"""Suggestions to an owner: shipping partners, extensions, marketing.

All come from lists that are part of the software (data/*.toml), chosen by the shop's country. Not here: payment methods
(shop/admin/payment_suggestions.py), installing what is suggested (shop/admin/modules.py). Rules:
docs/rules/shop_suggestions.md, 2 and 4.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.admin import modules as admin_modules, shop_traits, store_location
from vetrina.shop.settings import rules as settings

PICTURES: Final = "/cms-content/plugins/shop/assets/images/"
_STORE: Final = "https://shop.com/products/"
_ALTERNATIVE: Final = ":alt"


@cache
def load_table(name: str) -> Mapping[str, Any]:
    """Return a list that is part of the software."""
    return tomllib.loads((files(__package__) / "data" / f"{name}.toml").read_text(encoding="utf-8"))


def _has_suggestions_enabled(work: UnitOfWork) -> bool:
    return settings.is_setting_on(work, "shop_show_marketplace_suggestions")


@cache
def list_image_names() -> frozenset[str]:
    """Return the names of all images that suggestions use, below their common folder."""
    paying = {
        str(one[name]) for one in load_table("payments")["gateway"] for name in ("image", "image_72x72") if name in one
    }
    extending = {f"onboarding/{one['image']}" for one in load_table("extensions")["plugin"]}
    sending = {
        f"shipping_partners/{name}.svg"
        for one in load_table("partners")["partner"]
        for name in (*(f"{one['id']}-{layout}" for layout in one["layouts"]), *(icon for icon, _, _ in one["features"]))
    }
    selling = {f"marketing/{one['plugin']}.svg" for one in load_table("marketing")["extension"]}
    return frozenset(paying | extending | sending | selling)


# -- shipping partners


def list_shipping_partners(work: UnitOfWork) -> list[dict[str, Any]]:
    """Return the shipping partners for the shop's country; none while the country is not set."""
    place = store_location.get_store_country(work)
    return [
        _serialize_partner(work, one)
        for one in load_table("partners")["partner"]
        if place in str(one["countries"]).split()
    ]


def _serialize_partner(work: UnitOfWork, one: Mapping[str, Any]) -> dict[str, Any]:
    pictures = f"{work.origin}{PICTURES}shipping_partners/{one['id']}"
    features = [
        {"icon": f"{work.origin}{PICTURES}shipping_partners/{icon}.svg", "title": title, "description": text}
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
    groups = load_table("extensions")
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
        "image_url": f"{work.origin}{PICTURES}onboarding/{one['image']}",
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
        one for one in load_table("marketing")["extension"] if category in ("", "marketing", one["category"])
    ]  # fmt: skip
    sold = shop_traits.list_shop_traits(work)
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
        "icon": f"{work.origin}{PICTURES}marketing/{slug}.svg",
        "product": slug,
        "plugin": f"{slug}/{slug}",
        "categories": ["marketing"],
        "subcategories": [{"slug": id, "name": name} for id, name in one["subcategories"]],
        "tags": [{"slug": id, "name": name} for id, name in tag.items()],
    }

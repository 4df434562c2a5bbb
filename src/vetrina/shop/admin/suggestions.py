"""What is suggested to an owner: ways of paying, partners for parcels, extensions, kinds of products, marketing.

All from lists that come with the software (data/*.toml), chosen by the shop's country. Not here: installing what is
suggested (shop/admin/modules.py). Rules: facts, "Suggestions and marketing".
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.shop.admin import goods_kinds, store_location
from vetrina.shop.admin import modules as admin_modules
from vetrina.shop.settings import rules as settings

__all__ = [
    "HIDDEN",
    "PRODUCT_TYPES",
    "are_payments_dismissed",
    "dismiss_payments",
    "extensions",
    "is_at",
    "marketing",
    "partners",
    "payment_table",
    "payments",
    "picture_names",
]

HIDDEN: Final = "shop_setting_payments_recommendations_hidden"
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
def _told(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "data" / f"{name}.toml").read_text(encoding="utf-8"))


def _are_wanted(work: Work) -> bool:
    return settings.is_on(work, "shop_show_marketplace_suggestions")


@cache
def picture_names() -> frozenset[str]:
    """Return the names of all pictures that suggestions tell of, beneath their common folder."""
    paying = {
        str(one[name]) for one in _told("payments")["gateway"] for name in ("image", "image_72x72") if name in one
    }
    extending = {f"onboarding/{one['image']}" for one in _told("extensions")["plugin"]}
    sending = {
        f"shipping_partners/{name}.svg"
        for one in _told("partners")["partner"]
        for name in (*(f"{one['id']}-{layout}" for layout in one["layouts"]), *(icon for icon, _, _ in one["features"]))
    }
    selling = {f"marketing/{one['plugin']}.svg" for one in _told("marketing")["extension"]}
    return frozenset(paying | extending | sending | selling)


# -- ways of paying


def payments(work: Work, *, forced: bool = False) -> list[dict[str, Any]]:
    """Return the ways of paying that are suggested; forced: even when the owner wanted to see no more."""
    if not forced and are_payments_dismissed(work):
        return []
    place = store_location.country(work)
    return [_payment(work, one) for one in _told("payments")["gateway"] if is_at(one, place)]


def dismiss_payments(work: Work) -> None:
    """Suggest no more ways of paying."""
    work.set_option(HIDDEN, _YES)


def are_payments_dismissed(work: Work) -> bool:
    """Say whether the owner wants to see no more suggested ways of paying."""
    return bool(work.stored_option(HIDDEN) == _YES)


def payment_table() -> list[dict[str, Any]]:
    """Return every way of paying that may be suggested, as the table has it."""
    return list(_told("payments")["gateway"])


def is_at(one: Mapping[str, Any], place: str) -> bool:
    """Say whether a row of the table is for a country."""
    if one.get("offline"):
        return True
    return bool(place) and any(place in str(one.get(name, "")).split() for name in ("countries", "other", "additional"))


def _payment(work: Work, one: Mapping[str, Any]) -> dict[str, Any]:
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


# -- partners for parcels


def partners(work: Work) -> list[dict[str, Any]]:
    """Return who could help to send parcels in the shop's country; nobody while that is not known."""
    place = store_location.country(work)
    return [_partner(work, one) for one in _told("partners")["partner"] if place in str(one["countries"]).split()]


def _partner(work: Work, one: Mapping[str, Any]) -> dict[str, Any]:
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


def extensions(work: Work) -> list[dict[str, Any]]:
    """Return groups of extensions that cost nothing."""
    if not _are_wanted(work):
        return []
    told = _told("extensions")
    known = {one["slug"]: one for one in told["plugin"]}
    have, on = admin_modules.installed(work), admin_modules.active(work)
    return [
        {
            "key": group["key"],
            "title": group["title"],
            "plugins": [
                _extension(work, known[key.removesuffix(_ALTERNATIVE)], key, have, on, group.get("setup", False))
                for key in group["plugins"]
            ],
        }
        for group in told["group"]
    ]


def _extension(
    work: Work, one: Mapping[str, Any], key: str, have: Sequence[str], on: Sequence[str], setup: bool
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


def marketing(work: Work, category: str = "") -> list[dict[str, Any]]:
    """Return what helps to find customers, what suits the shop in front.

    category: `channels`, `extensions`, `marketing` or empty for all.
    """
    if not _are_wanted(work):
        return []
    wanted = [
        one for one in _told("marketing")["extension"] if category in ("", "marketing", one["category"])
    ]  # fmt: skip
    sold = goods_kinds.of_shop(work)
    suited = sorted(wanted, key=lambda one: -len(sold.intersection(one.get("suits", ()))))
    return [_marketed(work, one) for one in suited]


def _marketed(work: Work, one: Mapping[str, Any]) -> dict[str, Any]:
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

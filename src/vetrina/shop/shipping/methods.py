"""Shipping methods: the types there are, and their settings.

Not here: zones and their methods (shop/shipping/zones.py), what shipping costs (shop/shipping/costs.py). Rules:
docs/rules/shipping.md, 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from vetrina.shop.settings.rules import ShopSetting

FREE_SHIPPING: Final = "free_shipping"
FLAT_RATE: Final = "flat_rate"
LOCAL_PICKUP: Final = "local_pickup"
_TAX_STATUS_SETTING: Final = ShopSetting(
    "tax_status", "Tax status", "select", "taxable", tip="", options={"taxable": "Taxable", "none": "None"}
)


_COST_HELP: Final = 'An amount, or a sum with [qty] for the pieces, [cost] for what they cost and [fee percent="10"].'
_PICKUP_HELP: Final = "What fetching the goods costs: an amount, no sum."
CLASS_COST_PREFIX: Final = "class_cost_"
NO_CLASS_COST_ID: Final = "no_class_cost"


def _build_title_setting(name: str, example: str) -> ShopSetting:
    description = "Customers see this name at the checkout."
    return ShopSetting("title", "Name", "text", name, description=description, tip=description, placeholder=example)


def _build_class_cost_setting(id: str, label: str, name: str = "") -> ShopSetting:
    return ShopSetting(id, label, "text", "", description=_COST_HELP, tip=_COST_HELP, placeholder="N/A", named=name)


def build_class_cost_settings(classes: Sequence[tuple[int, str]]) -> dict[str, ShopSetting]:
    """Return the settings of a flat rate for shipping classes; empty where the shop has none.

    classes: id and name of each class, in the order of the settings.
    """
    if not classes:
        return {}
    description = "What goods of a shipping class cost in addition."
    kind = "Whether every class that is sent costs something, or only the dearest one of them."
    every = (
        ShopSetting("class_costs", "Shipping class costs", "title", "", description=description, tip=description),
        *(
            _build_class_cost_setting(f"{CLASS_COST_PREFIX}{id}", '"{name}" shipping class cost', name)
            for id, name in classes
        ),
        _build_class_cost_setting(NO_CLASS_COST_ID, "No shipping class cost"),
        ShopSetting(
            "type",
            "Calculation type",
            "select",
            "class",
            description=kind,
            tip=kind,
            options={"class": "Per class: each class costs", "order": "Per order: the dearest class costs"},
        ),
    )
    return {one.id: one for one in every}


@dataclass(frozen=True, slots=True)
class ShippingMethodType:
    """A type of shipping method. is_addable: whether it can be added to a zone."""

    id: str
    title: str
    description: str
    settings: Mapping[str, ShopSetting]


def _build_method_type(
    id: str, title: str, description: str, *settings: ShopSetting, example: str = ""
) -> ShippingMethodType:
    every = (_build_title_setting(title, f"e.g. {example or title}"), *settings)
    return ShippingMethodType(id, title, description, {one.id: one for one in every})


SHIPPING_METHOD_TYPES: Final[Mapping[str, ShippingMethodType]] = {
    kind.id: kind
    for kind in (
        _build_method_type(
            FLAT_RATE,
            "Flat rate",
            "One price for an order, or a sum made of its pieces and shipping classes.",
            _TAX_STATUS_SETTING,
            ShopSetting("cost", "Cost", "text", "", first="0", description=_COST_HELP, tip=_COST_HELP),
            example="Standard national",
        ),
        _build_method_type(
            FREE_SHIPPING,
            "Free shipping",
            "Costs nothing, for everybody or from a sum or with a coupon on.",
            ShopSetting(
                "requires",
                "Free shipping requires",
                "select",
                "",
                tip="",
                options={
                    "": "No requirement",
                    "coupon": "A valid free shipping coupon",
                    "min_amount": "A minimum order amount",
                    "either": "A minimum order amount or a coupon",
                    "both": "A minimum order amount and a coupon",
                },
            ),
            ShopSetting(
                "min_amount",
                "Minimum order amount",
                "text",
                "",
                first="0",
                description="From this sum on it is free.",
                tip="From this sum on it is free.",
            ),
            ShopSetting(
                "ignore_discounts",
                "Coupons discounts",
                "checkbox",
                "no",
                description="Whether the sum is that before discounts.",
                tip="Whether the sum is that before discounts.",
            ),
        ),
        _build_method_type(
            LOCAL_PICKUP,
            "Local pickup",
            "Customers fetch their goods, and pay the taxes of the shop's own place.",
            _TAX_STATUS_SETTING,
            ShopSetting("cost", "Cost", "text", "", description=_PICKUP_HELP, tip=_PICKUP_HELP),
        ),
        _build_method_type("pickup_location", "Local pickup", "Customers fetch their goods at one of your places."),
    )
}

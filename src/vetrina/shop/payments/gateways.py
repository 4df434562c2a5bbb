"""Payment methods: the available gateways, their settings, and the status that each gives to an order.

Bank transfer, cheque and cash on delivery are built in, the test gateway and Stripe where the profile enables them;
packages add theirs by the entry point `vetrina.payment_gateways`, each the name of a `Gateway`. Not here: the contract
of a gateway that takes money itself (shop/payments/gateway_contract.py). Rules: docs/rules/shop_settings.md, 3;
docs/rules/checkout.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

import msgspec

from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text
from vetrina.kernel.errors import ApiError, Failure
from vetrina.settings import Profile
from vetrina.shop.payments.gateway_contract import PaymentService
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import ShopSetting
from vetrina.shop.shipping.methods import SHIPPING_METHOD_TYPES

_GROUP: Final = "vetrina.payment_gateways"
_YES, _NO = "yes", "no"
_STRIPE: Final = "stripe"  # its module is imported only where it is enabled
_SEALED: Final = "password"  # type of a setting that is stored encrypted


class GatewayNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_payment_gateway_invalid"
    message = "There is no way of paying {id!r}."


@dataclass(frozen=True, slots=True)
class Gateway:
    """A payment method.

    title, description: the defaults for customers. method_title: its name in the administration. status: of an order
    that is paid by it; where `service` takes the money, until the outcome is known. cards: whether it takes cards.
    required: names of the settings without which it does not work; it is not offered before they are set. Settings of
    the type `password` are stored encrypted. needs_data: whether it cannot begin without `payment_data`, which fields
    of its own collect; the site's own checkout page has none and does not offer it.
    """

    id: str
    title: str
    description: str
    method_title: str
    method_description: str
    settings: Mapping[str, ShopSetting]
    status: str = "on-hold"
    supports: tuple[str, ...] = ("products",)
    service: PaymentService | None = None
    cards: bool = False
    required: tuple[str, ...] = ()
    needs_data: bool = False


def _build_text_settings(title: str, instructions: str, *more: ShopSetting) -> dict[str, ShopSetting]:
    shown, added = "What customers see at the checkout.", "What is added to the page and the mails of an order."
    both = (
        ShopSetting("title", "Title", "safe_text", title, description=shown, tip=shown),
        ShopSetting("instructions", "Instructions", "textarea", instructions, description=added, tip=added),
    )
    return {one.id: one for one in (*both, *more)}


_IN_CASH: Final = "Pay with cash upon delivery."
_METHODS: Final = "Only with these ways of shipping; with all when none is chosen."
_BUILT_IN: Final = (
    Gateway(
        "bacs", "Direct bank transfer", "Pay into our bank account; your order is sent when the money has come.",
        "Direct bank transfer", "Customers pay by bank transfer.", _build_text_settings("Direct bank transfer", ""),
    ),
    Gateway(
        "cheque", "Check payments", "Send a check to the address of the shop.", "Check payments",
        "Customers pay by a check that comes by mail.", _build_text_settings("Check payments", ""),
    ),
    Gateway(
        "cod", "Cash on delivery", _IN_CASH, "Cash on delivery", "Customers pay when the goods come.",
        _build_text_settings(
            "Cash on delivery", _IN_CASH,
            ShopSetting("enable_for_methods", "Enable for shipping methods", "multiselect", "", description=_METHODS,
                    tip=_METHODS, source="shipping"),
            ShopSetting("enable_for_virtual", "Accept for orders that nothing is sent of", "checkbox", _YES),
        ),
        status="processing",
    ),
)  # fmt: skip


class ConfiguredGateway(msgspec.Struct, frozen=True):
    """A payment method with the shop's settings. order: its position, None before it was ever set."""

    gateway: Gateway
    enabled: bool
    order: int | None
    title: str
    description: str
    values: Mapping[str, Any]

    @property
    def needs_setup(self) -> bool:
        """Return whether a required setting is missing."""
        return any(not self.values.get(name) for name in self.gateway.required)


@cache
def load_packaged_gateways() -> Mapping[str, Gateway]:
    """Return the payment methods of installed packages, by id."""
    found = {}
    for point in entry_points(group=_GROUP):
        gateway: Gateway = point.load()
        found[gateway.id] = gateway
    return found


def has_card_gateway(profile: Profile) -> bool:
    """Return whether this installation has a payment method that takes cards."""
    return any(one.cards for one in _load_known_gateways(profile).values())


def _load_known_gateways(profile: Profile) -> Mapping[str, Gateway]:
    found = {gateway.id: gateway for gateway in _BUILT_IN}
    if profile.shop_services.test_gateway:
        from vetrina.shop.payments.test_gateway import TEST_GATEWAY  # imported late: it imports this module

        found[TEST_GATEWAY.id] = TEST_GATEWAY
    if profile.shop_services.stripe:
        from vetrina.shop.payments.stripe import gateway as stripe_gateway  # likewise

        stripe = stripe_gateway.build_stripe_gateway(profile.shop_services.stripe_url)
        found[stripe.id] = stripe
    return {**found, **load_packaged_gateways()}


def list_gateway_ids(profile: Profile) -> tuple[str, ...]:
    """Return the ids of all payment methods of this installation.

    Raises ValueError where the profile enables one whose library is not installed.
    """
    return tuple(_load_known_gateways(profile))


def list_all_gateway_ids() -> tuple[str, ...]:
    """Return the ids of all payment methods that any site of this installation could have."""
    from vetrina.shop.payments.test_gateway import TEST_GATEWAY  # imported late: it imports this module

    return (*(one.id for one in _BUILT_IN), TEST_GATEWAY.id, _STRIPE, *load_packaged_gateways())


def list_gateways(work: UnitOfWork) -> list[ConfiguredGateway]:
    """Return all payment methods in the shop's order."""
    every = [load_configured_gateway(work, gateway) for gateway in _load_known_gateways(work.site.profile).values()]
    return sorted(every, key=lambda one: (one.order is None, one.order or 0))


def list_enabled_gateways(work: UnitOfWork) -> list[ConfiguredGateway]:
    """Return the enabled payment methods in the shop's order."""
    known = _load_known_gateways(work.site.profile).values()
    on = [
        load_configured_gateway(work, one)
        for one in known
        if (work.stored_option(_build_option_name(one)) or {}).get("enabled") == _YES
    ]
    return sorted((one for one in on if not one.needs_setup), key=lambda one: (one.order is None, one.order or 0))


def get_gateway(work: UnitOfWork, id: str) -> ConfiguredGateway:
    """Return a payment method. Raises GatewayNotFound."""
    gateway = _load_known_gateways(work.site.profile).get(id)
    if gateway is None:
        raise GatewayNotFound(id=id)
    return load_configured_gateway(work, gateway)


def load_configured_gateway(work: UnitOfWork, gateway: Gateway) -> ConfiguredGateway:
    """Return a payment method with its settings."""
    stored = work.stored_option(_build_option_name(gateway)) or {}
    values = {name: _decode_setting(work, gateway, one, stored) for name, one in gateway.settings.items()}
    return ConfiguredGateway(
        gateway, stored.get("enabled") == _YES, stored.get("order"), str(values["title"]),
        str(stored.get("description", gateway.description)), values,
    )  # fmt: skip


def update_gateway(work: UnitOfWork, old: ConfiguredGateway, given: Mapping[str, Any]) -> ConfiguredGateway:
    """Change the settings of a payment method.

    given: enabled, title, description, order, settings (by name; unknown ones are ignored).
    Raises InvalidSettingValue.
    """
    stored = dict(work.stored_option(_build_option_name(old.gateway)) or {})
    settings_sent = given.get("settings")
    for name, value in settings_sent.items() if isinstance(settings_sent, Mapping) else ():
        one = old.gateway.settings.get(name)
        if one is not None:
            stored[name] = _encode_setting(work, old.gateway, one, value)
    if given.get("enabled") is not None:
        stored["enabled"] = _YES if given["enabled"] else _NO
    for name in ("title", "description"):
        if given.get(name) is not None:
            stored[name] = sanitize_short_text(work.user, str(given[name]))
    if given.get("order") is not None:
        stored["order"] = int(given["order"])
    work.set_option(_build_option_name(old.gateway), stored)
    return load_configured_gateway(work, old.gateway)


def _encode_setting(work: UnitOfWork, gateway: Gateway, setting: ShopSetting, value: Any) -> Any:
    """Return the value of a setting as it is stored. Raises InvalidSettingValue."""
    if setting.type == _SEALED and isinstance(value, str):
        # Unsanitized: a secret is never rendered.
        return encrypt_text(work.site.settings.secret, _build_secret_label(gateway, setting), value) if value else ""
    return (
        _parse_shipping_methods(value)
        if setting.source == "shipping"
        else settings.validate_setting_value(work, setting, value)
    )


def _decode_setting(work: UnitOfWork, gateway: Gateway, setting: ShopSetting, stored: Mapping[str, Any]) -> Any:
    """Return the value of a setting; empty for a secret encrypted by another site."""
    value = stored.get(setting.id, setting.default)
    if setting.type != _SEALED or not value:
        return value
    try:
        return decrypt_text(work.site.settings.secret, _build_secret_label(gateway, setting), str(value))
    except CannotDecrypt:
        return ""


def _build_secret_label(gateway: Gateway, setting: ShopSetting) -> str:
    return f"gateway {gateway.id} {setting.id}"


def _parse_shipping_methods(value: Any) -> Any:
    """Return the chosen shipping methods, by kind or as `flat_rate:3`; an empty text for none."""
    chosen = [str(one) for one in value] if isinstance(value, list) else []
    return [one for one in chosen if one.partition(":")[0] in SHIPPING_METHOD_TYPES] or ""


def _build_option_name(gateway: Gateway) -> str:
    return f"shop_{gateway.id}_settings"

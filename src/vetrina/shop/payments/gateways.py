"""Ways of paying: which there are, what is set about each, what an order becomes that is paid by one.

Bank transfer, cheque and cash on delivery are built in, the test gateway and Stripe where the profile has them;
packages bring theirs by the entry point `vetrina.payment_gateways`, each the name of a `Gateway`. Not here: what one
that takes money itself is asked (shop/payments/gateway_contract.py). Rules: facts, "Taxes, settings, shipping,
gateways, data".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

import msgspec

from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.kernel.encryption import CannotOpen, opened, sealed
from vetrina.kernel.errors import ApiError
from vetrina.settings import Profile
from vetrina.shop.payments.gateway_contract import Service
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import Setting
from vetrina.shop.shipping.methods import KINDS

__all__ = ["Gateway", "GatewayUnknown", "Held", "change", "enabled", "every_id", "existing", "held", "ids", "listed",
           "packaged", "take_cards"]  # fmt: skip

_GROUP: Final = "vetrina.payment_gateways"
_YES, _NO = "yes", "no"
_STRIPE: Final = "stripe"  # its module is read only where it is wanted
_SEALED: Final = "password"  # type of a setting that is sealed


class GatewayUnknown(ApiError):
    status, code = 404, "shop_rest_payment_gateway_invalid"
    message = "There is no way of paying {id!r}."


@dataclass(frozen=True, slots=True)
class Gateway:
    """A way of paying.

    title, description: what customers read before the shop says otherwise. method_title: what the administration
    reads. status: what an order becomes that somebody pays by it; where `service` takes the money, until it says more.
    cards: whether it takes cards. required: names of the settings without which it does not work; it is offered to
    nobody before they are set. Settings of the type `password` are sealed in the database.
    """

    id: str
    title: str
    description: str
    method_title: str
    method_description: str
    settings: Mapping[str, Setting]
    status: str = "on-hold"
    supports: tuple[str, ...] = ("products",)
    service: Service | None = None
    cards: bool = False
    required: tuple[str, ...] = ()


def _texts(title: str, instructions: str, *more: Setting) -> dict[str, Setting]:
    shown, added = "What customers see at the checkout.", "What is added to the page and the mails of an order."
    both = (
        Setting("title", "Title", "safe_text", title, description=shown, tip=shown),
        Setting("instructions", "Instructions", "textarea", instructions, description=added, tip=added),
    )
    return {one.id: one for one in (*both, *more)}


_IN_CASH: Final = "Pay with cash upon delivery."
_METHODS: Final = "Only with these ways of shipping; with all when none is chosen."
_BUILT_IN: Final = (
    Gateway(
        "bacs", "Direct bank transfer", "Pay into our bank account; your order is sent when the money has come.",
        "Direct bank transfer", "Customers pay by bank transfer.", _texts("Direct bank transfer", ""),
    ),
    Gateway(
        "cheque", "Check payments", "Send a check to the address of the shop.", "Check payments",
        "Customers pay by a check that comes by mail.", _texts("Check payments", ""),
    ),
    Gateway(
        "cod", "Cash on delivery", _IN_CASH, "Cash on delivery", "Customers pay when the goods come.",
        _texts(
            "Cash on delivery", _IN_CASH,
            Setting("enable_for_methods", "Enable for shipping methods", "multiselect", "", description=_METHODS,
                    tip=_METHODS, source="shipping"),
            Setting("enable_for_virtual", "Accept for orders that nothing is sent of", "checkbox", _YES),
        ),
        status="processing",
    ),
)  # fmt: skip


class Held(msgspec.Struct, frozen=True):
    """A way of paying with what this shop has set about it. order: its place, None before it was ever set."""

    of: Gateway
    enabled: bool
    order: int | None
    title: str
    description: str
    values: Mapping[str, Any]

    @property
    def needs_setup(self) -> bool:
        """Say whether something must be set before it works."""
        return any(not self.values.get(name) for name in self.of.required)


@cache
def packaged() -> Mapping[str, Gateway]:
    """Return the ways of paying that packages bring, by name."""
    found = {}
    for point in entry_points(group=_GROUP):
        gateway: Gateway = point.load()
        found[gateway.id] = gateway
    return found


def take_cards(profile: Profile) -> bool:
    """Say whether this installation has a way of paying that takes cards."""
    return any(one.cards for one in _known(profile).values())


def _known(profile: Profile) -> Mapping[str, Gateway]:
    found = {gateway.id: gateway for gateway in _BUILT_IN}
    if profile.shop_services.test_gateway:
        from vetrina.shop.payments.test_gateway import GATEWAY  # which names this module

        found[GATEWAY.id] = GATEWAY
    if profile.shop_services.stripe:
        from vetrina.shop.payments.stripe import gateway as stripe_gateway  # likewise

        stripe = stripe_gateway.at(profile.shop_services.stripe_url)
        found[stripe.id] = stripe
    return {**found, **packaged()}


def ids(profile: Profile) -> tuple[str, ...]:
    """Return the names of all ways of paying that this installation has.

    Raises ValueError where the profile asks for one whose library is not installed.
    """
    return tuple(_known(profile))


def every_id() -> tuple[str, ...]:
    """Return the names of all ways of paying that any site of this installation could have."""
    from vetrina.shop.payments.test_gateway import GATEWAY  # which names this module

    return (*(one.id for one in _BUILT_IN), GATEWAY.id, _STRIPE, *packaged())


def listed(work: Work) -> list[Held]:
    """Return all ways of paying in the shop's order."""
    every = [held(work, gateway) for gateway in _known(work.frame.profile).values()]
    return sorted(every, key=lambda one: (one.order is None, one.order or 0))


def enabled(work: Work) -> list[Held]:
    """Return the ways of paying that are switched on, in the shop's order."""
    known = _known(work.frame.profile).values()
    on = [held(work, one) for one in known if (work.stored_option(_option(one)) or {}).get("enabled") == _YES]
    return sorted((one for one in on if not one.needs_setup), key=lambda one: (one.order is None, one.order or 0))


def existing(work: Work, id: str) -> Held:
    """Return a way of paying. Raises GatewayUnknown."""
    gateway = _known(work.frame.profile).get(id)
    if gateway is None:
        raise GatewayUnknown(id=id)
    return held(work, gateway)


def held(work: Work, gateway: Gateway) -> Held:
    """Return a way of paying with what is set about it."""
    stored = work.stored_option(_option(gateway)) or {}
    values = {name: _opened(work, gateway, one, stored) for name, one in gateway.settings.items()}
    return Held(
        gateway, stored.get("enabled") == _YES, stored.get("order"), str(values["title"]),
        str(stored.get("description", gateway.description)), values,
    )  # fmt: skip


def change(work: Work, old: Held, given: Mapping[str, Any]) -> Held:
    """Change what is set about a way of paying.

    given: enabled, title, description, order, settings (by name; unknown ones are passed over).
    Raises settings.InvalidValue.
    """
    stored = dict(work.stored_option(_option(old.of)) or {})
    told = given.get("settings")
    for name, value in told.items() if isinstance(told, Mapping) else ():
        one = old.of.settings.get(name)
        if one is not None:
            stored[name] = _stored_value(work, old.of, one, value)
    if given.get("enabled") is not None:
        stored["enabled"] = _YES if given["enabled"] else _NO
    for name in ("title", "description"):
        if given.get(name) is not None:
            stored[name] = allowed_text(work.user, str(given[name]))
    if given.get("order") is not None:
        stored["order"] = int(given["order"])
    work.set_option(_option(old.of), stored)
    return held(work, old.of)


def _stored_value(work: Work, gateway: Gateway, one: Setting, value: Any) -> Any:
    """Return the value of a setting as it is stored. Raises settings.InvalidValue."""
    if one.type == _SEALED and isinstance(value, str):
        # As it was sent: a secret is no text that anybody reads.
        return sealed(work.frame.settings.secret, _label(gateway, one), value) if value else ""
    return _methods(value) if one.source == "shipping" else settings.checked(work, one, value)


def _opened(work: Work, gateway: Gateway, one: Setting, stored: Mapping[str, Any]) -> Any:
    """Return the value of a setting; of a secret that another site sealed, none."""
    value = stored.get(one.id, one.default)
    if one.type != _SEALED or not value:
        return value
    try:
        return opened(work.frame.settings.secret, _label(gateway, one), str(value))
    except CannotOpen:
        return ""


def _label(gateway: Gateway, one: Setting) -> str:
    return f"gateway {gateway.id} {one.id}"


def _methods(value: Any) -> Any:
    """Return the ways of shipping that are chosen, by kind or as `flat_rate:3`; an empty text for none."""
    chosen = [str(one) for one in value] if isinstance(value, list) else []
    return [one for one in chosen if one.partition(":")[0] in KINDS] or ""


def _option(gateway: Gateway) -> str:
    return f"shop_{gateway.id}_settings"

"""Ways of paying: which there are, what is set about each, what an order becomes that is paid by one.

Bank transfer, cheque and cash on delivery are built in; other modules bring theirs by the entry point
`vetrina.payment_gateways`, each the name of a `Gateway`. Rules: facts, "Taxes, settings, shipping, gateways, data".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

import msgspec

from vetrina.domain.work import Work
from vetrina.kernel.errors import ApiError

from . import settings
from .settings import Setting
from .shipping_methods import KINDS

__all__ = ["Gateway", "GatewayUnknown", "Held", "change", "enabled", "existing", "held", "ids", "listed"]

_GROUP: Final = "vetrina.payment_gateways"
_YES, _NO = "yes", "no"


class GatewayUnknown(ApiError):
    status, code = 404, "shop_rest_payment_gateway_invalid"
    message = "There is no way of paying {id!r}."


@dataclass(frozen=True, slots=True)
class Gateway:
    """A way of paying.

    title, description: what customers read before the shop says otherwise. method_title: what the administration
    reads. status: what an order becomes that somebody pays by it. needs_payment: whether money must come before goods.
    """

    id: str
    title: str
    description: str
    method_title: str
    method_description: str
    settings: Mapping[str, Setting]
    status: str = "on-hold"
    supports: tuple[str, ...] = ("products",)


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


@cache
def _known() -> Mapping[str, Gateway]:
    found = {gateway.id: gateway for gateway in _BUILT_IN}
    for point in entry_points(group=_GROUP):
        gateway = point.load()
        found[gateway.id] = gateway
    return found


def ids() -> tuple[str, ...]:
    """Return the names of all ways of paying that this installation has."""
    return tuple(_known())


def listed(work: Work) -> list[Held]:
    """Return all ways of paying in the shop's order."""
    every = [held(work, gateway) for gateway in _known().values()]
    return sorted(every, key=lambda one: (one.order is None, one.order or 0))


def enabled(work: Work) -> list[Held]:
    """Return the ways of paying that are switched on, in the shop's order."""
    on = [one for one in _known().values() if (work.stored_option(_option(one)) or {}).get("enabled") == _YES]
    return sorted((held(work, one) for one in on), key=lambda one: (one.order is None, one.order or 0))


def existing(work: Work, id: str) -> Held:
    """Return a way of paying. Raises GatewayUnknown."""
    gateway = _known().get(id)
    if gateway is None:
        raise GatewayUnknown(id=id)
    return held(work, gateway)


def held(work: Work, gateway: Gateway) -> Held:
    """Return a way of paying with what is set about it."""
    stored = work.stored_option(_option(gateway)) or {}
    values = {name: stored.get(name, one.default) for name, one in gateway.settings.items()}
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
            stored[name] = settings.checked(work, one, value) if one.source != "shipping" else _methods(value)
    if given.get("enabled") is not None:
        stored["enabled"] = _YES if given["enabled"] else _NO
    for name in ("title", "description"):
        if given.get(name) is not None:
            stored[name] = str(given[name])
    if given.get("order") is not None:
        stored["order"] = int(given["order"])
    work.set_option(_option(old.of), stored)
    return held(work, old.of)


def _methods(value: Any) -> Any:
    """Return the ways of shipping that are chosen, by kind or as `flat_rate:3`; an empty text for none."""
    chosen = [str(one) for one in value] if isinstance(value, list) else []
    return [one for one in chosen if one.partition(":")[0] in KINDS] or ""


def _option(gateway: Gateway) -> str:
    return f"shop_{gateway.id}_settings"

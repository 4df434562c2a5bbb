"""The page of payment settings: payment methods, suggested ones, and their order.

One sequence holds them all: methods that take money themselves, suggestions, and the group of offline methods followed
by its members. Positions are those of the payment methods (shop/payments/gateways.py) and, for all other entries, in
the option `shop_gateway_order`. Not here: suggestions (shop/admin/payment_suggestions.py), the routes
(shop/admin/payment_settings_routes.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.shop.admin import payment_suggestions
from vetrina.shop.admin.payment_suggestions import PaymentSuggestion
from vetrina.shop.payments import gateways
from vetrina.shop.payments.gateways import ConfiguredGateway
from vetrina.shop.settings import places, rules as settings

OFFLINE_GROUP: Final = "_shop_offline_payment_methods_group"
_ORDER: Final = "shop_gateway_order"
_COUNTRY: Final = "shop_payments_business_country"
_WALLET: Final = "shoppay"  # the entry in `supports` of a gateway that offers the wallet
_LAST: Final = 1 << 53

PaymentProviderKind = Literal["gateway", "offline_pm", "offline_pms_group", "suggestion"]


@dataclass(frozen=True, slots=True)
class PaymentProvider:
    """One entry of the sequence. place: index from 0. held: the payment method; suggestion: one that is not added."""

    id: str
    kind: PaymentProviderKind
    place: int
    held: ConfiguredGateway | None = None
    suggestion: PaymentSuggestion | None = None


def is_offline_gateway(configured: ConfiguredGateway) -> bool:
    """Return whether a payment method takes money without a payment service."""
    return configured.gateway.service is None


def list_payment_providers(work: UnitOfWork, country: str) -> list[PaymentProvider]:
    """Return the sequence for the caller and a country; suggestions only for callers who may add modules."""
    ways, places_of = gateways.list_gateways(work), _load_positions(work)
    suggested = payment_suggestions.list_main_suggestions(work, country)
    found: list[PaymentProvider] = [
        *(PaymentProvider(one.provider_id, "suggestion", 0, suggestion=one) for one in suggested),
        *(PaymentProvider(one.gateway.id, "gateway", 0, held=one) for one in ways if not is_offline_gateway(one)),
    ]
    offline = [PaymentProvider(one.gateway.id, "offline_pm", 0, held=one) for one in ways if is_offline_gateway(one)]
    if offline:
        found.append(PaymentProvider(OFFLINE_GROUP, "offline_pms_group", 0))
    attached = payment_suggestions.load_attached_suggestions(work)

    def place(one: PaymentProvider) -> int:
        if one.held is None:
            return places_of.get(one.id, -1 if one.kind == "suggestion" else _LAST)
        if one.held.order is not None:
            return one.held.order
        # A suggested method takes the position of its suggestion.
        known = payment_suggestions.find_gateway_suggestion(one.id)
        return places_of.get(known.provider_id, _LAST) if known is not None and known.id in attached else _LAST

    out: list[PaymentProvider] = []
    for one in sorted(found, key=place):
        out.append(one)
        if one.id == OFFLINE_GROUP:
            out += sorted(offline, key=place)
    return [PaymentProvider(one.id, one.kind, at, one.held, one.suggestion) for at, one in enumerate(out)]


def update_provider_order(work: UnitOfWork, wanted: Mapping[str, int]) -> bool:
    """Move entries to the given positions, by id; return whether anything moved.

    Other entries stay; unknown ids are skipped. The members of the offline group follow it.
    """
    before = list_payment_providers(work, get_business_country(work))
    group = [one for one in before if one.kind == "offline_pm"]

    def place(one: PaymentProvider) -> tuple[int, int]:
        return wanted.get(one.id, one.place), one.place

    sequence: list[str] = []
    for one in sorted((one for one in before if one.kind != "offline_pm"), key=place):
        sequence.append(one.id)
        if one.id == OFFLINE_GROUP:
            sequence += [member.id for member in sorted(group, key=place)]
    # A suggestion hidden from this caller keeps its position among the visible ones.
    hidden = {
        id: at
        for id, at in _load_positions(work).items()
        if id not in sequence and payment_suggestions.is_known_suggestion(id)
    }
    places_of = {**hidden, **{id: at for at, id in enumerate(sequence)}}
    return _save_positions(work, places_of)


def _save_positions(work: UnitOfWork, places_of: Mapping[str, int]) -> bool:
    moved = bool(work.stored_option(_ORDER) != places_of)
    if moved:
        work.set_option(_ORDER, dict(places_of))
    for configured in gateways.list_gateways(work):
        place = places_of.get(configured.gateway.id)
        if place is not None and place != configured.order:
            gateways.update_gateway(work, configured, {"order": place})
            moved = True
    return moved


def _load_positions(work: UnitOfWork) -> dict[str, int]:
    stored = work.stored_option(_ORDER)
    items: Iterable[tuple[str, Any]] = stored.items() if isinstance(stored, Mapping) else ()
    read = ((id, parse_digits(str(value))) for id, value in items)
    return {id: place for id, place in read if place is not None}


# -- the country of the business


def get_business_country(work: UnitOfWork) -> str:
    """Return the country code of the business for payments: the one that was set, or else the shop's."""
    stored = work.stored_option(_COUNTRY)
    if isinstance(stored, str) and is_known_country(stored):
        return stored
    return str(settings.get_shop_option(work, "shop_default_country") or "").partition(":")[0]


def set_business_country(work: UnitOfWork, code: str) -> bool:
    """Store the country of the business, independently of the shop's; return whether it changed."""
    if get_business_country(work) == code and work.stored_option(_COUNTRY) == code:
        return False
    work.set_option(_COUNTRY, code)
    return True


def is_known_country(code: str) -> bool:
    """Return whether a code of two capital letters is a country."""
    return code in places.list_countries()


# -- the wallet


def is_wallet_offered(work: UnitOfWork) -> bool:
    """Return whether a payment method that takes cards offers the wallet of the shop's own payments."""
    return any(one.gateway.cards and _WALLET in one.gateway.supports for one in gateways.list_gateways(work))

"""The page of settings of payments: ways of paying, suggested ones, and the order in which they stand.

One sequence holds them all: ways that take money themselves, suggestions, and the group of offline ways with its
members behind it. Places are those of the ways of paying (shop/payments/gateways.py) and, for what is none, of the
option `shop_gateway_order`. Not here: what is suggested and put away (shop/admin/payment_suggestions.py), the routes
(shop/admin/payment_settings_routes.py). Rules: the shapes are those that the page's clients know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import whole
from vetrina.shop.admin import payment_suggestions
from vetrina.shop.admin.payment_suggestions import Suggestion
from vetrina.shop.payments import gateways
from vetrina.shop.payments.gateways import Held
from vetrina.shop.settings import places
from vetrina.shop.settings import rules as settings

__all__ = [
    "GROUP", "Provider", "business_country", "change_order", "is_country", "is_offline", "is_wallet_offered",
    "list_providers", "set_business_country",
]  # fmt: skip

GROUP: Final = "_shop_offline_payment_methods_group"
_ORDER: Final = "shop_gateway_order"
_COUNTRY: Final = "shop_payments_business_country"
_WALLET: Final = "shoppay"  # what a gateway says among `supports` that offers the wallet
_LAST: Final = 1 << 53

Kind = Literal["gateway", "offline_pm", "offline_pms_group", "suggestion"]


@dataclass(frozen=True, slots=True)
class Provider:
    """One entry of the sequence. place: counted from 0 over all. held: a way of paying; suggestion: what is not yet."""

    id: str
    kind: Kind
    place: int
    held: Held | None = None
    suggestion: Suggestion | None = None


def is_offline(held: Held) -> bool:
    """Say whether money comes by a way of paying that no service moves."""
    return held.of.service is None


def list_providers(work: Work, country: str) -> list[Provider]:
    """Return the sequence as the caller sees it at a country; suggestions only for one who may add modules."""
    ways, places_of = gateways.listed(work), _places(work)
    suggested = payment_suggestions.list_main(work, country)
    found: list[Provider] = [
        *(Provider(one.provider_id, "suggestion", 0, suggestion=one) for one in suggested),
        *(Provider(one.of.id, "gateway", 0, held=one) for one in ways if not is_offline(one)),
    ]
    offline = [Provider(one.of.id, "offline_pm", 0, held=one) for one in ways if is_offline(one)]
    if offline:
        found.append(Provider(GROUP, "offline_pms_group", 0))
    attached = payment_suggestions.attached(work)

    def place(one: Provider) -> int:
        if one.held is None:
            return places_of.get(one.id, -1 if one.kind == "suggestion" else _LAST)
        if one.held.order is not None:
            return one.held.order
        # What was suggested stands where its suggestion stood.
        known = payment_suggestions.of_gateway(one.id)
        return places_of.get(known.provider_id, _LAST) if known is not None and known.id in attached else _LAST

    out: list[Provider] = []
    for one in sorted(found, key=place):
        out.append(one)
        if one.id == GROUP:
            out += sorted(offline, key=place)
    return [Provider(one.id, one.kind, at, one.held, one.suggestion) for at, one in enumerate(out)]


def change_order(work: Work, wanted: Mapping[str, int]) -> bool:
    """Give entries the places that are named by their ids, the others stay; say whether anything moved.

    Ids that nothing has are passed over. The members of the group of offline ways stand behind it.
    """
    before = list_providers(work, business_country(work))
    group = [one for one in before if one.kind == "offline_pm"]

    def place(one: Provider) -> tuple[int, int]:
        return wanted.get(one.id, one.place), one.place

    sequence: list[str] = []
    for one in sorted((one for one in before if one.kind != "offline_pm"), key=place):
        sequence.append(one.id)
        if one.id == GROUP:
            sequence += [member.id for member in sorted(group, key=place)]
    # A suggestion that is not shown to this caller keeps its place among those that are.
    hidden = {id: at for id, at in _places(work).items() if id not in sequence and payment_suggestions.is_known(id)}
    places_of = {**hidden, **{id: at for at, id in enumerate(sequence)}}
    return _keep(work, places_of)


def _keep(work: Work, places_of: Mapping[str, int]) -> bool:
    moved = bool(work.stored_option(_ORDER) != places_of)
    if moved:
        work.set_option(_ORDER, dict(places_of))
    for held in gateways.listed(work):
        place = places_of.get(held.of.id)
        if place is not None and place != held.order:
            gateways.change(work, held, {"order": place})
            moved = True
    return moved


def _places(work: Work) -> dict[str, int]:
    stored = work.stored_option(_ORDER)
    told: Iterable[tuple[str, Any]] = stored.items() if isinstance(stored, Mapping) else ()
    read = ((id, whole(str(value))) for id, value in told)
    return {id: place for id, place in read if place is not None}


# -- where the business is


def business_country(work: Work) -> str:
    """Return the code of the country of the business as payments know it: the one that was said, else the shop's."""
    stored = work.stored_option(_COUNTRY)
    if isinstance(stored, str) and is_country(stored):
        return stored
    return str(settings.shop_option(work, "shop_default_country") or "").partition(":")[0]


def set_business_country(work: Work, code: str) -> bool:
    """Keep the country of the business, whatever the shop's is; say whether it is another one now."""
    if business_country(work) == code and work.stored_option(_COUNTRY) == code:
        return False
    work.set_option(_COUNTRY, code)
    return True


def is_country(code: str) -> bool:
    """Say whether there is a country with a code of two capitals."""
    return code in places.countries()


# -- the wallet


def is_wallet_offered(work: Work) -> bool:
    """Say whether a way of paying that takes cards offers the wallet of the shop's own payments."""
    return any(one.of.cards and _WALLET in one.of.supports for one in gateways.listed(work))

"""Ways of paying that could be added, for the page of settings of payments: which, where, and what was done with them.

An owner hides a suggestion or attaches it, which says that its package is to come; both are kept, as is which of the
offers (incentives) that go with suggestions somebody dismissed. Offers come with the marketplace's catalogue: tables
`incentive` of the file that the profile names. Not here: the older list (shop/admin/suggestions.py), the sequence in
which suggestions stand (shop/admin/payment_providers.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.admin import modules as admin_modules
from vetrina.shop.admin import suggestions
from vetrina.shop.marketplace import rules as marketplace
from vetrina.shop.payments import gateways
from vetrina.shop.settings import rules as settings

__all__ = [
    "CATEGORIES", "INSTALLS", "IncentiveUnknown", "Suggestion", "SuggestionUnknown", "attach", "attached", "dismiss",
    "hide", "incentive", "is_known", "list_main", "list_others", "of_gateway", "plugin_status",
]  # fmt: skip

INSTALLS: Final = "manage_options"  # who may add modules
_PREFIX: Final = "_shop_pes_"
_HIDDEN: Final = "shop_payment_suggestions_hidden"  # account → suggestion → seconds since 1970
_ATTACHED: Final = "shop_payment_suggestions_attached"  # suggestion → seconds since 1970
_DISMISSED: Final = "shop_payment_incentives_dismissed"  # account → incentive → context → seconds since 1970
_MAIN: Final = 2  # suggestions that stand among the ways of paying
_MOST_CONTEXTS: Final = 20  # of an offer; the first of more are forgotten
_EVERYWHERE: Final = "all"
_OFFERED: Final = ("promo_id", "title", "description", "short_description", "cta_label", "tc_url", "badge")

CATEGORIES: Final = (
    ("express_checkout", 10, "Express checkouts", "Customers pay with what their phone or an account of theirs knows."),
    ("bnpl", 20, "Buy now, pay later", "Customers pay in parts; the shop has its money at once."),
    ("psp", 30, "Payment providers", "Services that take cards and local ways of paying."),
)


class SuggestionUnknown(ApiError):
    code = "shop_rest_payment_extension_suggestion_error"
    message = "There is no suggested way of paying {id!r}."


class IncentiveUnknown(ApiError):
    code = "shop_rest_payment_extension_suggestion_incentive_error"
    message = "The suggestion {suggestion!r} has no offer {id!r}."


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A way of paying that a package could bring. gateway: what its way of paying is called. plugin: its module.

    image, icon: names of pictures. link: where it is described.
    """

    id: str
    kind: str
    gateway: str
    title: str
    description: str
    image: str
    icon: str
    plugin: str
    link: str
    priority: int

    @property
    def provider_id(self) -> str:
        """Return what it is called among the ways of paying."""
        return _PREFIX + self.id


@cache
def _every() -> tuple[tuple[Suggestion, Mapping[str, Any]], ...]:
    """Return every suggestion with what says where it is."""
    return tuple(
        (
            Suggestion(
                one["suggestion"], one["kind"], one["id"].partition(":")[0], one["title"].strip(), one["content"],
                one["image"], one.get("image_72x72", one["image"]), next(iter(one["plugins"]), ""),
                one.get("external_link", ""), one["priority"],
            ),
            one,
        )
        for one in suggestions.payment_table() if "suggestion" in one
    )  # fmt: skip


def _at(work: Work, country: str) -> list[Suggestion]:
    """Return what is suggested to the caller at a country, each once, the first by priority in front."""
    shown = settings.is_on(work, "shop_show_marketplace_suggestions") and not suggestions.are_payments_dismissed(work)
    if not (shown and work.user.can(INSTALLS)):
        return []
    there, on = gateways.ids(work.frame.profile), admin_modules.active(work)
    found = {
        one.id: one for one, row in _every()
        if suggestions.is_at(row, country) and one.gateway not in there and one.id not in there and one.plugin not in on
    }  # fmt: skip
    return sorted(found.values(), key=lambda one: one.priority)


def list_main(work: Work, country: str) -> list[Suggestion]:
    """Return the suggestions that stand among the ways of paying: the first two services, and what was attached."""
    every, hidden, chosen = _at(work, country), _hidden(work), attached(work)
    first = [one.id for one in every if one.kind == "psp"][:_MAIN]
    return [one for one in every if one.id in chosen or (one.id in first and one.id not in hidden)]


def list_others(work: Work, country: str) -> list[Suggestion]:
    """Return the suggestions that stand apart."""
    main = {one.id for one in list_main(work, country)}
    return [one for one in _at(work, country) if one.id not in main]


def of_gateway(gateway: str) -> Suggestion | None:
    """Return the suggestion whose way of paying has a name."""
    return next((one for one, _ in _every() if gateway in (one.gateway, one.id)), None)


def is_known(provider_id: str) -> bool:
    """Say whether a suggestion is called so among the ways of paying."""
    return any(one.provider_id == provider_id for one, _ in _every())


def plugin_status(work: Work, slug: str) -> str:
    """Return how the module of a suggestion stands."""
    if slug in admin_modules.active(work):
        return "active"
    return "installed" if slug in admin_modules.installed(work) else "not_installed"


# -- what was done with them


def hide(work: Work, id: str) -> bool:
    """Put a suggestion apart for the caller; say whether it was not before. Raises SuggestionUnknown."""
    _check(id)
    kept, mine = _mapping(work, _HIDDEN), _hidden(work)
    if id in mine and id not in attached(work):
        return False
    work.set_option(_HIDDEN, {**kept, str(work.user.id): {**mine, id: work.now}})
    if id in attached(work):
        work.set_option(_ATTACHED, {one: at for one, at in attached(work).items() if one != id})
    return True


def attach(work: Work, id: str) -> bool:
    """Keep that a suggestion was chosen: it stands among the ways of paying, and its package takes its place.

    Says whether it was not before. Raises SuggestionUnknown.
    """
    _check(id)
    if id in attached(work):
        return False
    work.set_option(_ATTACHED, {**attached(work), id: work.now})
    return True


def attached(work: Work) -> Mapping[str, Any]:
    """Return the suggestions that were chosen, with the times."""
    return _mapping(work, _ATTACHED)


def _hidden(work: Work) -> Mapping[str, Any]:
    mine = _mapping(work, _HIDDEN).get(str(work.user.id))
    return mine if isinstance(mine, Mapping) else {}


def _check(id: str) -> None:
    if all(one.id != id for one, _ in _every()):
        raise SuggestionUnknown(id=id)


def _mapping(work: Work, option: str) -> Mapping[str, Any]:
    stored = work.stored_option(option)
    return stored if isinstance(stored, Mapping) else {}


# -- offers


def incentive(work: Work, suggestion: str) -> dict[str, Any] | None:
    """Return the offer that goes with a suggestion, None for none and for one that the caller dismissed everywhere.

    `_dismissals` says where else it was dismissed, and when.
    """
    for one in marketplace.catalogue(work.frame).rows("incentive"):
        if one.get("suggestion") == suggestion and one.get("id"):
            contexts = _dismissals(work, str(one["id"]))
            if _EVERYWHERE not in contexts:
                told = [{"context": context, "timestamp": at} for context, at in contexts.items()]
                texts = {name: str(one.get(name, "")) for name in _OFFERED}
                return {"id": str(one["id"]), **texts, "_dismissals": told}
    return None


def dismiss(work: Work, suggestion: str, id: str, context: str) -> bool:
    """Keep that the caller dismissed an offer in a context, empty for everywhere; say whether he had not before.

    Raises IncentiveUnknown.
    """
    offers = marketplace.catalogue(work.frame).rows("incentive")
    if all((one.get("suggestion"), one.get("id")) != (suggestion, id) for one in offers):
        raise IncentiveUnknown(suggestion=suggestion, id=id)
    contexts = _dismissals(work, id)
    context = context or _EVERYWHERE
    if context in contexts:
        return False
    changed = dict([*contexts.items(), (context, work.now)][-_MOST_CONTEXTS:])
    kept, name = _mapping(work, _DISMISSED), str(work.user.id)
    work.set_option(_DISMISSED, {**kept, name: {**kept.get(name, {}), id: changed}})
    return True


def _dismissals(work: Work, id: str) -> Mapping[str, Any]:
    mine = _mapping(work, _DISMISSED).get(str(work.user.id), {})
    found = mine.get(id, {})
    return found if isinstance(found, Mapping) else {}

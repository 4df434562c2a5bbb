"""Suggested payment methods, for the payment settings page and the onboarding: which, where, what the owner did.

An owner hides a suggestion or attaches it, which means that its package is to be installed; both are stored, as is
which incentives of suggestions a user dismissed. Incentives come with the marketplace's catalogue: tables `incentive`
of the file that the profile names. The onboarding has an older list of them. Not here: the order of suggestions
(shop/admin/payment_providers.py). Rules: docs/rules/shop_suggestions.md, 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.shop.admin import modules as admin_modules, store_location
from vetrina.shop.admin.suggestions import PICTURES, load_table
from vetrina.shop.marketplace import rules as marketplace
from vetrina.shop.payments import gateways
from vetrina.shop.settings import rules as settings

INSTALL_CAPABILITY: Final = "manage_options"  # the right to add modules
_HIDDEN_OPTION: Final = "shop_setting_payments_recommendations_hidden"  # "yes" hides the older list
_YES: Final = "yes"
_PREFIX: Final = "_shop_pes_"
_HIDDEN: Final = "shop_payment_suggestions_hidden"  # account → suggestion → seconds since 1970
_ATTACHED: Final = "shop_payment_suggestions_attached"  # suggestion → seconds since 1970
_DISMISSED: Final = "shop_payment_incentives_dismissed"  # account → incentive → context → seconds since 1970
_MAIN: Final = 2  # suggestions listed among the payment methods
_MAX_CONTEXTS: Final = 20  # per incentive; the oldest are dropped
_EVERYWHERE: Final = "all"
_OFFERED: Final = ("promo_id", "title", "description", "short_description", "cta_label", "tc_url", "badge")

SUGGESTION_CATEGORIES: Final = (
    ("express_checkout", 10, "Express checkouts", "Customers pay with what their phone or an account of theirs knows."),
    ("bnpl", 20, "Buy now, pay later", "Customers pay in parts; the shop has its money at once."),
    ("psp", 30, "Payment providers", "Services that take cards and local ways of paying."),
)


class PaymentSuggestionNotFound(ApiError):
    code = "shop_rest_payment_extension_suggestion_error"
    message = "There is no suggested way of paying {id!r}."


class PaymentIncentiveNotFound(ApiError):
    code = "shop_rest_payment_extension_suggestion_incentive_error"
    message = "The suggestion {suggestion!r} has no offer {id!r}."


@dataclass(frozen=True, slots=True)
class PaymentSuggestion:
    """A payment method that a package could add. gateway: the id of its payment method. plugin: its module.

    image, icon: file names of images. link: URL of its description.
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
        """Return its id among the payment methods."""
        return _PREFIX + self.id


@cache
def _load_suggestions() -> tuple[tuple[PaymentSuggestion, Mapping[str, Any]], ...]:
    """Return every suggestion with its conditions."""
    return tuple(
        (
            PaymentSuggestion(
                one["suggestion"], one["kind"], one["id"].partition(":")[0], one["title"].strip(), one["content"],
                one["image"], one.get("image_72x72", one["image"]), next(iter(one["plugins"]), ""),
                one.get("external_link", ""), one["priority"],
            ),
            one,
        )
        for one in list_payment_rows() if "suggestion" in one
    )  # fmt: skip


def _list_suggestions(work: UnitOfWork, country: str) -> list[PaymentSuggestion]:
    """Return the suggestions for the caller in a country, each once, ordered by priority."""
    shown = settings.is_setting_on(work, "shop_show_marketplace_suggestions") and not has_dismissed_payments(work)
    if not (shown and work.user.can(INSTALL_CAPABILITY)):
        return []
    there, on = gateways.list_gateway_ids(work.site.profile), admin_modules.list_active_modules(work)
    found = {
        one.id: one
        for one, row in _load_suggestions()
        if is_available_in(row, country) and one.gateway not in there and one.id not in there and one.plugin not in on
    }
    return sorted(found.values(), key=lambda one: one.priority)


def list_main_suggestions(work: UnitOfWork, country: str) -> list[PaymentSuggestion]:
    """Return the suggestions listed among the payment methods: the first two services, and attached ones."""
    every, hidden, chosen = (
        _list_suggestions(work, country),
        _load_hidden_suggestions(work),
        load_attached_suggestions(work),
    )
    first = [one.id for one in every if one.kind == "psp"][:_MAIN]
    return [one for one in every if one.id in chosen or (one.id in first and one.id not in hidden)]


def list_other_suggestions(work: UnitOfWork, country: str) -> list[PaymentSuggestion]:
    """Return the suggestions listed apart."""
    main = {one.id for one in list_main_suggestions(work, country)}
    return [one for one in _list_suggestions(work, country) if one.id not in main]


def find_gateway_suggestion(gateway: str) -> PaymentSuggestion | None:
    """Return the suggestion for a payment method."""
    return next((one for one, _ in _load_suggestions() if gateway in (one.gateway, one.id)), None)


def is_known_suggestion(provider_id: str) -> bool:
    """Return whether a suggestion has this id among the payment methods."""
    return any(one.provider_id == provider_id for one, _ in _load_suggestions())


def get_plugin_status(work: UnitOfWork, slug: str) -> str:
    """Return the status of a suggestion's module."""
    if slug in admin_modules.list_active_modules(work):
        return "active"
    return "installed" if slug in admin_modules.list_installed_modules(work) else "not_installed"


# -- what the owner did with them


def hide_suggestion(work: UnitOfWork, id: str) -> bool:
    """Hide a suggestion from the caller; return whether it was visible before. Raises PaymentSuggestionNotFound."""
    _require_suggestion(id)
    kept, mine = _load_mapping(work, _HIDDEN), _load_hidden_suggestions(work)
    if id in mine and id not in load_attached_suggestions(work):
        return False
    work.set_option(_HIDDEN, {**kept, str(work.user.id): {**mine, id: work.now}})
    if id in load_attached_suggestions(work):
        work.set_option(_ATTACHED, {one: at for one, at in load_attached_suggestions(work).items() if one != id})
    return True


def attach_suggestion(work: UnitOfWork, id: str) -> bool:
    """Attach a suggestion: it is listed among the payment methods, and its package takes its place.

    Returns whether it was not attached before. Raises PaymentSuggestionNotFound.
    """
    _require_suggestion(id)
    if id in load_attached_suggestions(work):
        return False
    work.set_option(_ATTACHED, {**load_attached_suggestions(work), id: work.now})
    return True


def load_attached_suggestions(work: UnitOfWork) -> Mapping[str, Any]:
    """Return the attached suggestions with their times."""
    return _load_mapping(work, _ATTACHED)


def _load_hidden_suggestions(work: UnitOfWork) -> Mapping[str, Any]:
    mine = _load_mapping(work, _HIDDEN).get(str(work.user.id))
    return mine if isinstance(mine, Mapping) else {}


def _require_suggestion(id: str) -> None:
    if all(one.id != id for one, _ in _load_suggestions()):
        raise PaymentSuggestionNotFound(id=id)


def _load_mapping(work: UnitOfWork, option: str) -> Mapping[str, Any]:
    stored = work.stored_option(option)
    return stored if isinstance(stored, Mapping) else {}


# -- incentives


def find_incentive(work: UnitOfWork, suggestion: str) -> dict[str, Any] | None:
    """Return the incentive of a suggestion, None for none and for one that the caller dismissed everywhere.

    `_dismissals` has the contexts and times of other dismissals.
    """
    for one in marketplace.open_catalog(work.site).list_rows("incentive"):
        if one.get("suggestion") == suggestion and one.get("id"):
            contexts = _load_dismissals(work, str(one["id"]))
            if _EVERYWHERE not in contexts:
                dismissals = [{"context": context, "timestamp": at} for context, at in contexts.items()]
                texts = {name: str(one.get(name, "")) for name in _OFFERED}
                return {"id": str(one["id"]), **texts, "_dismissals": dismissals}
    return None


def dismiss_incentive(work: UnitOfWork, suggestion: str, id: str, context: str) -> bool:
    """Dismiss an incentive for the caller in a context, empty for everywhere; return whether this is new.

    Raises PaymentIncentiveNotFound.
    """
    offers = marketplace.open_catalog(work.site).list_rows("incentive")
    if all((one.get("suggestion"), one.get("id")) != (suggestion, id) for one in offers):
        raise PaymentIncentiveNotFound(suggestion=suggestion, id=id)
    contexts = _load_dismissals(work, id)
    context = context or _EVERYWHERE
    if context in contexts:
        return False
    changed = dict([*contexts.items(), (context, work.now)][-_MAX_CONTEXTS:])
    kept, name = _load_mapping(work, _DISMISSED), str(work.user.id)
    work.set_option(_DISMISSED, {**kept, name: {**kept.get(name, {}), id: changed}})
    return True


def _load_dismissals(work: UnitOfWork, id: str) -> Mapping[str, Any]:
    mine = _load_mapping(work, _DISMISSED).get(str(work.user.id), {})
    found = mine.get(id, {})
    return found if isinstance(found, Mapping) else {}


# -- the older list, of the onboarding


def list_payment_suggestions(work: UnitOfWork, *, forced: bool = False) -> list[dict[str, Any]]:
    """Return the suggested payment methods; forced: even when the owner dismissed them."""
    if not forced and has_dismissed_payments(work):
        return []
    place = store_location.get_store_country(work)
    return [_serialize_payment(work, one) for one in load_table("payments")["gateway"] if is_available_in(one, place)]


def dismiss_payment_suggestions(work: UnitOfWork) -> None:
    """Dismiss the suggested payment methods."""
    work.set_option(_HIDDEN_OPTION, _YES)


def has_dismissed_payments(work: UnitOfWork) -> bool:
    """Return whether the owner dismissed the suggested payment methods."""
    return bool(work.stored_option(_HIDDEN_OPTION) == _YES)


def list_payment_rows() -> list[dict[str, Any]]:
    """Return every payment method that may be suggested, as in the table."""
    return list(load_table("payments")["gateway"])


def is_available_in(one: Mapping[str, Any], place: str) -> bool:
    """Return whether a row of the table applies to a country."""
    if one.get("offline"):
        return True
    return bool(place) and any(place in str(one.get(name, "")).split() for name in ("countries", "other", "additional"))


def _serialize_payment(work: UnitOfWork, one: Mapping[str, Any]) -> dict[str, Any]:
    pictures = work.origin + PICTURES
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

"""What settings say in the caller's language: labels, descriptions, choices; of the shop, its gateways and methods.

What somebody typed stays as it is: values, names of pages, of tax and shipping classes. Not here: which language that
is (core/person_language.py), the settings themselves (shop/settings/rules.py). Rules: docs/rules/global_parameters.md,
10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from vetrina.core.call import Call
from vetrina.core.person_language import choose_text_language
from vetrina.core.phrases import ENGLISH, Phrases
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders.statuses import STATUS_NAMES
from vetrina.shop.settings import currencies, places
from vetrina.shop.settings.rules import STANDARD_TAX_CLASS, ShopSetting, list_setting_choices

SETTING_PHRASES: Final = Phrases(__package__)


class TextView(NamedTuple):
    """What getters of a record with texts need. language: of the texts."""

    work: UnitOfWork
    language: str


def load_text_view(call: Call, found: object) -> TextView:
    """Return the view of an answer whose texts are in the caller's language where the request asks for that."""
    return TextView(call.work, choose_text_language(call))


def translate_setting(one: ShopSetting, phrases: Phrases, language: str) -> ShopSetting:
    """Return a setting with its texts in a language, and with its name in its label."""
    say = partial(phrases.translate, language)
    label = say(one.label, name=one.named) if one.named else say(one.label)
    if language == ENGLISH:
        return replace(one, label=label) if one.named else one
    return replace(
        one, label=label, description=say(one.description), placeholder=say(one.placeholder),
        tip=None if one.tip is None else say(one.tip),
        options=None if one.options is None else {value: say(text) for value, text in one.options.items()},
    )  # fmt: skip


def list_translated_choices(work: UnitOfWork, one: ShopSetting, language: str) -> Mapping[str, str] | None:
    """Return the choices of a translated setting in a language, labels by value; None where it takes anything."""
    choices = list_setting_choices(work, one)
    named = _SOURCE_LABELS.get(one.source)
    if choices is None or named is None or language == ENGLISH:
        return choices
    translated = {**(one.options or {}), **named(language)}
    return {**translated, **{value: label for value, label in choices.items() if value not in translated}}


_SOURCE_LABELS: Final[Mapping[str, Callable[[str], Mapping[str, str]]]] = {
    "countries": places.list_countries,
    "regions": places.list_regions,
    "currencies": currencies.build_currency_labels,
    "tax_classes": lambda language: {"": SETTING_PHRASES.translate(language, STANDARD_TAX_CLASS)},
    "statuses": lambda language: {
        slug: SETTING_PHRASES.translate(language, name) for slug, name in STATUS_NAMES.items()
    },
}

"""The translation configuration of the source, and its strings with their translations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.multilingual.strings import rules as strings, site_texts, translations as string_translations
from vetrina.multilingual.strings.model import KINDS, SiteString
from vetrina.multilingual.strings.rules import CatalogEntry, StringQuery
from vetrina.multilingual.strings.states import COMPLETE, NEEDS_UPDATE
from vetrina.multilingual.xml_config.effects import CONFIGURATION, apply_configuration

from .incoming_record import IncomingRecord, RecordSkipped
from .journal import USER
from .outcome import Written

_MAX_NAMESAKES: Final = 100  # strings of one domain and name, which their contexts tell apart
_STATES: Final = (COMPLETE, NEEDS_UPDATE)  # any other is complete here: what was sent to translators does not come


def write_configuration(one: IncomingRecord) -> Written:
    """Write the XML that says how types and fields are translated; one that the site has stays."""
    work, content = one.work, one.get_text("content")
    stored = work.raw_option(CONFIGURATION)
    if not content.strip() or stored == content:
        return Written(1)
    if stored and not one.keep_ids:
        one.notes["the translation configuration stays that of this site, which was not empty"] += 1
        return Written(1, adopted=True)
    apply_configuration(work, content)
    return Written(1)


def write_string(one: IncomingRecord) -> Written:
    """Write a string with what it is in other languages; a translation that the site has of its own stays.

    So does a text that is another one on a site that was not empty. Raises ReferenceMissing, RecordSkipped,
    PluralFormsMismatch.
    """
    work, values = one.work, one.values
    domain, name, value = one.get_text("context"), _name_here(one), one.get_text("value")
    if not (domain and name):
        raise RecordSkipped("it has no domain or no name")
    stored = _find_string(one, domain, name)
    if stored is not None and stored.value != value and not (one.keep_ids or one.target):
        return Written(stored.id, adopted=True)
    kind = one.get_text("type")
    id = strings.register_string(
        work, domain, name, value, context=one.get_text("gettext_context"), plural=one.get_text("plural"),
        kind=kind if kind in KINDS else KINDS[0], language=one.get_text("language"),
    )  # fmt: skip
    text = strings.get_string(work, id)
    here = {known.language: known for known in string_translations.list_translations(work, (id,))[id]}
    translations = values.get("translations")
    for language, given in translations.items() if isinstance(translations, Mapping) else ():
        if language not in work.site.profile.languages or language == text.language or not isinstance(given, Mapping):
            continue
        own, shipped = (_list_forms(given.get(member)) for member in ("value", "mo_string"))
        if shipped and name == strings.build_string_name(value):
            entry = CatalogEntry(value, shipped, text.plural, text.context)
            strings.save_catalog_entries(work, domain, language, [entry], text.language)
        known = here.get(language)
        if own and (one.target or known is None or known.value is None):
            status = given.get("status")
            string_translations.translate_string(work, text, language, own, status if status in _STATES else COMPLETE)
    return Written(id)


def _name_here(one: IncomingRecord) -> str:
    """Return the name of a string; that of a person's text has the number of the account."""
    name = one.get_text("name")
    member, sign, id = name.rpartition("_")
    if one.get_text("context") != site_texts.AUTHORS or not (sign and id.isdecimal()):
        return name
    return f"{member}_{one.require(USER, id, 'account')}"


def _find_string(one: IncomingRecord, domain: str, name: str) -> SiteString | None:
    """Return the string that the site has under a name."""
    found, _ = strings.list_strings(one.work, StringQuery(domain=domain, name=name, limit=_MAX_NAMESAKES))
    return next((text for text in found if text.context == one.get_text("gettext_context")), None)


def _list_forms(value: Any) -> tuple[str, ...]:
    """Return the forms of a translation, none where one is missing."""
    forms = value if isinstance(value, list) else [value]
    return tuple(forms) if forms and all(isinstance(form, str) and form for form in forms) else ()

"""Translation modes of content types, taxonomies and custom fields.

The site's configuration (the options `translation_modes` and `translation_fields`) overrides the profile, and the
profile the defaults. Not here: what a mode means for a list (content/records/list_languages.py) and for a save
(content/translations/copied_from_original.py). Rules: docs/rules/content_languages.md, 7 and 8;
docs/rules/custom_fields.md, 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final

from vetrina.content.custom_fields.model import CustomField
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import UnitOfWork

PUBLISHED_STATUSES = ("publish", "private", "inherit")  # a translation with one of these replaces its original


class TranslationMode(IntEnum):
    """The translation mode of a type or a taxonomy.

    NOT_TRANSLATED: one item for every language. TRANSLATED: each language shows its own.
    WITH_FALLBACK: what is not translated yet is shown in the site's default language.
    """

    NOT_TRANSLATED = 0
    TRANSLATED = 1
    WITH_FALLBACK = 2


class FieldTranslationMode(IntEnum):
    """What the save of an original does with a custom field of its translations."""

    IGNORE = 0
    COPY = 1
    TRANSLATE = 2
    COPY_ONCE = 3


_MODE_BY_WORD: Final = {
    "shared": TranslationMode.NOT_TRANSLATED,
    "translated": TranslationMode.TRANSLATED,
    "fallback": TranslationMode.WITH_FALLBACK,
}
# All others, unless a profile says otherwise, are not translated.
_TRANSLATED_BY_DEFAULT: Final = frozenset({
    "post_post", "post_page", "post_attachment", "post_nav_menu_item", "post_cms_block", "post_cms_navigation",
    "post_cms_template", "post_cms_template_part", "tax_category", "tax_post_tag", "tax_nav_menu",
})  # fmt: skip
_MODES_MEMO_KEY: Final = "translation modes"  # in the lookups of a work
# A menu belongs to its language, whatever is configured.
_ALWAYS_TRANSLATED: Final = frozenset({"post_nav_menu_item", "tax_nav_menu"})
_DEFAULT_FIELD_MODES: Final[Mapping[str, FieldTranslationMode]] = {
    "footnotes": FieldTranslationMode.TRANSLATE,
    "_cms_attachment_image_alt": FieldTranslationMode.TRANSLATE,
    "cms_pattern_sync_status": FieldTranslationMode.COPY,
}


def build_element_name(kind: ContentType | Taxonomy) -> str:
    """Return the element type of a type or a taxonomy: `post_page`, `tax_category`."""
    return f"{'post' if isinstance(kind, ContentType) else 'tax'}_{kind.name}"


def get_translation_mode(work: UnitOfWork, element: str) -> TranslationMode:
    """Return the mode of `post_<type>` or `tax_<taxonomy>`."""
    configured: Mapping[str, Any] = work.raw_option("translation_modes")
    # Needed for every URL of a page; modes cached for an older value of the option are dropped.
    cached = work.lookups.get(_MODES_MEMO_KEY)
    if cached is None or cached[0] is not configured:
        cached = work.lookups[_MODES_MEMO_KEY] = (configured, {})
    known: dict[str, TranslationMode] = cached[1]
    mode = known.get(element)
    if mode is None:
        mode = known[element] = _resolve_mode(work, element, configured)
    return mode


def _resolve_mode(work: UnitOfWork, element: str, configured: Mapping[str, Any]) -> TranslationMode:
    if element in _ALWAYS_TRANSLATED:
        return TranslationMode.TRANSLATED
    if element in configured:
        return TranslationMode(configured[element])
    family, _, name = element.partition("_")
    profile = work.site.profile
    declared = (profile.types if family == "post" else profile.taxonomies).get(name)
    if declared is not None:
        return _MODE_BY_WORD[declared.translation]
    if element == "post_attachment" and profile.media_translation == "shared":
        return TranslationMode.NOT_TRANSLATED
    return TranslationMode.TRANSLATED if element in _TRANSLATED_BY_DEFAULT else TranslationMode.NOT_TRANSLATED


def get_field_modes(work: UnitOfWork, type: str, keys: Mapping[str, Any]) -> dict[str, FieldTranslationMode]:
    """Return the modes of several custom fields, by key."""
    configured = work.raw_option("translation_fields")
    own = {one.name: one for one in work.site.custom_fields.get(type.partition("_")[2], ())}
    return {key: FieldTranslationMode(_resolve_field_mode(configured, type, key, own.get(key))) for key in keys}


def get_reference_kind(work: UnitOfWork, type: str, key: str) -> str:
    """Return what kind of ids a custom field has (content/translations/ids_in_values.py), empty for no ids."""
    configured = work.raw_option("translation_references")
    return str(configured.get(f"{type}:{key}", configured.get(key, "")))


def _resolve_field_mode(configured: Mapping[str, Any], type: str, key: str, own: CustomField | None) -> int:
    found = configured.get(f"{type}:{key}", configured.get(key))
    if own is not None:
        # Values that all translations share are copied by whoever writes them (shared_custom_fields.py).
        translated = not own.shared and own.list_text_paths()
        return FieldTranslationMode.TRANSLATE if translated else FieldTranslationMode.IGNORE
    return int(found) if found is not None else _DEFAULT_FIELD_MODES.get(key, FieldTranslationMode.IGNORE)


def list_configured_fields(work: UnitOfWork, element: str) -> list[str]:
    """Return the configured custom fields of a type; those that begin with an underscore stay hidden."""
    out = []
    for key in work.raw_option("translation_fields"):
        of, _, name = key.rpartition(":")
        if not name.startswith("_") and of in ("", element):
            out.append(name)
    return out

"""How content is translated: the mode of each content type and taxonomy, and of each custom field.

What somebody configured (the options `translation_modes` and `translation_fields`) stands over the profile, and the
profile over what the interface has by itself. Not here: the groups (content/translations/record_translations.py), what
a mode means for a list (content/translations/language_shares.py) and for a save (content/translations/copies.py).
Rules: facts of the multilingual layer, 4 and 13.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final

from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import Work

__all__ = ["FieldMode", "Mode", "configured_fields", "element_of", "field_mode", "fields_of", "mode", "named_by"]


class Mode(IntEnum):
    """What languages mean to a type or a taxonomy.

    NOT_TRANSLATED: one thing for every language. TRANSLATED: each language shows its own.
    WITH_FALLBACK: what is not translated yet is shown in the site's default language.
    """

    NOT_TRANSLATED = 0
    TRANSLATED = 1
    WITH_FALLBACK = 2


class FieldMode(IntEnum):
    """What a save of an original does with a custom field of its translations."""

    IGNORE = 0
    COPY = 1
    TRANSLATE = 2
    COPY_ONCE = 3


_WORDS: Final = {"shared": Mode.NOT_TRANSLATED, "translated": Mode.TRANSLATED, "fallback": Mode.WITH_FALLBACK}
# What is not named here, and what no profile says otherwise, is one thing for every language.
_FIRST: Final = frozenset({
    "post_post", "post_page", "post_attachment", "post_nav_menu_item", "post_cms_block", "post_cms_navigation",
    "post_cms_template", "post_cms_template_part", "tax_category", "tax_post_tag", "tax_nav_menu",
})  # fmt: skip
_SETTLED: Final = "translation modes"  # in the memo of a work
# A menu belongs to its language, whatever is configured.
_ALWAYS: Final = frozenset({"post_nav_menu_item", "tax_nav_menu"})
_FIELDS: Final[Mapping[str, FieldMode]] = {
    "footnotes": FieldMode.TRANSLATE,
    "_cms_attachment_image_alt": FieldMode.TRANSLATE,
    "cms_pattern_sync_status": FieldMode.COPY,
}


def element_of(kind: ContentType | Taxonomy) -> str:
    """Return what a type or a taxonomy is called among translated things: `post_page`, `tax_category`."""
    return f"{'post' if isinstance(kind, ContentType) else 'tax'}_{kind.name}"


def mode(work: Work, element: str) -> Mode:
    """Return the mode of `post_<type>` or `tax_<taxonomy>`."""
    configured: Mapping[str, Any] = work.raw_option("translation_modes")
    # Asked for every address of a page; what another value of the option settled is forgotten with that value.
    settled = work.memo.get(_SETTLED)
    if settled is None or settled[0] is not configured:
        settled = work.memo[_SETTLED] = (configured, {})
    known: dict[str, Mode] = settled[1]
    found = known.get(element)
    if found is None:
        found = known[element] = _mode(work, element, configured)
    return found


def _mode(work: Work, element: str, configured: Mapping[str, Any]) -> Mode:
    if element in _ALWAYS:
        return Mode.TRANSLATED
    if element in configured:
        return Mode(configured[element])
    what, _, name = element.partition("_")
    profile = work.frame.profile
    own = (profile.types if what == "post" else profile.taxonomies).get(name)
    if own is not None:
        return _WORDS[own.translation]
    if element == "post_attachment" and profile.media_translation == "shared":
        return Mode.NOT_TRANSLATED
    return Mode.TRANSLATED if element in _FIRST else Mode.NOT_TRANSLATED


def field_mode(work: Work, type: str, key: str) -> FieldMode:
    """Return the mode of a custom field; type: the element type of what has it, as `post_page` or `tax_category`.

    A field that is configured for one type only is written `<element type>:<key>` in the option.
    """
    return FieldMode(_field(work.raw_option("translation_fields"), type, key))


def fields_of(work: Work, type: str, keys: Mapping[str, Any]) -> dict[str, FieldMode]:
    """Return the modes of several custom fields, by key."""
    configured = work.raw_option("translation_fields")
    return {key: FieldMode(_field(configured, type, key)) for key in keys}


def named_by(work: Work, type: str, key: str) -> str:
    """Return what a custom field names by numbers, in the words of content/translations/references.py; empty for one that names nothing."""
    configured = work.raw_option("translation_references")
    return str(configured.get(f"{type}:{key}", configured.get(key, "")))


def _field(configured: Mapping[str, Any], type: str, key: str) -> int:
    found = configured.get(f"{type}:{key}", configured.get(key))
    return int(found) if found is not None else _FIELDS.get(key, FieldMode.IGNORE)


def configured_fields(work: Work, element: str) -> list[str]:
    """Return the custom fields of a type that the configuration names; those with a stroke in front stay hidden."""
    out = []
    for key in work.raw_option("translation_fields"):
        of, _, name = key.rpartition(":")
        if not name.startswith("_") and of in ("", element):
            out.append(name)
    return out

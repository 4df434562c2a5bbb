"""What a configuration says: modes of types, taxonomies and fields; which parts of others are texts or references.

What is not valid is passed over. Not here: what is told of it (multilingual/xml_config/validation.py), where it is
stored (multilingual/xml_config/effects.py). Rules: docs/rules/xml_config.md, 4, 5, 6, 7 and 9.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from vetrina.content.translations.modes import FieldTranslationMode, TranslationMode
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.translations import block_rules
from vetrina.multilingual.translations.xpath_texts import InvalidXPath, check_xpath
from vetrina.multilingual.untrusted_xml import NotXml, parse_xml
from vetrina.multilingual.xml_config.validation import is_root_name

if TYPE_CHECKING:
    from lxml import etree


_ACTIONS: Final = {
    "ignore": FieldTranslationMode.IGNORE,
    "copy": FieldTranslationMode.COPY,
    "translate": FieldTranslationMode.TRANSLATE,
    "copy-once": FieldTranslationMode.COPY_ONCE,
}


def parse_root(text: str) -> etree._Element | None:
    """Return the root of a configuration; None where the text is none."""
    try:
        root = parse_xml(text) if text.strip() else None
    except NotXml:
        return None
    return root if root is not None and is_root_name(root.tag) else None


def _list_elements(root: etree._Element | None, *path: str) -> list[etree._Element]:
    return root.findall("/".join(path)) if root is not None else []


def parse_modes(root: etree._Element | None) -> dict[str, int]:
    """Return the modes of types and taxonomies."""
    out: dict[str, int] = {}
    for what, section, name in (("post", "custom-types", "custom-type"), ("tax", "taxonomies", "taxonomy")):
        for one in _list_elements(root, section, name):
            if one.get("translate") in ("0", "1") and (named := _get_text(one)):
                mode = TranslationMode.NOT_TRANSLATED if one.get("translate") == "0" else TranslationMode.TRANSLATED
                if mode and one.get("display-as-translated") == "1":
                    mode = TranslationMode.WITH_FALLBACK
                out[f"{what}_{named}"] = mode.value
    return out


def parse_fields(work: UnitOfWork, root: etree._Element | None) -> dict[str, int]:
    """Return the modes of custom fields."""
    return {
        key: _ACTIONS[action].value
        for key, one in _iterate_configured_fields(work, root)
        if (action := one.get("action", "")) in _ACTIONS
    }


def parse_field_references(work: UnitOfWork, root: etree._Element | None) -> dict[str, str]:
    """Return the custom fields that are references, with what they refer to."""
    return {
        key: kind
        for key, one in _iterate_configured_fields(work, root)
        if (kind := _get_reference_kind(one)) not in ("", "link")
    }


def _iterate_configured_fields(work: UnitOfWork, root: etree._Element | None) -> Iterator[tuple[str, etree._Element]]:
    """Yield the custom fields of a configuration by their option keys: those of terms once per taxonomy."""
    for one in _list_elements(root, "custom-fields", "custom-field"):
        if key := _get_text(one):
            yield key, one
    for one in _list_elements(root, "custom-term-fields", "custom-term-field"):
        if key := _get_text(one):
            for name in work.site.taxonomies:
                yield f"tax_{name}:{key}", one


def parse_rules(root: etree._Element | None) -> dict[str, Any]:
    """Return which parts of blocks, shortcodes, fields and options are texts and references."""
    blocks = {}
    for one in _list_elements(root, "gutenberg-blocks", "gutenberg-block"):
        name = one.get("type", "")
        if name and one.get("translate") in ("0", "1"):
            blocks[name if "/" in name else f"core/{name}"] = {
                "translate": one.get("translate") == "1",
                "xpaths": [path for inner in one.findall("xpath") if _is_xpath(path := _get_text(inner))],
                "keys": [path for path, key in _iterate_keys(one) if not _is_reference(key)],
                "references": [
                    {"kind": kind, "path": path}
                    for path, key in _iterate_keys(one)
                    if (kind := _get_reference_kind(key))
                ],
                "label": one.get("label", ""),
            }
    shortcodes = {}
    for one in _list_elements(root, "shortcodes", "shortcode"):
        tag = one.find("tag")
        if tag is not None and (name := _get_text(tag).lower()):
            inner = [(_get_text(each).lower(), each) for each in one.findall("attributes/attribute")]
            shortcodes[name] = {
                "attributes": [name for name, each in inner if name and not _is_reference(each)],
                "references": [
                    {"kind": kind, "path": [name]} for name, each in inner if (kind := _get_reference_kind(each))
                ],
                # Content that consists of ids or URLs of files is not text.
                "content": tag.get("ignore-content") != "1" and not _is_reference(tag),
            }
    listed = [
        name
        for one in _list_elements(root, "shortcode-list")
        for part in _get_text(one).split(",")
        if (name := part.strip())
    ]
    return {
        "blocks": blocks,
        "shortcodes": shortcodes,
        "protected": [name.lower() for name in listed],
        "fields": {
            one.get("name", ""): [path[1:] for path, _ in _iterate_keys(one, inclusive=True) if len(path) > 1]
            for one in _list_elements(root, "custom-fields-texts", "key")
        },
        "admin_texts": {
            one.get("name", ""): _parse_key_tree(one) for one in _list_elements(root, "admin-texts", "key")
        },
    }


def _is_reference(element: etree._Element) -> bool:
    """Say whether an element's values are references, and so not texts."""
    return element.get("type", "") in block_rules.REFERENCE_KINDS


def _get_reference_kind(element: etree._Element) -> str:
    return block_rules.get_reference_kind(element.get("type", ""), element.get("sub-type", ""))


def _iterate_keys(element: etree._Element, inclusive: bool = False) -> Iterator[tuple[list[str], etree._Element]]:
    """Yield the paths to the innermost keys beneath an element, with their elements.

    inclusive: whether paths start with the element's own name.
    """
    pending: list[tuple[etree._Element, list[str]]] = [(element, [_parse_key_name(element)] if inclusive else [])]
    while pending:
        one, path = pending.pop()
        inner = one.findall("key")
        if not inner and path:
            yield path, one
        pending.extend((key, [*path, _parse_key_name(key)]) for key in reversed(inner))


def _parse_key_name(element: etree._Element) -> str:
    name = element.get("name", "")
    return f"~{name}" if element.get("search-method") == "regex" else name


def _parse_key_tree(element: etree._Element) -> dict[str, Any]:
    """Return the keys beneath an element; none mean all of it."""
    out: dict[str, Any] = {}
    pending: list[tuple[etree._Element, dict[str, Any]]] = [(element, out)]
    while pending:
        one, place = pending.pop()
        for key in one.findall("key"):
            pending.append((key, place.setdefault(key.get("name", ""), {})))
    return out


def _is_xpath(text: str) -> bool:
    try:
        check_xpath(text)
    except InvalidXPath:
        return False
    return True


def _get_text(element: etree._Element) -> str:
    return (element.text or "").strip()

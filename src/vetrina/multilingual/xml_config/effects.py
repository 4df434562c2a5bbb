"""What a configuration does: modes of types, taxonomies and fields, texts of blocks, shortcodes, fields and options.

A text is stored as it was given, valid or not; what can be understood of it takes effect at once, and what an earlier
text had settled is undone. Not here: what the parts mean to content (content/translations/modes.py), to jobs
(multilingual/translations/block_rules.py) and to strings (multilingual/strings/site_texts.py). Rules: facts of the
multilingual layer, "Custom XML configuration".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from vetrina.content.translations.modes import FieldMode, Mode
from vetrina.core.unit_of_work import Work
from vetrina.multilingual.translations import block_rules
from vetrina.multilingual.translations.xpath_texts import InvalidXPath, check
from vetrina.multilingual.xml_config.parsing import NotXml, parsed
from vetrina.multilingual.xml_config.vocabulary import is_root

if TYPE_CHECKING:
    from lxml import etree

__all__ = ["CONFIGURATION", "put"]

CONFIGURATION: Final = "translation_configuration"  # the option with the text
_MODES: Final = "translation_modes"
_FIELDS: Final = "translation_fields"
_REFERENCES: Final = "translation_references"
_SETTLED: Final = "settled"  # in the rules: what this text settled of the modes of types and of fields
_ACTIONS: Final = {
    "ignore": FieldMode.IGNORE,
    "copy": FieldMode.COPY,
    "translate": FieldMode.TRANSLATE,
    "copy-once": FieldMode.COPY_ONCE,
}


def put(work: Work, text: str | None) -> None:
    """Store a configuration and let it take effect."""
    before = work.option(block_rules.OPTION).get(_SETTLED, {})
    work.set_option(CONFIGURATION, text)
    root = _root(text or "")
    modes, fields, rules = _modes(root), _fields(work, root), _rules(root)
    named = _named_fields(work, root)
    new: dict[str, Any]
    for option, new in ((_MODES, modes), (_FIELDS, fields), (_REFERENCES, named)):
        kept = {name: value for name, value in work.option(option).items() if name not in before.get(option, ())}
        if (now := {**kept, **new}) != work.option(option):
            work.set_option(option, now)
    settled = {_MODES: sorted(modes), _FIELDS: sorted(fields), _REFERENCES: sorted(named)}
    work.set_option(block_rules.OPTION, {**rules, _SETTLED: settled})
    work.note("mlang_configuration", "xml", "changed")


def _root(text: str) -> etree._Element | None:
    try:
        root = parsed(text) if text.strip() else None
    except NotXml:
        return None
    return root if root is not None and is_root(root.tag) else None


def _in(root: etree._Element | None, *path: str) -> list[etree._Element]:
    return root.findall("/".join(path)) if root is not None else []


def _modes(root: etree._Element | None) -> dict[str, int]:
    out: dict[str, int] = {}
    for what, section, name in (("post", "custom-types", "custom-type"), ("tax", "taxonomies", "taxonomy")):
        for one in _in(root, section, name):
            if one.get("translate") in ("0", "1") and (named := _text(one)):
                mode = Mode.NOT_TRANSLATED if one.get("translate") == "0" else Mode.TRANSLATED
                if mode and one.get("display-as-translated") == "1":
                    mode = Mode.WITH_FALLBACK
                out[f"{what}_{named}"] = mode.value
    return out


def _fields(work: Work, root: etree._Element | None) -> dict[str, int]:
    return {
        key: _ACTIONS[action].value
        for key, one in _configured(work, root)
        if (action := one.get("action", "")) in _ACTIONS
    }


def _named_fields(work: Work, root: etree._Element | None) -> dict[str, str]:
    """Return what custom fields name, those that name something."""
    return {key: kind for key, one in _configured(work, root) if (kind := _named(one)) not in ("", "link")}


def _configured(work: Work, root: etree._Element | None) -> Iterator[tuple[str, etree._Element]]:
    """Yield the custom fields of a configuration, as the options name them: those of terms once a taxonomy."""
    for one in _in(root, "custom-fields", "custom-field"):
        if key := _text(one):
            yield key, one
    for one in _in(root, "custom-term-fields", "custom-term-field"):
        if key := _text(one):
            for name in work.frame.taxonomies:
                yield f"tax_{name}:{key}", one


def _rules(root: etree._Element | None) -> dict[str, Any]:
    blocks = {}
    for one in _in(root, "gutenberg-blocks", "gutenberg-block"):
        name = one.get("type", "")
        if name and one.get("translate") in ("0", "1"):
            blocks[name if "/" in name else f"core/{name}"] = {
                "translate": one.get("translate") == "1",
                "xpaths": [path for inner in one.findall("xpath") if _is_path(path := _text(inner))],
                "keys": [path for path, key in _keys(one) if not _is_naming(key)],
                "references": [{"kind": kind, "path": path} for path, key in _keys(one) if (kind := _named(key))],
                "label": one.get("label", ""),
            }
    shortcodes = {}
    for one in _in(root, "shortcodes", "shortcode"):
        tag = one.find("tag")
        if tag is not None and (name := _text(tag).lower()):
            inner = [(_text(each).lower(), each) for each in one.findall("attributes/attribute")]
            shortcodes[name] = {
                "attributes": [name for name, each in inner if name and not _is_naming(each)],
                "references": [{"kind": kind, "path": [name]} for name, each in inner if (kind := _named(each))],
                # What encloses numbers or addresses of files encloses no text.
                "content": tag.get("ignore-content") != "1" and not _is_naming(tag),
            }
    listed = [name for one in _in(root, "shortcode-list") for part in _text(one).split(",") if (name := part.strip())]
    return {
        "blocks": blocks,
        "shortcodes": shortcodes,
        "protected": [name.lower() for name in listed],
        "fields": {
            one.get("name", ""): [path[1:] for path, _ in _keys(one, inclusive=True) if len(path) > 1]
            for one in _in(root, "custom-fields-texts", "key")
        },
        "admin_texts": {one.get("name", ""): _tree(one) for one in _in(root, "admin-texts", "key")},
    }


def _is_naming(one: etree._Element) -> bool:
    """Say whether an element is of values that name something, and so are no texts."""
    return one.get("type", "") in block_rules.NAMING


def _named(one: etree._Element) -> str:
    return block_rules.named(one.get("type", ""), one.get("sub-type", ""))


def _keys(of: etree._Element, inclusive: bool = False) -> Iterator[tuple[list[str], etree._Element]]:
    """Yield the ways to the innermost keys beneath an element, with these.

    inclusive: with the element's own name in front.
    """
    pending: list[tuple[etree._Element, list[str]]] = [(of, [_key(of)] if inclusive else [])]
    while pending:
        one, path = pending.pop()
        inner = one.findall("key")
        if not inner and path:
            yield path, one
        pending.extend((key, [*path, _key(key)]) for key in reversed(inner))


def _key(one: etree._Element) -> str:
    name = one.get("name", "")
    return f"~{name}" if one.get("search-method") == "regex" else name


def _tree(of: etree._Element) -> dict[str, Any]:
    """Return the keys beneath an element; none beneath one mean all of it."""
    out: dict[str, Any] = {}
    pending: list[tuple[etree._Element, dict[str, Any]]] = [(of, out)]
    while pending:
        one, place = pending.pop()
        for key in one.findall("key"):
            pending.append((key, place.setdefault(key.get("name", ""), {})))
    return out


def _is_path(text: str) -> bool:
    try:
        check(text)
    except InvalidXPath:
        return False
    return True


def _text(one: etree._Element) -> str:
    return (one.text or "").strip()

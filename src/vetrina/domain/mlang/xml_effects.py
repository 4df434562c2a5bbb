"""What a configuration does: modes of types, taxonomies and fields, texts of blocks, shortcodes, fields and options.

A text is stored as it was given, valid or not; what can be understood of it takes effect at once, and what an earlier
text had settled is undone. Not here: what the parts mean to content (content/modes.py), to jobs (block_rules.py) and
to strings (site_texts.py). Rules: facts of the multilingual layer, "Custom XML configuration".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from vetrina.domain.content.modes import FieldMode, Mode
from vetrina.domain.work import Work

from . import block_rules
from .xml_reading import NotXml, parsed
from .xml_vocabulary import is_root
from .xpath_texts import InvalidXPath, check

if TYPE_CHECKING:
    from lxml import etree

__all__ = ["CONFIGURATION", "put"]

CONFIGURATION: Final = "translation_configuration"  # the option with the text
_MODES: Final = "translation_modes"
_FIELDS: Final = "translation_fields"
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
    for option, new in ((_MODES, modes), (_FIELDS, fields)):
        kept = {name: value for name, value in work.option(option).items() if name not in before.get(option, ())}
        if (now := {**kept, **new}) != work.option(option):
            work.set_option(option, now)
    work.set_option(block_rules.OPTION, {**rules, _SETTLED: {_MODES: sorted(modes), _FIELDS: sorted(fields)}})
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
    out: dict[str, int] = {}
    for one in _in(root, "custom-fields", "custom-field"):
        action = _ACTIONS.get(one.get("action", ""))
        if action is not None and (key := _text(one)):
            out[key] = action.value
    for one in _in(root, "custom-term-fields", "custom-term-field"):
        action = _ACTIONS.get(one.get("action", ""))
        if action is not None and (key := _text(one)):
            out |= {f"tax_{name}:{key}": action.value for name in work.frame.taxonomies}
    return out


def _rules(root: etree._Element | None) -> dict[str, Any]:
    blocks = {}
    for one in _in(root, "gutenberg-blocks", "gutenberg-block"):
        name = one.get("type", "")
        if name and one.get("translate") in ("0", "1"):
            blocks[name if "/" in name else f"core/{name}"] = {
                "translate": one.get("translate") == "1",
                "xpaths": [path for inner in one.findall("xpath") if _is_path(path := _text(inner))],
                "keys": list(_paths(one)),
                "label": one.get("label", ""),
            }
    shortcodes = {}
    for one in _in(root, "shortcodes", "shortcode"):
        tag = one.find("tag")
        if tag is not None and (name := _text(tag).lower()):
            names = [_text(inner) for inner in one.findall("attributes/attribute")]
            shortcodes[name] = {
                "attributes": [name.lower() for name in names if name],
                "content": tag.get("ignore-content") != "1",
            }
    listed = [name for one in _in(root, "shortcode-list") for part in _text(one).split(",") if (name := part.strip())]
    return {
        "blocks": blocks,
        "shortcodes": shortcodes,
        "protected": [name.lower() for name in listed],
        "fields": {
            one.get("name", ""): [path[1:] for path in _paths(one, inclusive=True) if len(path) > 1]
            for one in _in(root, "custom-fields-texts", "key")
        },
        "admin_texts": {one.get("name", ""): _tree(one) for one in _in(root, "admin-texts", "key")},
    }


def _paths(of: etree._Element, inclusive: bool = False) -> Iterator[list[str]]:
    """Yield the ways to the innermost keys beneath an element. inclusive: with the element's own name in front."""
    pending: list[tuple[etree._Element, list[str]]] = [(of, [_key(of)] if inclusive else [])]
    while pending:
        one, path = pending.pop()
        inner = one.findall("key")
        if not inner and path:
            yield path
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

"""The vocabulary of the configuration: which elements stand where, with which attributes and values.

Data only; what checks it is multilingual/xml_config/validation.py, what it does multilingual/xml_config/effects.py.
Rules: facts of the multilingual layer, "Custom XML configuration".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

__all__ = ["ROOT", "Attribute", "Element", "child", "is_root"]


class Attribute(msgspec.Struct, frozen=True):
    """An attribute. values: those that it may have, any when there are none. pattern: what its text must match."""

    required: bool = False
    values: tuple[str, ...] = ()
    pattern: str = ""


class Element(msgspec.Struct, frozen=True):
    """An element.

    children: those that it may have, by name; an empty name stands for any. once: those of them that come at most once.
    nested: the name of a child that is like the element itself. text: whether it holds text.
    """

    attributes: Mapping[str, Attribute] = {}
    children: Mapping[str, Element] = {}
    once: frozenset[str] = frozenset()
    nested: str = ""
    text: bool = False


def child(of: Element, name: str) -> Element | None:
    """Return what a child of an element may be, None where it may not have it."""
    if of.nested and name == of.nested:
        return of
    return of.children.get(name) or of.children.get("")


_ANY: Final = Attribute()
_FLAG: Final = Attribute(values=("0", "1"))
_NEEDED_FLAG: Final = Attribute(required=True, values=("0", "1"))
_ENCODING: Final = Attribute(pattern=r"[A-Za-z0-9,_]*")
_LINE: Final = Element(text=True)


def _any(*names: str) -> dict[str, Attribute]:
    return dict.fromkeys(names, _ANY)


def _list(name: str, of: Element) -> Element:
    return Element(children={name: of})


_TRANSLATED: Final = Element(
    {"translate": _NEEDED_FLAG, "display-as-translated": _FLAG, "automatic": _FLAG}, text=True
)  # fmt: skip
_FIELD: Final = Element(
    {
        "action": Attribute(required=True, values=("copy", "translate", "ignore", "copy-once")),
        "style": Attribute(values=("line", "textarea", "visual")),
        "encoding": _ENCODING,
        "translate_link_target": _FLAG,
        "convert_to_sticky": _FLAG,
        **_any("label", "group", "type", "sub-type"),
    },
    text=True,
)
_NAME: Final = {"name": Attribute(required=True)}
_FIELD_KEY: Final = Element(
    {
        **_NAME,
        "encoding": Attribute(values=("json",)),
        "search-method": Attribute(values=("wildcards", "regex")),
        **_any("label", "type", "sub-type"),
    },
    nested="key",
)
_OPTION_KEY: Final = Element({**_NAME, **_any("type", "sub-type")}, nested="key")
_PLAIN_KEY: Final = Element(_NAME, nested="key")
_BLOCK_KEY: Final = Element(
    {**_NAME, "encoding": _ENCODING, "search-method": Attribute(values=("wildcards", "regex")),
     **_any("label", "type", "sub-type")},
    nested="key",
)  # fmt: skip
_SHORTCODE: Final = Element(
    children={
        "tag": Element(
            {
                "encoding": _ENCODING,
                "type": Attribute(values=("media-url", "media-ids")),
                "raw-html": _FLAG,
                "ignore-content": _FLAG,
                **_any("encoding-condition", "label"),
            },
            text=True,
        ),
        "attributes": _list(
            "attribute", Element({"encoding": _ENCODING, **_any("type", "sub-type", "label")}, text=True)
        ),
    },
    once=frozenset({"tag", "attributes"}),
)
_BLOCK: Final = Element(
    {"type": Attribute(required=True), "translate": _NEEDED_FLAG, "label": _ANY},
    children={"xpath": Element(_any("type", "sub-type", "label"), text=True), "key": _BLOCK_KEY},
)
_WIDGET_FIELD: Final = Element(
    {"editor_type": Attribute(values=("LINE", "AREA", "VISUAL", "LINK")),
     **_any("type", "sub-type", "key_of", "field_id")},
    children={"": Element(_any("type", "sub-type", "editor_type", "key_of", "field_id"), text=True)},
    text=True,
)  # fmt: skip
_WIDGETS: Final = _list(
    "widget",
    Element(
        {"name": Attribute(required=True)},
        children={
            "conditions": _list("condition", Element({"key": _ANY}, text=True)),
            "fields": _list("field", _WIDGET_FIELD),
            "fields-in-item": Element(_any("items_of"), children={"field": _WIDGET_FIELD}),
            "integration-classes": _list("integration-class", _LINE),
        },
    ),
)
_NOTICE: Final = Element(
    {"id": Attribute(required=True), "type": _ANY, "dismissible": _ANY},
    children={
        "conditions": Element(
            {"relation": Attribute(values=("AND", "OR"))},
            children={"theme": Element(_any("relation"), text=True), "plugin": Element(_any("relation"), text=True)},
        ),
        "locations": _list("screenId", _LINE),
        "content": _LINE,
    },
)
_SECTIONS: Final[Mapping[str, Element]] = {
    "custom-types": _list("custom-type", _TRANSLATED),
    "taxonomies": _list("taxonomy", _TRANSLATED),
    "custom-fields": _list("custom-field", _FIELD),
    "custom-term-fields": _list("custom-term-field", _FIELD),
    "custom-fields-texts": _list("key", _FIELD_KEY),
    "admin-texts": _list("key", _OPTION_KEY),
    "shortcodes": _list("shortcode", _SHORTCODE),
    "shortcode-list": _LINE,
    "gutenberg-blocks": _list("gutenberg-block", _BLOCK),
    "language-switcher-settings": _list("key", _PLAIN_KEY),
    "allow-translatable-job-fields": Element(
        children={"": Element({"type": Attribute(required=True), "value": Attribute(required=True)})}
    ),
    "elementor-widgets": _WIDGETS,
    "beaver-builder-widgets": _WIDGETS,
    "cornerstone-widgets": _WIDGETS,
    "siteorigin-widgets": _WIDGETS,
    "built-with-page-builder": _LINE,
    "notices": _list("notice", _NOTICE),
}
ROOT: Final = Element(children=_SECTIONS, once=frozenset(_SECTIONS))
# Files that were written for other systems have their word in front.
_ROOT_NAME = re.compile(r"[a-z]+-config", re.ASCII)


def is_root(name: object) -> bool:
    """Say whether an element of this name is a configuration: `mlang-config`, or the same under another dialect."""
    return isinstance(name, str) and _ROOT_NAME.fullmatch(name) is not None

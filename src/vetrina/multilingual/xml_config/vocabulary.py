"""The vocabulary of the configuration: which elements occur where, with which attributes and values.

Data only; multilingual/xml_config/validation.py checks it, multilingual/xml_config/effects.py applies it.
Rules: docs/rules/xml_config.md, 5, 6, 8 and 9.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

__all__ = ["ROOT", "XmlAttributeRule", "XmlElementRule", "find_child", "is_root_name"]


class XmlAttributeRule(msgspec.Struct, frozen=True):
    """An attribute. values: the allowed ones, any when there are none. pattern: what its text must match."""

    required: bool = False
    values: tuple[str, ...] = ()
    pattern: str = ""


class XmlElementRule(msgspec.Struct, frozen=True):
    """An element.

    children: the allowed ones, by name; an empty name stands for any. once: those that occur at most once.
    nested: the name of a child that is like the element itself. text: whether it holds text.
    """

    attributes: Mapping[str, XmlAttributeRule] = {}
    children: Mapping[str, XmlElementRule] = {}
    once: frozenset[str] = frozenset()
    nested: str = ""
    text: bool = False


def find_child(parent: XmlElementRule, name: str) -> XmlElementRule | None:
    """Return the rule of an element's child, None where it is not allowed."""
    if parent.nested and name == parent.nested:
        return parent
    return parent.children.get(name) or parent.children.get("")


_ANY: Final = XmlAttributeRule()
_FLAG: Final = XmlAttributeRule(values=("0", "1"))
_NEEDED_FLAG: Final = XmlAttributeRule(required=True, values=("0", "1"))
_ENCODING: Final = XmlAttributeRule(pattern=r"[A-Za-z0-9,_]*")
_LINE: Final = XmlElementRule(text=True)


def _build_free_attributes(*names: str) -> dict[str, XmlAttributeRule]:
    return dict.fromkeys(names, _ANY)


def _build_list_element(name: str, of: XmlElementRule) -> XmlElementRule:
    return XmlElementRule(children={name: of})


_TRANSLATED: Final = XmlElementRule(
    {"translate": _NEEDED_FLAG, "display-as-translated": _FLAG, "automatic": _FLAG}, text=True
)  # fmt: skip
_FIELD: Final = XmlElementRule(
    {
        "action": XmlAttributeRule(required=True, values=("copy", "translate", "ignore", "copy-once")),
        "style": XmlAttributeRule(values=("line", "textarea", "visual")),
        "encoding": _ENCODING,
        "translate_link_target": _FLAG,
        "convert_to_sticky": _FLAG,
        **_build_free_attributes("label", "group", "type", "sub-type"),
    },
    text=True,
)
_NAME: Final = {"name": XmlAttributeRule(required=True)}
_FIELD_KEY: Final = XmlElementRule(
    {
        **_NAME,
        "encoding": XmlAttributeRule(values=("json",)),
        "search-method": XmlAttributeRule(values=("wildcards", "regex")),
        **_build_free_attributes("label", "type", "sub-type"),
    },
    nested="key",
)
_OPTION_KEY: Final = XmlElementRule({**_NAME, **_build_free_attributes("type", "sub-type")}, nested="key")
_PLAIN_KEY: Final = XmlElementRule(_NAME, nested="key")
_BLOCK_KEY: Final = XmlElementRule(
    {**_NAME, "encoding": _ENCODING, "search-method": XmlAttributeRule(values=("wildcards", "regex")),
     **_build_free_attributes("label", "type", "sub-type")},
    nested="key",
)  # fmt: skip
_SHORTCODE: Final = XmlElementRule(
    children={
        "tag": XmlElementRule(
            {
                "encoding": _ENCODING,
                "type": XmlAttributeRule(values=("media-url", "media-ids")),
                "raw-html": _FLAG,
                "ignore-content": _FLAG,
                **_build_free_attributes("encoding-condition", "label"),
            },
            text=True,
        ),
        "attributes": _build_list_element(
            "attribute",
            XmlElementRule({"encoding": _ENCODING, **_build_free_attributes("type", "sub-type", "label")}, text=True),
        ),
    },
    once=frozenset({"tag", "attributes"}),
)
_BLOCK: Final = XmlElementRule(
    {"type": XmlAttributeRule(required=True), "translate": _NEEDED_FLAG, "label": _ANY},
    children={
        "xpath": XmlElementRule(_build_free_attributes("type", "sub-type", "label"), text=True),
        "key": _BLOCK_KEY,
    },
)
_WIDGET_FIELD: Final = XmlElementRule(
    {
        "editor_type": XmlAttributeRule(values=("LINE", "AREA", "VISUAL", "LINK")),
        **_build_free_attributes("type", "sub-type", "key_of", "field_id"),
    },
    children={
        "": XmlElementRule(_build_free_attributes("type", "sub-type", "editor_type", "key_of", "field_id"), text=True)
    },
    text=True,
)
_WIDGETS: Final = _build_list_element(
    "widget",
    XmlElementRule(
        {"name": XmlAttributeRule(required=True)},
        children={
            "conditions": _build_list_element("condition", XmlElementRule({"key": _ANY}, text=True)),
            "fields": _build_list_element("field", _WIDGET_FIELD),
            "fields-in-item": XmlElementRule(_build_free_attributes("items_of"), children={"field": _WIDGET_FIELD}),
            "integration-classes": _build_list_element("integration-class", _LINE),
        },
    ),
)
_NOTICE: Final = XmlElementRule(
    {"id": XmlAttributeRule(required=True), "type": _ANY, "dismissible": _ANY},
    children={
        "conditions": XmlElementRule(
            {"relation": XmlAttributeRule(values=("AND", "OR"))},
            children={
                "theme": XmlElementRule(_build_free_attributes("relation"), text=True),
                "plugin": XmlElementRule(_build_free_attributes("relation"), text=True),
            },
        ),
        "locations": _build_list_element("screenId", _LINE),
        "content": _LINE,
    },
)
_SECTIONS: Final[Mapping[str, XmlElementRule]] = {
    "custom-types": _build_list_element("custom-type", _TRANSLATED),
    "taxonomies": _build_list_element("taxonomy", _TRANSLATED),
    "custom-fields": _build_list_element("custom-field", _FIELD),
    "custom-term-fields": _build_list_element("custom-term-field", _FIELD),
    "custom-fields-texts": _build_list_element("key", _FIELD_KEY),
    "admin-texts": _build_list_element("key", _OPTION_KEY),
    "shortcodes": _build_list_element("shortcode", _SHORTCODE),
    "shortcode-list": _LINE,
    "gutenberg-blocks": _build_list_element("gutenberg-block", _BLOCK),
    "language-switcher-settings": _build_list_element("key", _PLAIN_KEY),
    "allow-translatable-job-fields": XmlElementRule(
        children={
            "": XmlElementRule({"type": XmlAttributeRule(required=True), "value": XmlAttributeRule(required=True)})
        }
    ),
    "elementor-widgets": _WIDGETS,
    "beaver-builder-widgets": _WIDGETS,
    "cornerstone-widgets": _WIDGETS,
    "siteorigin-widgets": _WIDGETS,
    "built-with-page-builder": _LINE,
    "notices": _build_list_element("notice", _NOTICE),
}
ROOT: Final = XmlElementRule(children=_SECTIONS, once=frozenset(_SECTIONS))
# Files written for other systems have their own prefix.
_ROOT_NAME = re.compile(r"[a-z]+-config", re.ASCII)


def is_root_name(name: object) -> bool:
    """Say whether an element name is that of a configuration: `mlang-config`, or the same in another dialect."""
    return isinstance(name, str) and _ROOT_NAME.fullmatch(name) is not None

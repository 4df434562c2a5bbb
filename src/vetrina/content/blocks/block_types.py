"""The block types of a site: the attributes that an editor may set on each, and what the server renders.

The core types are data (block_types.toml); features that many types support are defined once, here. Not here: the
rendering of blocks (content/blocks/rendering.py, content/blocks/dynamic_blocks.py), the grammar
(content/blocks/grammar.py). Rules: docs/rules/themes.md, 4.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final

import orjson

from vetrina.rest.fields import AnyOf, Array, Boolean, Field, Integer, Number, Object, String, Untyped

_ALL_ALIGNMENTS: Final = ("left", "center", "right", "wide", "full")
_CLIENT: Final = {"clientNavigation": True}
_FEATURES: Final[Mapping[str, tuple[str, Any]]] = {
    "background": ("background", {"backgroundImage": True, "backgroundSize": True}),
    "border": ("__experimentalBorder", {"color": True, "radius": True, "style": True, "width": True}),
    "color": ("color", {"gradients": True, "link": True}),
    "dimensions": ("dimensions", {"minHeight": True}),
    "filter": ("filter", {"duotone": True}),
    "interactivity": ("interactivity", _CLIENT),
    "position": ("position", {"sticky": True}),
    "spacing": ("spacing", {"margin": True, "padding": True}),
    "typography": (
        "typography",
        {
            "fontSize": True,
            "lineHeight": True,
            **{
                f"__experimental{feature}": True
                for feature in (
                    "FontFamily", "FontWeight", "FontStyle", "TextTransform", "TextDecoration", "LetterSpacing",
                )
            },
            "__experimentalDefaultControls": {"fontSize": True},
        },
    ),
}  # fmt: skip
_STYLED: Final = frozenset(
    ("background", "border", "color", "dimensions", "filter", "layout", "position", "shadow", "spacing", "typography")
)
# Style sheet handles follow a rule; these types lack the one for readers or the one for editors.
_NO_STYLE: Final = frozenset(
    (
        "accordion-heading",
        "accordion-item",
        "accordion-panel",
        "block",
        "column",
        "comment-edit-link",
        "freeform",
        "html",
        "legacy-widget",
        "list-item",
        "missing",
        "more",
        "navigation-submenu",
        "nextpage",
        "pattern",
        "query",
        "query-no-results",
        "query-pagination-next",
        "query-pagination-numbers",
        "query-pagination-previous",
        "shortcode",
        "comments-pagination-next",
        "comments-pagination-numbers",
        "comments-pagination-previous",
        "social-link",
        "template-part",
        "terms-query",
        "widget-group",
    )
)
_NO_EDITOR_STYLE: Final = frozenset(
    (
        "accordion-heading",
        "accordion-item",
        "accordion-panel",
        "accordion",
        "column",
        "comment-author-name",
        "comment-content",
        "comment-date",
        "comment-edit-link",
        "comment-reply-link",
        "comment-template",
        "comments-pagination-next",
        "comments-pagination-previous",
        "footnotes",
        "heading",
        "latest-comments",
        "legacy-widget",
        "list",
        "list-item",
        "loginout",
        "math",
        "missing",
        "pattern",
        "post-author-biography",
        "post-author-name",
        "post-comments-count",
        "post-comments-link",
        "post-date",
        "post-navigation-link",
        "post-terms",
        "post-time-to-read",
        "post-title",
        "preformatted",
        "query-no-results",
        "query-pagination-next",
        "query-pagination-previous",
        "query-title",
        "query-total",
        "quote",
        "read-more",
        "term-count",
        "term-description",
        "term-name",
        "term-template",
        "terms-query",
        "widget-group",
    )
)
_STRING: Final = {"type": "string"}
_OBJECT: Final = {"type": "object"}


@dataclass(frozen=True, eq=False)
class BlockType:
    """A block type.

    name: with its namespace. attributes: the JSON schema of each. supports: features and their settings.
    server: whether the server renders it. uses, provides: context that it takes from the blocks around it, and gives.
    """

    name: str
    title: str
    about: str = ""
    category: str = "widgets"
    keywords: tuple[str, ...] = ()
    parent: tuple[str, ...] | None = None
    ancestor: tuple[str, ...] | None = None
    allowed: tuple[str, ...] | None = None
    uses: tuple[str, ...] = ()
    provides: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    supports: Mapping[str, Any] = field(default_factory=dict)
    server: bool = False

    @property
    def namespace(self) -> str:
        return self.name.partition("/")[0]

    @property
    def css_class(self) -> str:
        """Return the class of its outermost element."""
        return "wp-block-" + self.name.removeprefix("core/").replace("/", "-")

    @property
    def style_sheet(self) -> str | None:
        """Return the handle of its style sheet, None for a type without one."""
        return None if self._short in _NO_STYLE else f"cms-block-{self._short}"

    @property
    def editor_style_sheet(self) -> str | None:
        """Return the handle of its additional style sheet for editors, None for a type without one."""
        return None if self._short in _NO_EDITOR_STYLE else f"cms-block-{self._short}-editor"

    @property
    def _short(self) -> str:
        return self.name.partition("/")[2]

    @cached_property
    def fields(self) -> Object:
        """Return the attributes as one field that validates them all."""
        return Object(
            properties={name: _build_field(schema) for name, schema in self.attributes.items()}, additional=False
        )

    def resolve_attributes(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the attributes of a block: the valid given ones, typed, and defaults for the others."""
        out = {name: schema["default"] for name, schema in self.attributes.items() if "default" in schema}
        for name, value in given.items():
            known = self.fields.properties.get(name)
            if known is None:
                out[name] = value
            elif value is not None and known.fault(value, name) is None:
                out[name] = known.clean(value)
        return out


def find_block_type(name: str) -> BlockType | None:
    """Return the type with this name (and namespace), None for an unknown one."""
    return load_block_types().get(name)


@cache
def load_block_types() -> Mapping[str, BlockType]:
    """Return every type by name."""
    text = (files(__package__) / "block_types.toml").read_text(encoding="utf-8")
    return {f"core/{short}": _build_block_type(f"core/{short}", words) for short, words in tomllib.loads(text).items()}


def _build_block_type(name: str, words: Mapping[str, Any]) -> BlockType:
    tokens: list[str] = words.get("supports", [])
    own = {attribute: _parse_schema(spec) for attribute, spec in words.get("attributes", {}).items()}
    supports = _parse_supports(tokens)
    lists = {key: tuple(words[key]) for key in ("keywords", "parent", "ancestor", "allowed", "uses") if key in words}
    return BlockType(
        name,
        words["title"],
        words.get("about", ""),
        words.get("category", "widgets"),
        provides=words.get("provides", {}),
        attributes={**own, **_build_implied_attributes(tokens, supports, own)},
        supports=supports,
        server=words.get("server", False),
        **lists,
    )


def _parse_schema(spec: Any) -> dict[str, Any]:
    """Return the JSON schema of a `type` or `type=default` string."""
    if isinstance(spec, dict):
        return spec
    kind, given, default = spec.partition("=")
    if not given:
        return {"type": kind}
    return {"type": kind, "default": default if kind == "string" else orjson.loads(default)}


def _parse_supports(tokens: list[str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for token in tokens:
        word, _, parts = token.partition(":")
        if word.startswith("no-"):
            out[word.removeprefix("no-")] = False
        elif word == "align" and parts:
            out["align"] = parts.split(",")
        elif word == "color" and parts:
            out["color"] = {"text": parts == "text", "background": parts == "background"}
            out["color"]["gradients"] = parts == "background"
        elif word in _FEATURES:
            key, settings = _FEATURES[word]
            out[key] = settings
        else:
            out[word] = True
    return out


def _build_implied_attributes(
    tokens: list[str], supports: Mapping[str, Any], own: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return the attributes that a type has because of the features that it supports."""
    words = {token.partition(":")[0] for token in tokens}
    out: dict[str, dict[str, Any]] = {}
    if supports.get("lock", True):
        out["lock"] = _OBJECT
    out["metadata"] = _OBJECT
    if align := supports.get("align"):
        names = list(_ALL_ALIGNMENTS) if align is True else list(align)
        if supports.get("alignWide") is False:
            names = [name for name in names if name not in ("wide", "full")]
        out["align"] = {"type": "string", "enum": [*names, ""]}
    if supports.get("customClassName", True):
        out["className"] = _STRING
    if "layout" in words:
        out["layout"] = _OBJECT
    if words & _STYLED:
        out["style"] = _OBJECT
    color = supports.get("color") or {}
    if color and color.get("background", True):
        out["backgroundColor"] = _STRING
    if color and color.get("text", True):
        out["textColor"] = _STRING
    if color.get("gradients"):
        out["gradient"] = _STRING
    if "typography" in words:
        out.update(fontSize=_STRING, fontFamily=_STRING)
    if "border" in words:
        out["borderColor"] = _STRING
    if "ariaLabel" in words:
        out["ariaLabel"] = _STRING
    return {name: schema for name, schema in out.items() if name not in own}


def _build_field(schema: Mapping[str, Any]) -> Field:
    """Return the field that validates an attribute."""
    kind = schema.get("type")
    enum = tuple(schema.get("enum", ()))
    match kind:
        case list():
            return AnyOf(kinds=tuple(_build_field({"type": one}) for one in kind))
        case "string" | "rich-text":
            return String(enum=enum)
        case "boolean":
            return Boolean()
        case "integer":
            return Integer(minimum=schema.get("minimum"), maximum=schema.get("maximum"))
        case "number":
            return Number(minimum=schema.get("minimum"), maximum=schema.get("maximum"))
        case "array":
            return Array(items=_build_field(schema["items"]) if "items" in schema else Untyped())
        case "object":
            return Object(properties={name: _build_field(one) for name, one in schema.get("properties", {}).items()})
        case _:
            return Untyped()

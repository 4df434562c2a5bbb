"""Rules of which texts of which blocks and shortcodes are translated: built-in ones, and those of the configuration.

Not here: reading the configuration (multilingual/xml_config/effects.py), finding the texts in content
(multilingual/translations/segments.py). Rules: docs/rules/xml_config.md, 7.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

import msgspec

from vetrina.content.text.shortcodes import KNOWN_SHORTCODES
from vetrina.core.unit_of_work import UnitOfWork

OPTION: Final = "translation_rules"


# Value types of the configuration that are references → what they refer to; URLs of files stay.
REFERENCE_KINDS: Final[Mapping[str, str]] = {
    "link": "link", "media-ids": "record:attachment", "post-ids": "record", "taxonomy-ids": "term", "media-url": "",
}  # fmt: skip


def get_reference_kind(type: str, sub_type: str = "") -> str:
    """Return the kind of reference of a value type; empty for a value that stays, or is a text."""
    kind = REFERENCE_KINDS.get(type, "")
    return f"{kind}:{sub_type}" if sub_type and kind in ("record", "term") else kind


class AttributeReference(msgspec.Struct, frozen=True):
    """An attribute that is a reference. path: the keys that lead to it.

    kind: `link` (a URL), else as content/translations/ids_in_values.py defines it.
    """

    kind: str
    path: tuple[str, ...]


def build_reference(kind: str, path: Sequence[str]) -> AttributeReference:
    """Return an attribute that is a reference."""
    return AttributeReference(kind, tuple(path))


class BlockRule(msgspec.Struct, frozen=True):
    """The rule of one block type.

    translate: whether any of its texts is translated. xpaths: the texts of its markup, all of them when there are none.
    keys: translated attributes, each as the path of keys to it; `*` matches any. references: attributes that are
    references.
    """

    translate: bool = True
    xpaths: tuple[str, ...] = ()
    keys: tuple[tuple[str, ...], ...] = ()
    label: str = ""
    references: tuple[AttributeReference, ...] = ()


class ShortcodeRule(msgspec.Struct, frozen=True):
    """The rule of one shortcode: which attributes are texts or references, and whether its content is a text."""

    attributes: tuple[str, ...] = ()
    content: bool = True
    references: tuple[AttributeReference, ...] = ()


class TranslationRules(msgspec.Struct, frozen=True):
    """The rules of a site.

    protected: names of shortcodes without translated texts, which are not text themselves.
    fields: custom field → the paths of its texts; all of them when there are none.
    """

    blocks: Mapping[str, BlockRule] = {}
    shortcodes: Mapping[str, ShortcodeRule] = {}
    protected: tuple[str, ...] = ()
    fields: Mapping[str, tuple[tuple[str, ...], ...]] = {}

    def block(self, name: str) -> BlockRule:
        """Return the rule of a block type; name: with its namespace."""
        return self.blocks.get(name) or _BLOCKS.get(name) or _PLAIN

    @property
    def shortcode_names(self) -> frozenset[str]:
        """The names of shortcodes, in lower case."""
        return frozenset(self.shortcodes) | frozenset(self.protected) | _KNOWN


_PLAIN: Final = BlockRule()
_KNOWN: Final = frozenset(KNOWN_SHORTCODES)


def _build_key_rule(*paths: str) -> BlockRule:
    return BlockRule(keys=tuple(tuple(path.split(".")) for path in paths))


_LABELLED: Final = (
    "categories", "comments-pagination-next", "comments-pagination-previous", "home-link", "post-navigation-link",
    "query-pagination-next", "query-pagination-previous", "social-link",
)  # fmt: skip
_BLOCKS: Final[Mapping[str, BlockRule]] = {
    "core/code": BlockRule(translate=False),
    "core/shortcode": BlockRule(),
    **{f"core/{name}": _build_key_rule("label") for name in _LABELLED},
    "core/more": _build_key_rule("customText"),
    "core/navigation-link": _build_key_rule("label", "title", "description"),
    "core/navigation-submenu": _build_key_rule("label", "title", "description"),
    "core/post-author": _build_key_rule("byline"),
    "core/post-excerpt": _build_key_rule("moreText"),
    "core/post-terms": _build_key_rule("prefix", "suffix"),
    "core/read-more": _build_key_rule("content"),
    "core/search": _build_key_rule("label", "placeholder", "buttonText"),
    "core/video": _build_key_rule("tracks.*.label"),
}


def load_rules(work: UnitOfWork) -> TranslationRules:
    """Return the rules in force on a site."""
    stored: dict[str, Any] = work.option(OPTION)
    return msgspec.convert(stored, TranslationRules) if stored else TranslationRules()


def encode_rules(rules: TranslationRules) -> str:
    """Return the rules by which content is segmented, as JSON to store with a job."""
    return msgspec.json.encode(msgspec.structs.replace(rules, fields={})).decode()


def decode_rules(text: str) -> TranslationRules:
    """Return the rules that a job stored."""
    return msgspec.json.decode(text, type=TranslationRules)


def matches_path(path: Sequence[str | int], wanted: Sequence[str]) -> bool:
    """Say whether a path into a value is a wanted one, or leads beneath one.

    wanted: keys; `*` in one matches any characters, and one that begins with `~` is a regular expression.
    """
    return len(path) >= len(wanted) and all(
        _matches_step(want, str(have)) for have, want in zip(path, wanted, strict=False)
    )


def _matches_step(want: str, have: str) -> bool:
    if want.startswith("~"):
        try:
            return re.fullmatch(want[1:], have) is not None
        except re.error:
            return False
    return want == have or ("*" in want and fnmatchcase(have, want))

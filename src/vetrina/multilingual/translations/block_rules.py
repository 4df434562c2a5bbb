"""Which texts of which blocks and shortcodes are translated: the built-in rules, and those of the configuration.

Not here: reading the configuration (multilingual/xml_config/effects.py), finding the texts in content
(multilingual/translations/segments.py). Rules: facts of the multilingual layer, "Custom XML configuration".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

import msgspec

from vetrina.content.text.shortcodes import KNOWN
from vetrina.core.unit_of_work import Work

__all__ = [
    "NAMING", "OPTION", "BlockRule", "Reference", "Rules", "ShortcodeRule", "matches", "named", "of_site", "read",
    "reference", "written",
]  # fmt: skip

OPTION: Final = "translation_rules"


# What the configuration calls the types of values that name something, by what they name; a file's address stays.
NAMING: Final[Mapping[str, str]] = {
    "link": "link", "media-ids": "record:attachment", "post-ids": "record", "taxonomy-ids": "term", "media-url": "",
}  # fmt: skip


def named(type: str, sub_type: str = "") -> str:
    """Return what a value of the configuration's types names; empty for one that is to stay, or is a text."""
    kind = NAMING.get(type, "")
    return f"{kind}:{sub_type}" if sub_type and kind in ("record", "term") else kind


class Reference(msgspec.Struct, frozen=True):
    """An attribute that names something. path: the names on the way to it.

    kind: `link` (an address), else as content/translations/references.py has it.
    """

    kind: str
    path: tuple[str, ...]


def reference(kind: str, path: Sequence[str]) -> Reference:
    """Return an attribute that names something."""
    return Reference(kind, tuple(path))


class BlockRule(msgspec.Struct, frozen=True):
    """One kind of block.

    translate: whether any text of it is. xpaths: those of its markup, all text when there are none.
    keys: attributes, each as the names on the way to it; `*` stands for any. references: those that name something.
    """

    translate: bool = True
    xpaths: tuple[str, ...] = ()
    keys: tuple[tuple[str, ...], ...] = ()
    label: str = ""
    references: tuple[Reference, ...] = ()


class ShortcodeRule(msgspec.Struct, frozen=True):
    """One shortcode: which of its attributes are texts or name something, and whether what it encloses is a text."""

    attributes: tuple[str, ...] = ()
    content: bool = True
    references: tuple[Reference, ...] = ()


class Rules(msgspec.Struct, frozen=True):
    """The rules of a site.

    protected: names of shortcodes that are no text, without texts of their own.
    fields: of a custom field by its key, the paths of its texts; all when there is none.
    """

    blocks: Mapping[str, BlockRule] = {}
    shortcodes: Mapping[str, ShortcodeRule] = {}
    protected: tuple[str, ...] = ()
    fields: Mapping[str, tuple[tuple[str, ...], ...]] = {}

    def block(self, name: str) -> BlockRule:
        """Return the rule of a kind of block; name: with its namespace."""
        return self.blocks.get(name) or _BLOCKS.get(name) or _PLAIN

    @property
    def shortcode_names(self) -> frozenset[str]:
        """The names that are shortcodes, in lower case."""
        return frozenset(self.shortcodes) | frozenset(self.protected) | _KNOWN


_PLAIN: Final = BlockRule()
_KNOWN: Final = frozenset(KNOWN)


def _keys(*paths: str) -> BlockRule:
    return BlockRule(keys=tuple(tuple(path.split(".")) for path in paths))


_LABELLED: Final = (
    "categories", "comments-pagination-next", "comments-pagination-previous", "home-link", "post-navigation-link",
    "query-pagination-next", "query-pagination-previous", "social-link",
)  # fmt: skip
_BLOCKS: Final[Mapping[str, BlockRule]] = {
    "core/code": BlockRule(translate=False),
    "core/shortcode": BlockRule(),
    **{f"core/{name}": _keys("label") for name in _LABELLED},
    "core/more": _keys("customText"),
    "core/navigation-link": _keys("label", "title", "description"),
    "core/navigation-submenu": _keys("label", "title", "description"),
    "core/post-author": _keys("byline"),
    "core/post-excerpt": _keys("moreText"),
    "core/post-terms": _keys("prefix", "suffix"),
    "core/read-more": _keys("content"),
    "core/search": _keys("label", "placeholder", "buttonText"),
    "core/video": _keys("tracks.*.label"),
}


def of_site(work: Work) -> Rules:
    """Return the rules that hold on a site."""
    stored: dict[str, Any] = work.option(OPTION)
    return msgspec.convert(stored, Rules) if stored else Rules()


def written(rules: Rules) -> str:
    """Return those of the rules that content is cut by, as a job keeps them."""
    return msgspec.json.encode(msgspec.structs.replace(rules, fields={})).decode()


def read(text: str) -> Rules:
    """Return rules that a job kept."""
    return msgspec.json.decode(text, type=Rules)


def matches(path: Sequence[str | int], wanted: Sequence[str]) -> bool:
    """Say whether a way into a value is one that is wanted, or goes on from one.

    wanted: names; `*` in one stands for any signs, and one that begins with `~` is a regular expression.
    """
    return len(path) >= len(wanted) and all(
        _is_named(want, str(have)) for have, want in zip(path, wanted, strict=False)
    )


def _is_named(want: str, have: str) -> bool:
    if want.startswith("~"):
        try:
            return re.fullmatch(want[1:], have) is not None
        except re.error:
            return False
    return want == have or ("*" in want and fnmatchcase(have, want))

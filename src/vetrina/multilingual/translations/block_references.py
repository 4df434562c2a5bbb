"""What block attributes, shortcodes and markup name by numbers and addresses, turned to that of another language.

An image of a translation is the twin in its language, a pattern the translated pattern, a query asks for the translated
terms. What has no translation stays as it is, and so does every byte beside. Not here: which attributes name what
beyond the built-in ones (multilingual/translations/block_rules.py), links in markup
(multilingual/translations/links.py). Rules: facts of the multilingual layer, 6.5 and 13.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from vetrina.content.blocks import grammar
from vetrina.content.blocks.grammar import Block
from vetrina.content.translations import references
from vetrina.core.unit_of_work import Work
from vetrina.multilingual.translations import json_strings
from vetrina.multilingual.translations.block_rules import Reference, Rules, matches, reference
from vetrina.multilingual.translations.json_strings import Path
from vetrina.multilingual.translations.links import translated_address

__all__ = ["in_language"]

_RECORD, _TERM, _LINK = "record", "term", "link"
_FILE, _PATTERN, _NAVIGATION_RECORD, _PAGE = (
    f"record:{type}" for type in ("attachment", "cms_block", "cms_navigation", "page")
)


def _at(kind: str, *paths: str) -> tuple[Reference, ...]:
    return tuple(reference(kind, path.split(".")) for path in paths)


_LINKED: Final = _at(_LINK, "url")
_BUILT_IN: Final[Mapping[str, tuple[Reference, ...]]] = {
    **{f"core/{name}": _at(_FILE, "id") for name in ("audio", "cover", "image", "video")},
    "core/block": _at(_PATTERN, "ref"),
    "core/file": (*_at(_FILE, "id"), *_at(_LINK, "textLinkHref")),
    "core/gallery": _at(_FILE, "ids"),
    "core/latest-posts": _at(_TERM, "categories", "categories.*.id"),
    "core/media-text": (*_at(_FILE, "mediaId"), *_at(_LINK, "href")),
    "core/navigation": _at(_NAVIGATION_RECORD, "ref"),
    "core/navigation-link": _LINKED,
    "core/navigation-submenu": _LINKED,
    "core/page-list": _at(_PAGE, "parentPageID"),
    "core/page-list-item": _at(_PAGE, "id"),
    "core/query": (
        *_at(_RECORD, "query.parents", "query.exclude"),
        *_at(_TERM, "query.taxQuery.*", "query.taxQuery.*.*", "query.categoryIds", "query.tagIds"),
    ),
    "core/terms-query": _at(_TERM, "termQuery.include", "termQuery.parent"),
}
# An entry of a navigation says itself what its number names.
_NAVIGATION: Final = frozenset({"core/navigation-link", "core/navigation-submenu"})
# Classes and attributes by which markup names an image, and the shortcodes of the core that name files.
_IMAGE = re.compile(
    r"""(?P<before>\b(?:wp-image-|wp-att-|data-id=["']?|attachment_)|\[(?:gallery|playlist)\b[^\]]*?\bids=["']?)"""
    r"""(?P<ids>\d[\d, ]*)""",
    re.ASCII,
)
_SHORTCODE = re.compile(r"\[([A-Za-z][\w-]*)\b([^\[\]]*)\]", re.ASCII)
_ATTRIBUTE = re.compile(r"""\b([\w-]+)=(["'])([^"']*)\2""", re.ASCII)


class _Named(NamedTuple):
    """A place that names something. value: as it is read; written: writes another one in its place."""

    kind: str
    value: str | int
    written: Callable[[str | int], str]


_Piece = str | _Named


def in_language(work: Work, content: str, rules: Rules, language: str) -> str:
    """Return content whose references name what there is in a language."""
    pieces = list(_pieces(content, rules))
    wanted: dict[str, set[int]] = {}
    for piece in pieces:
        if isinstance(piece, _Named) and piece.kind != _LINK:
            wanted.setdefault(piece.kind, set()).update(references.numbers(piece.value))
    there = {kind: references.known(work, kind, numbers, language) for kind, numbers in wanted.items()}
    out: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            out.append(piece)
        elif piece.kind == _LINK:
            out.append(piece.written(translated_address(work, str(piece.value), language) or piece.value))
        else:
            out.append(piece.written(references.turned(piece.value, there[piece.kind])))
    return "".join(out)


def _pieces(content: str, rules: Rules) -> Iterator[_Piece]:
    pending: list[str | Block] = list(reversed(grammar.parse(content)))
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            yield from _markup(part, rules)
            continue
        yield from _delimiter(part, rules)
        pending.append(part.closing)
        pending.extend(reversed(part.parts))


def _delimiter(block: Block, rules: Rules) -> Iterator[_Piece]:
    """Yield a block's opening delimiter, its references apart."""
    opening, text = block.opening, block.attributes_text
    known = (*rules.block(block.name).references, *_BUILT_IN.get(block.name, ()))
    if not (text and known):
        yield opening
        return
    start, at = opening.index(text), 0
    for path, begin, end, value in json_strings.values(text):
        kind = _kind(block, path, known)
        if not kind:
            continue
        raw = text[begin:end]

        def written(new: str | int, raw: str = raw, old: str | int = value) -> str:
            if new == old:
                return raw
            return json_strings.written(new) if isinstance(new, str) else str(new)

        yield opening[at : start + begin]
        yield _Named(kind, value, written)
        at = start + end
    yield opening[at:]


def _kind(block: Block, path: Path, known: tuple[Reference, ...]) -> str:
    """Return what an attribute names, empty for what names nothing."""
    if block.name in _NAVIGATION and path == ("id",):
        of = block.attributes.get("type")
        what = _TERM if block.attributes.get("kind") == "taxonomy" else _RECORD
        # A tag's entry says `tag`, where its taxonomy is called otherwise.
        return f"{what}:{of}" if what is _RECORD and isinstance(of, str) and of else what
    for one in known:
        beyond = path[len(one.path) :]
        if matches(path, one.path) and all(isinstance(step, int) for step in beyond):
            return one.kind
    return ""


def _markup(text: str, rules: Rules) -> Iterator[_Piece]:
    """Yield the pieces of what stands between delimiters."""
    at = 0
    for begin, end, kind in sorted(_named_in(text, rules)):
        if begin < at:
            continue
        yield text[at:begin]
        yield _Named(kind, text[begin:end], str)
        at = end
    yield text[at:]


def _named_in(text: str, rules: Rules) -> Iterator[tuple[int, int, str]]:
    """Yield the places of numbers and addresses in markup."""
    for found in _IMAGE.finditer(text):
        begin, end = found.span("ids")
        yield begin, begin + len(text[begin:end].rstrip(", ")), _FILE
    if "[" not in text or not any(rule.references for rule in rules.shortcodes.values()):
        return
    for shortcode in _SHORTCODE.finditer(text):
        rule = rules.shortcodes.get(shortcode[1].lower())
        for found in _ATTRIBUTE.finditer(text, *shortcode.span(2)) if rule is not None else ():
            one = next((one for one in rule.references if one.path == (found[1].lower(),)), None) if rule else None
            if one is not None:
                yield *found.span(3), one.kind

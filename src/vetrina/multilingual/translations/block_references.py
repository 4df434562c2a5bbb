"""References by id or URL in block attributes, shortcodes and markup, replaced by those of another language.

An image becomes its twin in the language, a pattern the translated pattern, a query uses the translated terms. What has
no translation stays as it is, and so does every other byte. Not here: which further attributes are references
(multilingual/translations/block_rules.py), links in markup (multilingual/translations/link_replacement.py).
Rules: docs/rules/translation_jobs.md, 11 and docs/rules/xml_config.md, 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from vetrina.content.blocks import grammar
from vetrina.content.blocks.grammar import Block
from vetrina.content.translations import ids_in_values
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.translations import json_strings
from vetrina.multilingual.translations.block_rules import (
    AttributeReference,
    TranslationRules,
    build_reference,
    matches_path,
)
from vetrina.multilingual.translations.json_strings import JsonPath
from vetrina.multilingual.translations.link_replacement import find_translated_address

_RECORD, _TERM, _LINK = "record", "term", "link"
_FILE, _PATTERN, _NAVIGATION_RECORD, _PAGE = (
    f"record:{type}" for type in ("attachment", "cms_block", "cms_navigation", "page")
)


def _build_references(kind: str, *paths: str) -> tuple[AttributeReference, ...]:
    return tuple(build_reference(kind, path.split(".")) for path in paths)


_LINKED: Final = _build_references(_LINK, "url")
_BUILT_IN: Final[Mapping[str, tuple[AttributeReference, ...]]] = {
    **{f"core/{name}": _build_references(_FILE, "id") for name in ("audio", "cover", "image", "video")},
    "core/block": _build_references(_PATTERN, "ref"),
    "core/file": (*_build_references(_FILE, "id"), *_build_references(_LINK, "textLinkHref")),
    "core/gallery": _build_references(_FILE, "ids"),
    "core/latest-posts": _build_references(_TERM, "categories", "categories.*.id"),
    "core/media-text": (*_build_references(_FILE, "mediaId"), *_build_references(_LINK, "href")),
    "core/navigation": _build_references(_NAVIGATION_RECORD, "ref"),
    "core/navigation-link": _LINKED,
    "core/navigation-submenu": _LINKED,
    "core/page-list": _build_references(_PAGE, "parentPageID"),
    "core/page-list-item": _build_references(_PAGE, "id"),
    "core/query": (
        *_build_references(_RECORD, "query.parents", "query.exclude"),
        *_build_references(_TERM, "query.taxQuery.*", "query.taxQuery.*.*", "query.categoryIds", "query.tagIds"),
    ),
    "core/terms-query": _build_references(_TERM, "termQuery.include", "termQuery.parent"),
}
# A navigation entry has an attribute that says what its id refers to.
_NAVIGATION: Final = frozenset({"core/navigation-link", "core/navigation-submenu"})
# Classes and attributes that refer to an image in markup, and the built-in shortcodes that name files.
_IMAGE = re.compile(
    r"""(?P<before>\b(?:wp-image-|wp-att-|data-id=["']?|attachment_)|\[(?:gallery|playlist)\b[^\]]*?\bids=["']?)"""
    r"""(?P<ids>\d[\d, ]*)""",
    re.ASCII,
)
_SHORTCODE = re.compile(r"\[([A-Za-z][\w-]*)\b([^\[\]]*)\]", re.ASCII)
_ATTRIBUTE = re.compile(r"""\b([\w-]+)=(["'])([^"']*)\2""", re.ASCII)


class _ContentReference(NamedTuple):
    """A reference in content. value: as it is read; written: formats the value that replaces it."""

    kind: str
    value: str | int
    write: Callable[[str | int], str]


_ReferencePiece = str | _ContentReference


def translate_references(work: UnitOfWork, content: str, rules: TranslationRules, language: str) -> str:
    """Return content with its references replaced by those of a language."""
    return replace_references(
        content,
        rules,
        lambda kind, numbers: ids_in_values.map_translated_ids(work, kind, numbers, language),
        lambda address: find_translated_address(work, address, language),
    )


def replace_references(
    content: str,
    rules: TranslationRules,
    map_ids: Callable[[str, set[int]], Mapping[int, int]],
    find_address: Callable[[str], str],
) -> str:
    """Return content with its references replaced.

    map_ids: (kind of reference, ids) -> other ids by these; those that are missing stay. find_address: (URL) -> another
    one, empty to keep it.
    """
    pieces = list(_iterate_pieces(content, rules))
    wanted: dict[str, set[int]] = {}
    for piece in pieces:
        if isinstance(piece, _ContentReference) and piece.kind != _LINK:
            wanted.setdefault(piece.kind, set()).update(ids_in_values.extract_ids(piece.value))
    there = {kind: map_ids(kind, numbers) for kind, numbers in wanted.items()}
    out: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            out.append(piece)
        elif piece.kind == _LINK:
            out.append(piece.write(find_address(str(piece.value)) or piece.value))
        else:
            out.append(piece.write(ids_in_values.replace_ids(piece.value, there[piece.kind])))
    return "".join(out)


def _iterate_pieces(content: str, rules: TranslationRules) -> Iterator[_ReferencePiece]:
    pending: list[str | Block] = list(reversed(grammar.parse_blocks(content)))
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            yield from _iterate_markup_pieces(part, rules)
            continue
        yield from _iterate_delimiter_pieces(part, rules)
        pending.append(part.closing)
        pending.extend(reversed(part.parts))


def _iterate_delimiter_pieces(block: Block, rules: TranslationRules) -> Iterator[_ReferencePiece]:
    """Yield the pieces of a block's opening delimiter, references separately."""
    opening, text = block.opening, block.attributes_text
    known = (*rules.block(block.name).references, *_BUILT_IN.get(block.name, ()))
    if not (text and known):
        yield opening
        return
    start, at = opening.index(text), 0
    for path, begin, end, value in json_strings.list_json_values(text):
        kind = _find_reference_kind(block, path, known)
        if not kind:
            continue
        raw = text[begin:end]

        def written(new: str | int, raw: str = raw, old: str | int = value) -> str:
            if new == old:
                return raw
            return json_strings.encode_json_string(new) if isinstance(new, str) else str(new)

        yield opening[at : start + begin]
        yield _ContentReference(kind, value, written)
        at = start + end
    yield opening[at:]


def _find_reference_kind(block: Block, path: JsonPath, known: tuple[AttributeReference, ...]) -> str:
    """Return the kind of item that an attribute refers to, empty for none."""
    if block.name in _NAVIGATION and path == ("id",):
        of = block.attributes.get("type")
        what = _TERM if block.attributes.get("kind") == "taxonomy" else _RECORD
        # A tag's entry says `tag`, where the taxonomy has another name.
        return f"{what}:{of}" if what is _RECORD and isinstance(of, str) and of else what
    for one in known:
        beyond = path[len(one.path) :]
        if matches_path(path, one.path) and all(isinstance(step, int) for step in beyond):
            return one.kind
    return ""


def _iterate_markup_pieces(text: str, rules: TranslationRules) -> Iterator[_ReferencePiece]:
    """Yield the pieces of the content between delimiters."""
    at = 0
    for begin, end, kind in sorted(_iterate_markup_references(text, rules)):
        if begin < at:
            continue
        yield text[at:begin]
        yield _ContentReference(kind, text[begin:end], str)
        at = end
    yield text[at:]


def _iterate_markup_references(text: str, rules: TranslationRules) -> Iterator[tuple[int, int, str]]:
    """Yield the places of ids and URLs in markup."""
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

"""Content cut into what is translated and what stays: the texts of its blocks, one a sentence group or attribute.

The pieces put together are the content again, byte for byte; a text that is exchanged changes nothing but itself.
Sentences keep their inline tags; elements that stand apart, blocks and comments end them. Not here: which blocks and
attributes count (multilingual/translations/block_rules.py), how texts travel (multilingual/xliff/writer.py).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final

import msgspec

from vetrina.content.blocks import grammar
from vetrina.content.blocks.grammar import Block
from vetrina.multilingual.translations import json_strings
from vetrina.multilingual.translations.block_rules import BlockRule, Rules, matches
from vetrina.multilingual.translations.html_tokens import Token, TokenKind, attributes, tokens
from vetrina.multilingual.translations.word_count import has_words
from vetrina.multilingual.translations.xpath_texts import places

__all__ = ["Segment", "SegmentKind", "filled", "segments"]

# Attributes of tags that people read.
_READ: Final = frozenset({"alt", "title", "placeholder", "aria-label", "summary"})
_SHORTCODE_NAME = re.compile(r"\[/?([A-Za-z][\w-]*)")
_BLANK: Final = " \t\r\n\f\v"


class SegmentKind(Enum):
    """How a text stands in the content, which decides how another one is written in its place."""

    MARKUP = "markup"
    ATTRIBUTE = "attribute"
    SHORTCODE = "shortcode attribute"
    JSON = "block attribute"


class Segment(msgspec.Struct, frozen=True):
    """A text of some content. raw: as it stands there; text: as people read it. where: the block, the tag or key."""

    kind: SegmentKind
    raw: str
    text: str
    block: str = ""
    where: str = ""

    def written(self, text: str) -> str:
        """Return another text as it is written in this one's place."""
        if text == self.text:
            return self.raw
        if self.kind is SegmentKind.JSON:
            return json_strings.written(text)
        if self.kind is SegmentKind.ATTRIBUTE:
            return html.escape(text)
        if self.kind is SegmentKind.SHORTCODE:
            return text.replace('"', "&quot;").replace("'", "&#039;").replace("[", "&#91;").replace("]", "&#93;")
        return text


Piece = str | Segment


def segments(content: str, rules: Rules) -> list[Segment]:
    """Return the texts of some content in their order."""
    return [piece for piece in _pieces(content, rules) if isinstance(piece, Segment)]


def filled(content: str, rules: Rules, texts: Mapping[int, str]) -> str:
    """Return content with other texts. texts: by the places of the segments; what is missing stays."""
    out: list[str] = []
    at = 0
    for piece in _pieces(content, rules):
        if isinstance(piece, str):
            out.append(piece)
            continue
        out.append(piece.written(texts[at]) if at in texts else piece.raw)
        at += 1
    return "".join(out)


def _pieces(content: str, rules: Rules) -> Iterator[Piece]:
    plain = BlockRule()
    pending: list[tuple[str | Block, str, BlockRule, tuple[tuple[int, int], ...] | None]] = [
        (part, "", plain, None) for part in reversed(grammar.parse(content))
    ]
    while pending:
        part, name, rule, chosen = pending.pop()
        if isinstance(part, str):
            yield from _markup(part, name, rule, rules, chosen)
            continue
        own = rules.block(part.name)
        yield from _delimiter(part, own)
        # An end delimiter holds no text: a rule that translates nothing passes it through.
        pending.append((part.closing, "", _SILENT, None))
        texts = [inner for inner in part.parts if isinstance(inner, str)]
        spans = iter(places(texts, own.xpaths)) if own.xpaths and own.translate else None
        inner_parts = [
            (inner, part.name, own, tuple(next(spans)) if spans is not None and isinstance(inner, str) else None)
            for inner in part.parts
        ]
        pending.extend(reversed(inner_parts))


_SILENT: Final = BlockRule(translate=False)


def _delimiter(block: Block, rule: BlockRule) -> Iterator[Piece]:
    """Yield a block's opening delimiter, its translated attributes apart."""
    opening, text = block.opening, block.attributes_text
    if not (rule.translate and rule.keys and text):
        yield opening
        return
    start = opening.index(text)
    at = 0
    for path, begin, end, value in json_strings.strings(text):
        key = next((key for key in rule.keys if matches(path, key)), None)
        if key is None or not has_words(value):
            continue
        yield opening[at : start + begin]
        yield Segment(SegmentKind.JSON, text[begin:end], value, block.name, ".".join(map(str, path)))
        at = start + end
    yield opening[at:]


def _markup(
    text: str, block: str, rule: BlockRule, rules: Rules, chosen: tuple[tuple[int, int], ...] | None
) -> Iterator[Piece]:
    """Yield the pieces of markup between delimiters. chosen: the only places that are translated, where some are."""
    if not text or not rule.translate:
        yield text
        return
    if chosen is not None:
        yield from _chosen(text, block, chosen)
        return
    # A block of shortcodes holds nothing else, whatever their names.
    names = _names_in(text) if block == "core/shortcode" else rules.shortcode_names
    at = start = 0  # what was yielded so far; where the sentence at hand begins
    sentence: list[Token] = []
    wrap = ""
    silent = 0  # how many shortcodes are open whose content is no text
    for token in tokens(text, names):
        if token.is_inline and not _is_apart(token, rules):
            if not sentence:
                start = token.start
            sentence.append(token)
            continue
        if sentence and not silent:
            yield from _sentence(text, at, start, token.start, sentence, block, wrap)
            at = token.start
        sentence = []
        if token.kind is TokenKind.SHORTCODE:
            silent = _silenced(text, token, rules, silent)
            places_in = _shortcode_places(text, token, rules)
            kind = SegmentKind.SHORTCODE
        else:
            wrap = token.name if token.kind is TokenKind.OPEN else ""
            places_in = _read_places(text, token)
            kind = SegmentKind.ATTRIBUTE
        for name, begin, end in places_in:
            value = html.unescape(text[begin:end])
            if has_words(value):
                yield text[at:begin]
                yield Segment(kind, text[begin:end], value, block, f"{token.name} {name}")
                at = end
    if sentence and not silent:
        yield from _sentence(text, at, start, len(text), sentence, block, wrap)
        return
    yield text[at:]


def _sentence(text: str, at: int, start: int, end: int, pieces: list[Token], block: str, wrap: str) -> Iterator[Piece]:
    """Yield what stands before a sentence, the sentence without the blanks around it, and these."""
    has_text = any(
        token.kind is TokenKind.TEXT and has_words(_without_entities(text[token.start : token.end])) for token in pieces
    )
    whole = text[start:end]
    stripped = whole.strip(_BLANK)
    if not has_text or not stripped:
        yield text[at:end]
        return
    begin = start + len(whole) - len(whole.lstrip(_BLANK))
    yield text[at:begin]
    yield Segment(SegmentKind.MARKUP, stripped, stripped, block, wrap)
    yield text[begin + len(stripped) : end]


def _chosen(text: str, block: str, spans: tuple[tuple[int, int], ...]) -> Iterator[Piece]:
    at = 0
    for begin, end in spans:
        raw = text[begin:end]
        if begin < at or not has_words(raw):
            continue
        quoted = begin > 0 and text[begin - 1] in "\"'" and text[end : end + 1] == text[begin - 1]
        yield text[at:begin]
        if quoted:
            yield Segment(SegmentKind.ATTRIBUTE, raw, html.unescape(raw), block)
        else:
            yield Segment(SegmentKind.MARKUP, raw, raw, block)
        at = end
    yield text[at:]


def _without_entities(text: str) -> str:
    return html.unescape(text) if "&" in text else text


def _names_in(text: str) -> frozenset[str]:
    return frozenset(name.lower() for name in _SHORTCODE_NAME.findall(text))


def _read_places(text: str, token: Token) -> list[tuple[str, int, int]]:
    if token.kind not in (TokenKind.OPEN, TokenKind.VOID):
        return []
    return [place for place in attributes(text, token) if place[0] in _READ]


def _is_apart(token: Token, rules: Rules) -> bool:
    """Say whether a shortcode is configured, so that its parts are texts of their own."""
    return token.kind is TokenKind.SHORTCODE and token.name in rules.shortcodes


def _shortcode_places(text: str, token: Token, rules: Rules) -> list[tuple[str, int, int]]:
    rule = rules.shortcodes.get(token.name)
    if rule is None:
        return []
    return [place for place in attributes(text, token) if place[0] in rule.attributes or "*" in rule.attributes]


def _silenced(text: str, token: Token, rules: Rules, silent: int) -> int:
    """Return how many shortcodes are open whose content is no text, behind this one."""
    rule = rules.shortcodes.get(token.name)
    if rule is None or rule.content:
        return silent
    if text[token.start + 1] == "/":
        return max(0, silent - 1)
    return silent + (f"[/{token.name}]" in text[token.end :])

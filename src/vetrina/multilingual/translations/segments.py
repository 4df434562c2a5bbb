"""Segments of content: the translatable texts of its blocks, one per group of sentences or attribute, and the rest.

The joined pieces equal the content byte for byte; replacing a text changes nothing else. Sentences keep their inline
tags; block-level elements, blocks and comments end them. Not here: which blocks and attributes are translated
(multilingual/translations/block_rules.py), how texts are exchanged (multilingual/xliff/writer.py).
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
from vetrina.multilingual.translations.block_rules import BlockRule, TranslationRules, matches_path
from vetrina.multilingual.translations.html_tokens import HtmlToken, HtmlTokenKind, iterate_attributes, tokenize_html
from vetrina.multilingual.translations.word_count import has_words
from vetrina.multilingual.translations.xpath_texts import list_text_spans

# Attributes of tags with readable text.
_READABLE_ATTRIBUTES: Final = frozenset({"alt", "title", "placeholder", "aria-label", "summary"})
_SHORTCODE_NAME = re.compile(r"\[/?([A-Za-z][\w-]*)")
_BLANK: Final = " \t\r\n\f\v"


class ContentSegmentKind(Enum):
    """How a text is encoded in the content, and so how its replacement is."""

    MARKUP = "markup"
    ATTRIBUTE = "attribute"
    SHORTCODE = "shortcode attribute"
    JSON = "block attribute"


class ContentSegment(msgspec.Struct, frozen=True):
    """A text of some content. raw: as encoded there; text: decoded. where: the block, the tag or key."""

    kind: ContentSegmentKind
    raw: str
    text: str
    block: str = ""
    where: str = ""

    def encode_text(self, text: str) -> str:
        """Return another text encoded like this one."""
        if text == self.text:
            return self.raw
        if self.kind is ContentSegmentKind.JSON:
            return json_strings.encode_json_string(text)
        if self.kind is ContentSegmentKind.ATTRIBUTE:
            return html.escape(text)
        if self.kind is ContentSegmentKind.SHORTCODE:
            return text.replace('"', "&quot;").replace("'", "&#039;").replace("[", "&#91;").replace("]", "&#93;")
        return text


ContentPiece = str | ContentSegment


def list_segments(content: str, rules: TranslationRules) -> list[ContentSegment]:
    """Return the texts of some content in their order."""
    return [piece for piece in _iterate_pieces(content, rules) if isinstance(piece, ContentSegment)]


def fill_segments(content: str, rules: TranslationRules, texts: Mapping[int, str]) -> str:
    """Return content with texts replaced. texts: by the index of their segments; missing ones stay."""
    out: list[str] = []
    at = 0
    for piece in _iterate_pieces(content, rules):
        if isinstance(piece, str):
            out.append(piece)
            continue
        out.append(piece.encode_text(texts[at]) if at in texts else piece.raw)
        at += 1
    return "".join(out)


def _iterate_pieces(content: str, rules: TranslationRules) -> Iterator[ContentPiece]:
    plain = BlockRule()
    pending: list[tuple[str | Block, str, BlockRule, tuple[tuple[int, int], ...] | None]] = [
        (part, "", plain, None) for part in reversed(grammar.parse_blocks(content))
    ]
    while pending:
        part, name, rule, chosen = pending.pop()
        if isinstance(part, str):
            yield from _iterate_markup_pieces(part, name, rule, rules, chosen)
            continue
        own = rules.block(part.name)
        yield from _iterate_delimiter_pieces(part, own)
        # An end delimiter holds no text: a rule that translates nothing passes it through.
        pending.append((part.closing, "", _UNTRANSLATED, None))
        texts = [inner for inner in part.parts if isinstance(inner, str)]
        spans = iter(list_text_spans(texts, own.xpaths)) if own.xpaths and own.translate else None
        inner_parts = [
            (inner, part.name, own, tuple(next(spans)) if spans is not None and isinstance(inner, str) else None)
            for inner in part.parts
        ]
        pending.extend(reversed(inner_parts))


_UNTRANSLATED: Final = BlockRule(translate=False)


def _iterate_delimiter_pieces(block: Block, rule: BlockRule) -> Iterator[ContentPiece]:
    """Yield a block's opening delimiter, its translated attributes separately."""
    opening, text = block.opening, block.attributes_text
    if not (rule.translate and rule.keys and text):
        yield opening
        return
    start = opening.index(text)
    at = 0
    for path, begin, end, value in json_strings.list_json_strings(text):
        key = next((key for key in rule.keys if matches_path(path, key)), None)
        if key is None or not has_words(value):
            continue
        yield opening[at : start + begin]
        yield ContentSegment(ContentSegmentKind.JSON, text[begin:end], value, block.name, ".".join(map(str, path)))
        at = start + end
    yield opening[at:]


def _iterate_markup_pieces(
    text: str, block: str, rule: BlockRule, rules: TranslationRules, chosen: tuple[tuple[int, int], ...] | None
) -> Iterator[ContentPiece]:
    """Yield the pieces of the markup between delimiters. chosen: the only spans to translate, None for all."""
    if not text or not rule.translate:
        yield text
        return
    if chosen is not None:
        yield from _iterate_chosen_pieces(text, block, chosen)
        return
    # A shortcode block holds nothing but shortcodes, whatever their names.
    names = _list_shortcode_names(text) if block == "core/shortcode" else rules.shortcode_names
    at = start = 0  # yielded up to here; start of the current sentence
    sentence: list[HtmlToken] = []
    wrap = ""
    silent = 0  # the number of open shortcodes whose content is not text
    for token in tokenize_html(text, names):
        if token.is_inline and not _is_configured_shortcode(token, rules):
            if not sentence:
                start = token.start
            sentence.append(token)
            continue
        if sentence and not silent:
            yield from _iterate_sentence_pieces(text, at, start, token.start, sentence, block, wrap)
            at = token.start
        sentence = []
        if token.kind is HtmlTokenKind.SHORTCODE:
            silent = _count_silent_shortcodes(text, token, rules, silent)
            places_in = _list_shortcode_attributes(text, token, rules)
            kind = ContentSegmentKind.SHORTCODE
        else:
            wrap = token.name if token.kind is HtmlTokenKind.OPEN else ""
            places_in = _list_readable_attributes(text, token)
            kind = ContentSegmentKind.ATTRIBUTE
        for name, begin, end in places_in:
            value = html.unescape(text[begin:end])
            if has_words(value):
                yield text[at:begin]
                yield ContentSegment(kind, text[begin:end], value, block, f"{token.name} {name}")
                at = end
    if sentence and not silent:
        yield from _iterate_sentence_pieces(text, at, start, len(text), sentence, block, wrap)
        return
    yield text[at:]


def _iterate_sentence_pieces(
    text: str, at: int, start: int, end: int, pieces: list[HtmlToken], block: str, wrap: str
) -> Iterator[ContentPiece]:
    """Yield what precedes a sentence, the sentence without the whitespace around it, and that whitespace."""
    has_text = any(
        token.kind is HtmlTokenKind.TEXT and has_words(_decode_entities(text[token.start : token.end]))
        for token in pieces
    )
    whole = text[start:end]
    stripped = whole.strip(_BLANK)
    if not has_text or not stripped:
        yield text[at:end]
        return
    begin = start + len(whole) - len(whole.lstrip(_BLANK))
    yield text[at:begin]
    yield ContentSegment(ContentSegmentKind.MARKUP, stripped, stripped, block, wrap)
    yield text[begin + len(stripped) : end]


def _iterate_chosen_pieces(text: str, block: str, spans: tuple[tuple[int, int], ...]) -> Iterator[ContentPiece]:
    at = 0
    for begin, end in spans:
        raw = text[begin:end]
        if begin < at or not has_words(raw):
            continue
        quoted = begin > 0 and text[begin - 1] in "\"'" and text[end : end + 1] == text[begin - 1]
        yield text[at:begin]
        if quoted:
            yield ContentSegment(ContentSegmentKind.ATTRIBUTE, raw, html.unescape(raw), block)
        else:
            yield ContentSegment(ContentSegmentKind.MARKUP, raw, raw, block)
        at = end
    yield text[at:]


def _decode_entities(text: str) -> str:
    return html.unescape(text) if "&" in text else text


def _list_shortcode_names(text: str) -> frozenset[str]:
    return frozenset(name.lower() for name in _SHORTCODE_NAME.findall(text))


def _list_readable_attributes(text: str, token: HtmlToken) -> list[tuple[str, int, int]]:
    if token.kind not in (HtmlTokenKind.OPEN, HtmlTokenKind.VOID):
        return []
    return [place for place in iterate_attributes(text, token) if place[0] in _READABLE_ATTRIBUTES]


def _is_configured_shortcode(token: HtmlToken, rules: TranslationRules) -> bool:
    """Say whether a shortcode is configured, so that its parts are separate texts."""
    return token.kind is HtmlTokenKind.SHORTCODE and token.name in rules.shortcodes


def _list_shortcode_attributes(text: str, token: HtmlToken, rules: TranslationRules) -> list[tuple[str, int, int]]:
    rule = rules.shortcodes.get(token.name)
    if rule is None:
        return []
    return [place for place in iterate_attributes(text, token) if place[0] in rule.attributes or "*" in rule.attributes]


def _count_silent_shortcodes(text: str, token: HtmlToken, rules: TranslationRules, silent: int) -> int:
    """Return the number of open shortcodes, after this one, whose content is not text."""
    rule = rules.shortcodes.get(token.name)
    if rule is None or rule.content:
        return silent
    if text[token.start + 1] == "/":
        return max(0, silent - 1)
    return silent + (f"[/{token.name}]" in text[token.end :])

"""Automatic paragraphs of classic text: blank lines separate paragraphs, single line ends become `<br />`.

Not here: the clean-up steps (content/text/markup_rows.py); shortcodes on a line of their own
(content/text/shortcodes.py). Block content gets no paragraphs. Rules: docs/rules/markup.md, 8, quirks included: a blank
line inside a `div`, `li` or `form` leaves unbalanced paragraphs, and old clients rely on the exact markup. Line ends
inside a tag or comment never count.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Final

from vetrina.content.text import markup_rows
from vetrina.content.text.markup_rows import (
    BLOCK_NAMES,
    BLOCK_TAG,
    BR,
    UNBROKEN_TAG,
    WHITESPACE,
    MarkupRow,
    MarkupTag,
    parse_tag,
    rewrite_row,
)
from vetrina.kernel.chunked_regex import has_match, split_matches

_SHORT: Final = 100  # characters of a tag that is likely to occur again
_WHITE_RUN: Final = re.compile(r"[ \t\n\r\f\v]+")
_BRACKET: Final = re.compile("<")
_LINE_END: Final = re.compile("\n")
_BLANK_LINE: Final = re.compile(r"\n[ \t\n\r\f\v]*\n")
_PIECE: Final = re.compile(r"<!(?=--)(?s:.*?)(?:-->|\Z)|<!\[CDATA\[(?s:.*?)(?:\]\]>|\Z)|<[^>]*>?")
_PLACEHOLDER: Final = re.compile(r"<pre (\d{1,9})\0>")
_BREAK_BEFORE: Final = re.compile(rf"<(?:{BLOCK_NAMES})[\s/>]", re.ASCII)
_BREAK_AFTER: Final = re.compile(rf"</(?:{BLOCK_NAMES})>|<hr\s*/?>", re.ASCII)
_LINE_BREAK: Final = re.compile(r"<br\s*/?>", re.ASCII)
_PRESERVED: Final = re.compile(r"<(script|style|svg|math)")

# What comes out as it is, but for the line ends between; most excerpts are one or the other.
_PLAIN_LIMIT: Final = 10_000  # characters
_PLAIN_LINE: Final = re.compile(r"[^<\s][^<\n\r]*")
_PLAIN_PARAGRAPHS: Final = re.compile(r'(?:\n*<p(?: class="[\w -]*")?>[^<>\s][^<>\n\r]*+</p>)+\n*')

_PLAYER: Final = re.compile(r"(\[(?:audio|video)[^>\[\]]*[>\]])[ \t\n\r\f\v]+")
_PLAYER_END: Final = re.compile(r"(?<![ \t\n\r\f\v])[ \t\n\r\f\v]+(?=\[/(?:audio|video)[>\]])")


def add_paragraphs(text: str) -> str:
    """Return `text` with `<p>` and `<br />`; white space alone gives nothing, all else ends in a line end.

    text: classic content or an excerpt. Preformatted elements stay as they are.
    """
    if not text.strip(" \t\n\r\0\v"):
        return ""
    if len(text) <= _PLAIN_LIMIT:
        if _PLAIN_LINE.fullmatch(text):
            return f"<p>{text}</p>\n"
        if _PLAIN_PARAGRAPHS.fullmatch(text):
            return "".join(f"{line}</p>\n" for part in text.split("</p>") if (line := part.strip("\n")))
    return _rewrite_paragraphs(text)


def _rewrite_paragraphs(text: str) -> str:
    preformatted: list[str] = []
    row = _split_into_row(_replace_preformatted(text + "\n", preformatted))
    _collapse_whitespace(row)
    # Most texts lack some kinds of tags and can skip their clean-up, which is most of the work.
    raws = [tag.raw for tag in row.tags]
    has_blocks = any(tag.block or tag.ends for tag in row.tags)
    has_breaks = any(raw in ("<br>", "<br/>", "<br />") for raw in raws)
    row = rewrite_row(_wrap_paragraphs(row), markup_rows.drop_empty_paragraph)
    if has_blocks:
        row = rewrite_row(rewrite_row(row, markup_rows.end_paragraph_before), markup_rows.unwrap_tag)
        if any(raw.startswith("<li") for raw in raws):
            row = rewrite_row(row, markup_rows.unwrap_item)
        if any("blockquote" in raw.lower() for raw in raws):
            row = rewrite_row(rewrite_row(row, markup_rows.enter_quotation), markup_rows.leave_quotation)
        row = rewrite_row(rewrite_row(row, markup_rows.drop_paragraph_start), markup_rows.drop_paragraph_end)
    row = _add_line_breaks(row, tidy=not has_breaks)
    if has_breaks:
        row = rewrite_row(rewrite_row(row, markup_rows.drop_break_behind), markup_rows.drop_break_before)
    if row.tags and row.tags[-1].raw == "</p>" and row.texts[-1] in ("", "\n"):
        row.texts[-2] = row.texts[-2].removesuffix("\n")
    pieces = [row.texts[0]]
    for tag, behind in zip(row.tags, row.texts[1:], strict=True):
        pieces += (tag.raw, behind)
    html = "".join(pieces)
    return _PLACEHOLDER.sub(lambda found: _restore_preformatted(found, preformatted), html) if preformatted else html


def _replace_preformatted(text: str, preformatted: list[str]) -> str:
    """Return `text` with uniform line ends, and preformatted elements set aside, up to their end tag."""
    if "<pre" in text:
        *parts, rest = text.split("</pre>")
        kept: list[str] = []
        for part in parts:
            before, opening, inside = part.partition("<pre")
            # An end tag without a start tag is dropped, as on the reference.
            kept.append(before)
            if opening:
                kept.append(f"<pre {len(preformatted)}\0></pre>")
                preformatted.append(opening + inside)
        text = "".join((*kept, rest))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _restore_preformatted(match: re.Match[str], preformatted: list[str]) -> str:
    number = int(match[1])
    return preformatted[number] if number < len(preformatted) else match[0]


def _split_into_row(text: str) -> MarkupRow:
    """Return `text` as a row, with blank lines around block-level tags and for two `<br>` in a row."""
    tags: list[MarkupTag] = []
    texts: list[list[str]] = [[]]
    at, broken = 0, False
    for piece in _PIECE.finditer(text):
        if piece.start() > at:
            texts[-1].append(text[at : piece.start()])
        at = piece.end()
        raw = piece[0]
        breaks = raw.startswith("<br") and _LINE_BREAK.fullmatch(raw) is not None
        if breaks and broken and not any(part.strip(WHITESPACE) for part in texts[-1]):
            tags.pop()
            texts.pop()
            texts[-1].append("\n\n")
            broken = bool(tags) and _LINE_BREAK.fullmatch(tags[-1].raw) is not None
            continue
        broken = breaks
        before, tag, behind = _spread_short_tag(raw) if len(raw) <= _SHORT else _spread_tag(raw)
        if before:
            texts[-1].append(before)
        tags.append(tag)
        texts.append([behind] if behind else [])
    texts[-1].append(text[at:])
    return MarkupRow(["".join(parts) for parts in texts], tags)


def _spread_tag(raw: str) -> tuple[str, MarkupTag, str]:
    """Return a tag or comment, and the line ends that it gets before and after it."""
    if not has_match(BLOCK_TAG, raw, _BRACKET):
        return "", parse_tag(raw), ""
    # Comments, and text that only looks like a tag, may hold block-level tags, which get their line ends too.
    spread = _BREAK_AFTER.sub(r"\g<0>\n\n", _BREAK_BEFORE.sub(r"\n\n\g<0>", raw))
    before = "\n\n" if spread.startswith("\n") else ""
    ended = _BREAK_AFTER.search(spread, spread.rfind("<")) is not None and spread.endswith("\n\n")
    tag = parse_tag((spread[:-2] if ended else spread).removeprefix("\n\n"))
    return before, tag, "\n\n" if ended else ""


_spread_short_tag = lru_cache(maxsize=4096)(_spread_tag)


def _collapse_whitespace(row: MarkupRow) -> None:
    """Drop white space inside lists of options, sources and parameters, and around figure captions."""
    raws = [tag.raw for tag in row.tags]

    def any_of(*names: str) -> bool:
        return any(raw.startswith(names) for raw in raws)

    options, captions, objects = any_of("<option"), any_of("<figcaption"), any_of("</object>")
    players = any_of("<source", "<track")
    before: list[str] = ["<option"] * options + ["<figcaption"] * captions + ["</object>"] * objects
    before += ["</audio>", "</video>", "<source", "<track"] * players
    behind: list[str] = ["</option>"] * options + ["</figcaption>"] * captions + ["<object"] * objects
    behind += ["<audio", "<video", "<source", "<track"] * players
    if objects:
        parameters = ("<param", "</param", "<embed", "</embed")
        before += parameters
        behind += parameters
    if not before:
        return
    for at, raw in enumerate(raws):
        if raw.startswith(tuple(before)):
            row.texts[at] = row.texts[at].rstrip(WHITESPACE)
        if raw.startswith(tuple(behind)):
            row.texts[at + 1] = row.texts[at + 1].lstrip(WHITESPACE)
    if players:
        row.texts = [_PLAYER_END.sub("", _PLAYER.sub(r"\1", text)) for text in row.texts]


def _wrap_paragraphs(row: MarkupRow) -> MarkupRow:
    """Return `row` cut at blank lines, every part in a paragraph."""
    done = MarkupRow()
    tags: list[MarkupTag] = []
    texts = [""]

    def end() -> None:
        if tags or texts[0]:
            texts[0] = texts[0].lstrip("\n")
            texts[-1] = texts[-1].rstrip("\n")
            done.tags += (markup_rows.PARAGRAPH, *tags, markup_rows.PARAGRAPH_END)
            done.texts += (*texts, "\n")

    for at, text in enumerate(row.texts):
        if "\n" in text:
            first, *more = split_matches(_BLANK_LINE, text, _LINE_END)
            texts[-1] += first
            for part in more:
                end()
                tags, texts = [], [part]
        else:
            texts[-1] += text
        if at < len(row.tags):
            tags.append(row.tags[at])
            texts.append("")
    end()
    return done


def _add_line_breaks(row: MarkupRow, tidy: bool) -> MarkupRow:
    """Return `row` with a `<br />` before every line end that has none, except in scripts, styles and drawings.

    tidy: whether to put none next to block-level tags, which is for texts without a `<br>` of their own.
    """
    preserved = _find_preserved_texts(row)
    done = MarkupRow()
    for number, text in enumerate(row.texts):
        previous = row.tags[number - 1] if number else None
        if previous is not None:
            done.add_tag(_normalize_breaks(previous))
        if "\n" not in text or number in preserved:
            done.add_text(text)
            continue
        unbroken_behind = tidy and number < len(row.tags) and UNBROKEN_TAG.match(row.tags[number].raw)
        at = 0
        for run in _WHITE_RUN.finditer(text):
            # Only the line end that directly follows a `<br />` is left alone.
            start = run.start() or int(bool(done.tags) and done.tags[-1] is BR)
            last = text.rfind("\n", start, run.end())
            if last < 0:
                continue
            done.add_text(text[at:start])
            at = last + 1
            behind_block = tidy and start == 0 and previous is not None and previous.ends
            if behind_block or (unbroken_behind and run.end() == len(text)):
                done.add_text("\n")
            else:
                done.add_tag(BR, "\n")
        done.add_text(text[at:])
    return done.end()


def _normalize_breaks(tag: markup_rows.MarkupTag) -> markup_rows.MarkupTag:
    if tag.raw in ("<br>", "<br/>", "<br />"):
        return BR
    if tag.raw.startswith("<!") and "<br" in tag.raw:
        return parse_tag(tag.raw.replace("<br>", "<br />").replace("<br/>", "<br />"))
    return tag


def _find_preserved_texts(row: MarkupRow) -> set[int]:
    """Return the indexes of the texts between the tags of scripts, styles, drawings and formulas."""
    openings = [(number, found[1]) for number, tag in enumerate(row.tags) if (found := _PRESERVED.match(tag.raw))]
    if not openings:
        return set()
    ends: dict[str, list[int]] = {}
    for number, tag in enumerate(row.tags):
        ends.setdefault(tag.raw, []).append(number)
    found_texts: set[int] = set()
    behind = 0
    for number, name in openings:
        closings = ends.get(f"</{name}>", [])
        closing = bisect_right(closings, number)
        if number >= behind and closing < len(closings):
            behind = closings[closing]
            found_texts.update(range(number + 1, behind + 1))
    return found_texts

"""Automatic paragraphs of classic text: blank lines part paragraphs, single line ends become `<br />`.

Not here: the tidying steps (content/text/markup_rows.py); block content, which gets no paragraphs
(content/text/rendering.py); shortcodes that stand alone (content/text/shortcodes.py). Rules: observed on rendered
contents and excerpts, quirks included: a blank line inside a `div`, `li` or `form` leaves unbalanced paragraphs, and
old clients count on the very markup. Line ends inside a tag or comment never count.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Final

from vetrina.content.text import markup_rows
from vetrina.content.text.markup_rows import BLOCK, BLOCK_NAMES, BR, UNBROKEN, WHITE, Row, Tag, rewritten, tag_of
from vetrina.kernel.chunked_regex import has, split

_SHORT: Final = 100  # characters of a tag that is likely to come again
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

_PLAYER: Final = re.compile(r"(\[(?:audio|video)[^>\[\]]*[>\]])[ \t\n\r\f\v]+")
_PLAYER_END: Final = re.compile(r"(?<![ \t\n\r\f\v])[ \t\n\r\f\v]+(?=\[/(?:audio|video)[>\]])")


def with_paragraphs(text: str) -> str:
    """Return `text` with `<p>` and `<br />`; white space alone gives nothing, all else ends in a line end.

    text: classic content or an excerpt. Preformatted elements stay as they are.
    """
    if not text.strip(" \t\n\r\0\v"):
        return ""
    preformatted: list[str] = []
    row = _parted(_with_placeholders(text + "\n", preformatted))
    _collapse(row)
    # Text without tags of a kind needs no tidying of that kind, which is most of the work.
    raws = [tag.raw for tag in row.tags]
    has_blocks = any(tag.block or tag.ends for tag in row.tags)
    has_breaks = any(raw in ("<br>", "<br/>", "<br />") for raw in raws)
    row = rewritten(_wrapped(row), markup_rows.drop_empty)
    if has_blocks:
        row = rewritten(rewritten(row, markup_rows.end_before), markup_rows.unwrap_tag)
        if any(raw.startswith("<li") for raw in raws):
            row = rewritten(row, markup_rows.unwrap_item)
        if any("blockquote" in raw.lower() for raw in raws):
            row = rewritten(rewritten(row, markup_rows.enter_quotation), markup_rows.leave_quotation)
        row = rewritten(rewritten(row, markup_rows.drop_start), markup_rows.drop_end)
    row = _broken(row, tidy=not has_breaks)
    if has_breaks:
        row = rewritten(rewritten(row, markup_rows.drop_break_behind), markup_rows.drop_break_before)
    if row.tags and row.tags[-1].raw == "</p>" and row.texts[-1] in ("", "\n"):
        row.texts[-2] = row.texts[-2].removesuffix("\n")
    pieces = [row.texts[0]]
    for tag, behind in zip(row.tags, row.texts[1:], strict=True):
        pieces += (tag.raw, behind)
    html = "".join(pieces)
    return _PLACEHOLDER.sub(lambda found: _original(found, preformatted), html) if preformatted else html


def _with_placeholders(text: str, preformatted: list[str]) -> str:
    """Return `text` with line ends of one kind, and preformatted elements set aside, up to their end tag."""
    if "<pre" in text:
        *parts, rest = text.split("</pre>")
        kept: list[str] = []
        for part in parts:
            before, opening, inside = part.partition("<pre")
            # An end tag without its beginning is dropped, as it always was.
            kept.append(before)
            if opening:
                kept.append(f"<pre {len(preformatted)}\0></pre>")
                preformatted.append(opening + inside)
        text = "".join((*kept, rest))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _original(found: re.Match[str], preformatted: list[str]) -> str:
    number = int(found[1])
    return preformatted[number] if number < len(preformatted) else found[0]


def _parted(text: str) -> Row:
    """Return `text` as a row, with blank lines around block-level tags and for two `<br>` in a row."""
    tags: list[Tag] = []
    texts: list[list[str]] = [[]]
    at, broken = 0, False
    for piece in _PIECE.finditer(text):
        if piece.start() > at:
            texts[-1].append(text[at : piece.start()])
        at = piece.end()
        raw = piece[0]
        breaks = raw.startswith("<br") and _LINE_BREAK.fullmatch(raw) is not None
        if breaks and broken and not any(part.strip(WHITE) for part in texts[-1]):
            tags.pop()
            texts.pop()
            texts[-1].append("\n\n")
            broken = bool(tags) and _LINE_BREAK.fullmatch(tags[-1].raw) is not None
            continue
        broken = breaks
        before, tag, behind = _short_spread(raw) if len(raw) <= _SHORT else _spread(raw)
        if before:
            texts[-1].append(before)
        tags.append(tag)
        texts.append([behind] if behind else [])
    texts[-1].append(text[at:])
    return Row(["".join(parts) for parts in texts], tags)


def _spread(raw: str) -> tuple[str, Tag, str]:
    """Return a tag or comment, and the line ends that it gets before and behind it."""
    if not has(BLOCK, raw, _BRACKET):
        return "", tag_of(raw), ""
    # Signs that only look like a tag, and comments, may hold block-level tags: these get their line ends too.
    spread = _BREAK_AFTER.sub(r"\g<0>\n\n", _BREAK_BEFORE.sub(r"\n\n\g<0>", raw))
    before = "\n\n" if spread.startswith("\n") else ""
    ended = _BREAK_AFTER.search(spread, spread.rfind("<")) is not None and spread.endswith("\n\n")
    tag = tag_of((spread[:-2] if ended else spread).removeprefix("\n\n"))
    return before, tag, "\n\n" if ended else ""


_short_spread = lru_cache(maxsize=4096)(_spread)


def _collapse(row: Row) -> None:
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
            row.texts[at] = row.texts[at].rstrip(WHITE)
        if raw.startswith(tuple(behind)):
            row.texts[at + 1] = row.texts[at + 1].lstrip(WHITE)
    if players:
        row.texts = [_PLAYER_END.sub("", _PLAYER.sub(r"\1", text)) for text in row.texts]


def _wrapped(row: Row) -> Row:
    """Return `row` cut at blank lines, every part in a paragraph."""
    done = Row()
    tags: list[Tag] = []
    texts = [""]

    def end() -> None:
        if tags or texts[0]:
            texts[0] = texts[0].lstrip("\n")
            texts[-1] = texts[-1].rstrip("\n")
            done.tags += (markup_rows.PARAGRAPH, *tags, markup_rows.PARAGRAPH_END)
            done.texts += (*texts, "\n")

    for at, text in enumerate(row.texts):
        if "\n" in text:
            first, *more = split(_BLANK_LINE, text, _LINE_END)
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


def _broken(row: Row, tidy: bool) -> Row:
    """Return `row` with a `<br />` before every line end that has none, except in scripts, styles and drawings.

    tidy: whether to put none next to block-level tags, which is for texts without a `<br>` of their own.
    """
    preserved = _preserved(row)
    done = Row()
    for number, text in enumerate(row.texts):
        previous = row.tags[number - 1] if number else None
        if previous is not None:
            done.tag(_with_plain_breaks(previous))
        if "\n" not in text or number in preserved:
            done.text(text)
            continue
        unbroken_behind = tidy and number < len(row.tags) and UNBROKEN.match(row.tags[number].raw)
        at = 0
        for run in _WHITE_RUN.finditer(text):
            # Only the line end that directly follows a `<br />` is spared.
            start = run.start() or int(bool(done.tags) and done.tags[-1] is BR)
            last = text.rfind("\n", start, run.end())
            if last < 0:
                continue
            done.text(text[at:start])
            at = last + 1
            behind_block = tidy and start == 0 and previous is not None and previous.ends
            if behind_block or (unbroken_behind and run.end() == len(text)):
                done.text("\n")
            else:
                done.tag(BR, "\n")
        done.text(text[at:])
    return done.end()


def _with_plain_breaks(tag: markup_rows.Tag) -> markup_rows.Tag:
    if tag.raw in ("<br>", "<br/>", "<br />"):
        return BR
    if tag.raw.startswith("<!") and "<br" in tag.raw:
        return tag_of(tag.raw.replace("<br>", "<br />").replace("<br/>", "<br />"))
    return tag


def _preserved(row: Row) -> set[int]:
    """Return the numbers of the texts between the tags of scripts, styles, drawings and formulas."""
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

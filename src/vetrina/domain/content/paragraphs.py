"""Automatic paragraphs of classic text: blank lines part paragraphs, single line ends become `<br />`.

Not here: block content, which gets none (rendering.py); shortcodes that stand alone (shortcodes.py).
Rules: observed on rendered contents and excerpts, quirks included: a blank line inside a `div`, `li` or `form` leaves
unbalanced paragraphs, and old clients count on the very markup.

A text is a row of tags with a stretch of text before, between and after them: `texts` holds one more than `tags`.
Every rule takes such a row and returns a new one. Line ends inside a tag or comment are part of it and never count.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

_BLOCKS: Final = (
    "table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address"
    "|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu"
    "|summary"
)
_WHITE: Final = " \t\n\r\f\v"
_WHITE_RUN: Final = re.compile(r"[ \t\n\r\f\v]+")
_BLANK_LINE: Final = re.compile(r"\n[ \t\n\r\f\v]*\n")
_PIECE: Final = re.compile(r"<!(?=--)(?s:.*?)(?:-->|\Z)|<!\[CDATA\[(?s:.*?)(?:\]\]>|\Z)|<[^>]*>?")
_PLAYER: Final = re.compile(r"(\[(?:audio|video)[^>\[\]]*[>\]])[ \t\n\r\f\v]+")
_PLAYER_END: Final = re.compile(r"(?<![ \t\n\r\f\v])[ \t\n\r\f\v]+(?=\[/(?:audio|video)[>\]])")
_PLACEHOLDER: Final = re.compile(r"<pre (\d{1,9})\0>")
_COLLAPSING: Final = frozenset(
    ("<option", "</option", "<figcaption", "</figcaption", "</object", "<source", "<track", "</audio", "</video")
)

_BREAK_BEFORE: Final = re.compile(rf"<(?:{_BLOCKS})[\s/>]", re.ASCII)
_BREAK_AFTER: Final = re.compile(rf"</(?:{_BLOCKS})>|<hr\s*/?>", re.ASCII)
_LINE_BREAK: Final = re.compile(r"<br\s*/?>", re.ASCII)
# Clean-up goes by the beginning of the name only, so `<param>` and `<track>` count as `<p>` and `<tr>`.
_BLOCK: Final = re.compile(rf"</?(?:{_BLOCKS})")
_UNBROKEN: Final = re.compile(r"</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)")
_QUOTATION: Final = re.compile(r"<blockquote([^>]*)>", re.IGNORECASE)
_PRESERVED: Final = re.compile(r"<(script|style|svg|math)")


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag or comment."""

    raw: str
    block: bool  # its name begins like that of a block-level element
    ends: bool  # it ends as one, on one line, so what follows it is seen


_PARAGRAPH: Final = _Tag("<p>", block=True, ends=True)
_PARAGRAPH_END: Final = _Tag("</p>", block=True, ends=True)
_BR: Final = _Tag("<br />", block=False, ends=False)


@dataclass(slots=True)
class _Row:
    texts: list[str] = field(default_factory=lambda: [""])
    tags: list[_Tag] = field(default_factory=list)

    def text(self, text: str) -> None:
        self.texts[-1] += text

    def tag(self, tag: _Tag) -> None:
        self.tags.append(tag)
        self.texts.append("")

    def blank(self, at: int) -> bool:
        """Whether nothing but white space stands before tag number `at`."""
        return not self.texts[at].strip(_WHITE)

    def raw(self, at: int) -> str:
        return self.tags[at].raw if at < len(self.tags) else ""


def with_paragraphs(text: str) -> str:
    """Return `text` with `<p>` and `<br />`; white space alone gives nothing, all else ends in a line end.

    text: classic content or an excerpt. Preformatted elements stay as they are.
    """
    if not text.strip(" \t\n\r\0\v"):
        return ""
    preformatted: list[str] = []
    row = _parted(_with_placeholders(text + "\n", preformatted))
    for rule in _RULES:
        row = rule(row)
    pieces = [row.texts[0]]
    for tag, behind in zip(row.tags, row.texts[1:], strict=True):
        pieces += (tag.raw, behind)
    html = "".join(pieces)
    if preformatted:
        html = _PLACEHOLDER.sub(lambda found: _original(found, preformatted), html)
    return html


def _with_placeholders(text: str, preformatted: list[str]) -> str:
    """Return `text` with line ends as `\\n`, and preformatted elements set aside, up to their end tag."""
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


def _parted(text: str) -> _Row:
    row = _Row()
    at = 0
    for piece in _PIECE.finditer(text):
        row.text(text[at : piece.start()])
        at = piece.end()
        raw = piece[0]
        if _LINE_BREAK.fullmatch(raw) and row.tags and _LINE_BREAK.fullmatch(row.tags[-1].raw) and row.blank(-1):
            # Two `<br>` in a row are a blank line.
            row.tags.pop()
            row.texts.pop()
            row.text("\n\n")
            continue
        if not _BLOCK.search(raw):
            row.tag(_tag(raw))
            continue
        # Signs that only look like a tag, and comments, may hold block-level tags: these get their line ends too.
        spread = _BREAK_AFTER.sub(r"\g<0>\n\n", _BREAK_BEFORE.sub(r"\n\n\g<0>", raw))
        if spread.startswith("\n"):
            row.text("\n\n")
        ended = _BREAK_AFTER.search(spread, spread.rfind("<")) and spread.endswith("\n\n")
        row.tag(_tag((spread[:-2] if ended else spread).removeprefix("\n\n")))
        if ended:
            row.text("\n\n")
    row.text(text[at:])
    return row


def _tag(raw: str) -> _Tag:
    block = _BLOCK.search(raw, raw.rfind("\n") + 1)
    return _Tag(raw, _BLOCK.match(raw) is not None, block is not None and raw.find(">", block.start()) == len(raw) - 1)


def _collapsed(row: _Row) -> _Row:
    """Drop white space inside lists of options, sources and parameters, and around figure captions."""
    raws = {tag.raw.split(" ", 1)[0].rstrip(">/") for tag in row.tags}
    if raws.isdisjoint(_COLLAPSING):
        return row
    objects = "</object" in raws
    options = any(raw.startswith("<option") for raw in raws)
    captions = any(raw.startswith("<figcaption") for raw in raws)
    players = any(raw.startswith(("<source", "<track")) for raw in raws)
    for at, tag in enumerate(row.tags):
        before = after = False
        raw = tag.raw
        if raw.startswith("<option") or raw.startswith("<figcaption"):
            before = True
        elif (options and raw == "</option>") or (captions and raw == "</figcaption>"):
            after = True
        elif objects and raw.startswith(("<param", "</param", "<embed", "</embed")):
            before = after = True
        elif objects and raw.startswith("<object"):
            after = True
        elif objects and raw == "</object>":
            before = True
        elif players and raw.startswith(("<source", "<track")):
            before = after = True
        elif players and raw.startswith(("<audio", "<video")):
            after = True
        elif players and raw in ("</audio>", "</video>"):
            before = True
        if before:
            row.texts[at] = row.texts[at].rstrip(_WHITE)
        if after:
            row.texts[at + 1] = row.texts[at + 1].lstrip(_WHITE)
    if players:
        row.texts = [_PLAYER_END.sub("", _PLAYER.sub(r"\1", text)) for text in row.texts]
    return row


def _wrapped(row: _Row) -> _Row:
    """Cut at blank lines and put every part into a paragraph."""
    parts = [_Row()]
    for at, text in enumerate(row.texts):
        first, *more = _BLANK_LINE.split(text)
        parts[-1].text(first)
        parts += (_Row([part]) for part in more)
        if at < len(row.tags):
            parts[-1].tag(row.tags[at])
    done = _Row()
    for part in parts:
        if not part.tags and not part.texts[0]:
            continue
        part.texts[0] = part.texts[0].lstrip("\n")
        part.texts[-1] = part.texts[-1].rstrip("\n")
        done.tag(_PARAGRAPH)
        done.text(part.texts[0])
        for tag, behind in zip(part.tags, part.texts[1:], strict=True):
            done.tag(tag)
            done.text(behind)
        done.tag(_PARAGRAPH_END)
        done.text("\n")
    return done


def _rewritten(row: _Row, step: Callable[[_Row, int, _Row], int]) -> _Row:
    """Return `row` as `step` rewrites it from left to right.

    step: given the row, a tag's number and the row so far, it may write what stands for that tag and those behind it,
    the text behind them included, and return how many it took; 0 keeps the tag.
    """
    done = _Row([row.texts[0]])
    at = 0
    while at < len(row.tags):
        taken = step(row, at, done)
        if not taken:
            done.tag(row.tags[at])
            done.text(row.texts[at + 1])
        at += taken or 1
    return done


def _drop_empty(row: _Row, at: int, done: _Row) -> int:
    """A paragraph of nothing but white space goes."""
    if row.raw(at) == "<p>" and row.raw(at + 1) == "</p>" and row.blank(at + 1):
        done.text(row.texts[at + 2])
        return 2
    return 0


def _end_before(row: _Row, at: int, done: _Row) -> int:
    """Plain text in a paragraph ends it before a container's end tag."""
    if row.raw(at) == "<p>" and row.texts[at + 1] and row.raw(at + 1) in ("</div>", "</address>", "</form>"):
        done.tag(_PARAGRAPH)
        done.text(row.texts[at + 1])
        done.tag(_PARAGRAPH_END)
        return 1
    return 0


def _unwrap_tag(row: _Row, at: int, done: _Row) -> int:
    """A paragraph that holds one block-level tag is that tag."""
    if (
        row.raw(at) == "<p>"
        and row.raw(at + 2) == "</p>"
        and row.tags[at + 1].block
        and row.tags[at + 1].ends
        and row.blank(at + 1)
        and row.blank(at + 2)
    ):
        done.tag(row.tags[at + 1])
        done.text(row.texts[at + 3])
        return 3
    return 0


def _unwrap_item(row: _Row, at: int, done: _Row) -> int:
    """A list item that begins a paragraph and ends on its line loses the paragraph."""
    if row.raw(at) != "<p>" or row.texts[at + 1] or not row.raw(at + 1).startswith("<li"):
        return 0
    end = at + 2
    while end < len(row.tags) and row.raw(end) != "</p>":
        if "\n" in row.texts[end]:
            return 0
        end += 1
    if end >= len(row.tags) or "\n" in row.texts[end]:
        return 0
    for number in range(at + 1, end):
        done.tag(row.tags[number])
        done.text(row.texts[number + 1])
    done.text(row.texts[end + 1])
    return end + 1 - at


def _enter_quotation(row: _Row, at: int, done: _Row) -> int:
    """A paragraph around the beginning of a quotation moves into it."""
    if row.raw(at) not in ("<p>", "<P>") or row.texts[at + 1]:
        return 0
    quotation = _QUOTATION.fullmatch(row.raw(at + 1))
    if not quotation:
        return 0
    done.tag(_tag(f"<blockquote{quotation[1]}>"))
    done.tag(_PARAGRAPH)
    done.text(row.texts[at + 2])
    return 2


def _leave_quotation(row: _Row, at: int, done: _Row) -> int:
    if row.raw(at) != "</blockquote>" or row.raw(at + 1) != "</p>" or row.texts[at + 1]:
        return 0
    done.tag(_PARAGRAPH_END)
    done.tag(row.tags[at])
    done.text(row.texts[at + 2])
    return 2


def _drop_start(row: _Row, at: int, done: _Row) -> int:
    """A paragraph does not begin right before a block-level tag."""
    if row.raw(at) == "<p>" and at + 1 < len(row.tags) and row.tags[at + 1].block and row.blank(at + 1):
        done.tag(row.tags[at + 1])
        done.text(row.texts[at + 2])
        return 2
    return 0


def _drop_end(row: _Row, at: int, done: _Row) -> int:
    """A paragraph does not end right behind a block-level tag."""
    if row.tags[at].ends and row.raw(at + 1) == "</p>" and row.blank(at + 1):
        done.tag(row.tags[at])
        done.text(row.texts[at + 2])
        return 2
    return 0


def _broken(row: _Row) -> _Row:
    """Put a `<br />` before every line end that has none, except in scripts, styles, drawings and formulas."""
    preserved = _preserved(row)
    done = _Row([])
    for number, text in enumerate(row.texts):
        if number:
            raw = row.tags[number - 1].raw
            if raw.startswith("<!"):
                raw = raw.replace("<br>", "<br />").replace("<br/>", "<br />")
            done.tags.append(_BR if raw in ("<br>", "<br/>", "<br />") else _tag(raw))
        done.texts.append("")
        if number in preserved or "\n" not in text:
            done.text(text)
            continue
        at = 0
        for run in _WHITE_RUN.finditer(text):
            # Only the line end that directly follows a `<br />` is spared.
            start = run.start() or int(number > 0 and done.tags[-1] is _BR)
            last = text.rfind("\n", start, run.end())
            if last >= 0:
                done.text(text[at:start])
                done.tag(_BR)
                done.text("\n")
                at = last + 1
        done.text(text[at:])
    return done


def _preserved(row: _Row) -> set[int]:
    ends: dict[str, list[int]] = {}
    for number, tag in enumerate(row.tags):
        ends.setdefault(tag.raw, []).append(number)
    found: set[int] = set()
    behind = 0
    for number, tag in enumerate(row.tags):
        if number < behind or not (opening := _PRESERVED.match(tag.raw)):
            continue
        closings = ends.get(f"</{opening[1]}>", [])
        closing = bisect_right(closings, number)
        if closing < len(closings):
            behind = closings[closing]
            found.update(range(number + 1, behind + 1))
    return found


def _drop_break_behind(row: _Row, at: int, done: _Row) -> int:
    """No `<br />` stands behind a block-level tag."""
    if row.tags[at].ends and row.raw(at + 1) == "<br />" and row.blank(at + 1):
        done.tag(row.tags[at])
        done.text(row.texts[at + 2])
        return 2
    return 0


def _drop_break_before(row: _Row, at: int, done: _Row) -> int:
    """No `<br />` stands before a paragraph, list, container, cell or preformatted element, or its end."""
    if row.raw(at) == "<br />" and _UNBROKEN.match(row.raw(at + 1)) and row.blank(at + 1):
        done.text(row.texts[at + 1])
        return 1
    return 0


def _tidy_end(row: _Row) -> _Row:
    if row.tags and row.tags[-1].raw == "</p>" and row.texts[-1] in ("", "\n"):
        row.texts[-2] = row.texts[-2].removesuffix("\n")
    return row


def _stepwise(step: Callable[[_Row, int, _Row], int]) -> Callable[[_Row], _Row]:
    return lambda row: _rewritten(row, step)


_RULES: Final[tuple[Callable[[_Row], _Row], ...]] = (
    _collapsed,
    _wrapped,
    _stepwise(_drop_empty),
    _stepwise(_end_before),
    _stepwise(_unwrap_tag),
    _stepwise(_unwrap_item),
    _stepwise(_enter_quotation),
    _stepwise(_leave_quotation),
    _stepwise(_drop_start),
    _stepwise(_drop_end),
    _broken,
    _stepwise(_drop_break_behind),
    _stepwise(_drop_break_before),
    _tidy_end,
)

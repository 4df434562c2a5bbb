"""Shortcodes: `[name key="value"]…[/name]` in content, found, expanded, removed and freed of their paragraph.

Not here: what the known ones become (content/text/media_shortcodes.py).
Rules: observed on rendered content. Known names are replaced, unknown ones are text. `[[name]]` stands for itself
with one pair of brackets less. The first `]` ends an opening tag, the first `[/name]` the content; `/]` has none.
"""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from vetrina.content.text import media_shortcodes
from vetrina.content.text.allowed_markup import ADDRESSES
from vetrina.content.text.inline_styles import harmless_style
from vetrina.content.text.tag_attributes import TOKEN, Attribute, read_tag, write_attribute
from vetrina.content.text.url_protocols import harmless, is_harmless

KNOWN: Final = ("wp_caption", "caption", "gallery", "playlist", "audio", "video", "embed")

OF_FILES: Final = ("gallery",)  # those that show files of the site
OfFiles = Callable[[str, Mapping[str, str]], str]  # (name, parameters) -> markup

_NAMES: Final = "|".join(KNOWN)
_OPENING: Final = re.compile(rf"\[(\[?)({_NAMES})(?![\w-])", re.ASCII)
_PARAGRAPH: Final = re.compile(rf"<p>(?:[ \t\r\n\xa0]|&nbsp;)*+(?=\[(?:{_NAMES})(?![\w-]))", re.ASCII)
_PARAGRAPH_END: Final = re.compile(r"(?:[ \t\r\n\xa0]|&nbsp;)*+</p>")
_ATTRIBUTE: Final = re.compile(
    r"""([\w-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s'"]++))(?=\s|\Z)|"([^"]*)"(?=\s|\Z)|'([^']*)'(?=\s|\Z)|(\S++)""",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Shortcode:
    """One shortcode as it stands in a text."""

    start: int
    end: int  # behind the last bracket, doubled ones included
    name: str
    attributes: str  # the text between name and bracket
    content: str | None  # None for one without an end tag
    opened_twice: bool
    closed_twice: bool

    @property
    def escaped(self) -> bool:
        """Whether doubled brackets on both sides make it plain text."""
        return self.opened_twice and self.closed_twice


def expand(html: str, of_files: OfFiles | None = None) -> str:
    """Return `html` with every known shortcode replaced by what it stands for, in attributes of tags too.

    of_files: shows those that stand for files of the site; without it they show nothing.
    Event handlers and comments keep theirs. Source: observed.
    """
    if not _OPENING.search(html):
        return html
    html = TOKEN.sub(_expanded_tag, html)
    return _replaced(html, KNOWN, lambda found: _output(found, of_files))


def stands_for_files(raw: str) -> bool:
    """Say whether a text has shortcodes that stand for files of the site."""
    return any(found.name in OF_FILES for found in scan(raw)) if "[gallery" in raw else False


def expand_embeds(html: str) -> str:
    """Return `html` with the embed shortcodes of its text replaced, as happens before everything else."""
    return _replaced(html, ("embed",), _embed) if "[embed" in html else html


def removed(html: str) -> str:
    """Return `html` without the known shortcodes and their content; escaped ones lose one pair of brackets."""
    return _replaced(html, KNOWN, lambda _shortcode: "") if _OPENING.search(html) else html


def unwrapped(html: str) -> str:
    """Return `html` where a paragraph that holds nothing but one known shortcode is that shortcode alone."""
    if not _PARAGRAPH.search(html):
        return html
    done: list[str] = []
    at = searched = 0
    ends = _Ends(html)
    while wrapped := _PARAGRAPH.search(html, searched):
        start = searched = wrapped.end()
        found = _read(html, _OPENING.match(html, start), ends)
        if found is None:
            continue
        # Without the paragraph's end behind the end tag, the opening tag alone may still fill the paragraph.
        opening = html.index("]", start) + 1
        for end in (found.end - found.closed_twice, opening):
            if closing := _PARAGRAPH_END.match(html, end):
                done.append(html[at : wrapped.start()] + html[start:end])
                at = searched = closing.end()
                break
    done.append(html[at:])
    return "".join(done)


def parameters(attributes: str) -> dict[str, str]:
    """Return the named attributes of a shortcode: names in lower case, later ones win.

    attributes: the text behind the name; quotes may be double, single or absent. Nameless values are left out.
    """
    named: dict[str, str] = {}
    for found in _ATTRIBUTE.finditer(re.sub("[\xa0\u200b]+", " ", attributes)):
        if found[1]:
            named[found[1].lower()] = next(value for value in found.group(2, 3, 4) if value is not None)
    return named


def scan(html: str, names: Container[str] = KNOWN) -> Iterator[Shortcode]:
    """Yield the known shortcodes of `html` from left to right, none inside another, in linear time."""
    ends = _Ends(html)
    at = 0
    while opening := _OPENING.search(html, at):
        if opening[2] not in names:
            at = opening.end()
            continue
        found = _read(html, opening, ends)
        if found is None:
            return
        yield found
        at = found.end


class _Ends:
    """The next end tag of each name, remembered so that no stretch of text is searched twice."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._next: dict[str, int] = {}

    def behind(self, name: str, at: int) -> int:
        known = self._next.get(name, 0)
        if 0 <= known < at or name not in self._next:
            known = self._next[name] = self._html.find(f"[/{name}]", at)
        return known


def _read(html: str, opening: re.Match[str] | None, ends: _Ends) -> Shortcode | None:
    bracket = html.find("]", opening.end()) if opening else -1
    if opening is None or bracket < 0:
        return None
    name, attributes, content, end = opening[2], html[opening.end() : bracket], None, bracket + 1
    if attributes.endswith("/"):
        attributes = attributes[:-1]
    elif (closing := ends.behind(name, end)) >= 0:
        content, end = html[end:closing], closing + len(name) + 3
    closed_twice = html.startswith("]", end)
    return Shortcode(opening.start(), end + closed_twice, name, attributes, content, bool(opening[1]), closed_twice)


def _replaced(html: str, names: Container[str], output: Callable[[Shortcode], str]) -> str:
    # Brackets inside tags open nothing: they are hidden from the search, and the text is cut at the same places.
    hidden = TOKEN.sub(lambda tag: tag[0].replace("[", " ").replace("]", " "), html) if "<" in html else html
    done: list[str] = []
    at = 0
    for found in scan(hidden, names):
        done.append(html[at : found.start])
        at = found.end
        if found.escaped:
            done.append(html[found.start + 1 : found.end - 1])
            continue
        if found.content:
            behind = found.end - found.closed_twice - len(found.name) - 3
            found = _with_content(found, html[behind - len(found.content) : behind])
        done.append("[" * found.opened_twice + output(found) + "]" * found.closed_twice)
    done.append(html[at:])
    return "".join(done)


def _with_content(found: Shortcode, content: str) -> Shortcode:
    return Shortcode(
        found.start, found.end, found.name, found.attributes, content, found.opened_twice, found.closed_twice
    )


def _expanded_tag(tag: re.Match[str]) -> str:
    """Return a tag with the shortcodes in the values of its attributes expanded, each within its own quotes."""
    text = tag[0]
    if "[" not in text or "]" not in text or (read := read_tag(text, 0)) is None or read.end != len(text):
        return text
    done: list[str] = []
    at = 0
    for one in read.attributes:
        # What a handler would do, nobody may change.
        if not one.value or "[" not in one.value or one.name.startswith("on"):
            continue
        value = _expand_value(one, one.value)
        if value != one.value:
            done.append(text[at : one.start] + write_attribute(text, one, value))
            at = one.end
    done.append(text[at:])
    return "".join(done)


def _expand_value(one: Attribute, value: str) -> str:
    done: list[str] = []
    at = 0
    for found in scan(value):
        output = value[found.start + 1 : found.end - 1] if found.escaped else _output(found)
        if "<" in output:  # markup cannot stand in an attribute
            continue
        done.append(value[at : found.start] + output)
        at = found.end
    if not at:
        return value
    expanded = "".join((*done, value[at:]))
    # What stood on both sides of a shortcode may be an address or a style now that it was not before.
    if one.name in ADDRESSES and not is_harmless(expanded):
        return harmless(expanded)
    return harmless_style(expanded) if one.name == "style" else expanded


def _output(found: Shortcode, of_files: OfFiles | None = None) -> str:
    if found.name in OF_FILES and of_files is not None:
        return of_files(found.name, parameters(found.attributes))
    if found.name in ("caption", "wp_caption"):
        return media_shortcodes.caption(
            parameters(found.attributes), found.content or "", lambda html: expand(html, of_files)
        )
    if found.name in ("audio", "video"):
        return media_shortcodes.player(found.name, parameters(found.attributes), found.content or "")
    # A playlist is made by a script of the page that shows it; embeds have had their turn.
    return ""


def _embed(found: Shortcode) -> str:
    return media_shortcodes.embed(parameters(found.attributes), found.content or "")

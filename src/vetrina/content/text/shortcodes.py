"""Shortcodes: `[name key="value"]…[/name]` in content, found, expanded, removed and unwrapped.

Not here: rendering the known ones (content/text/media_shortcodes.py). Rules: docs/rules/markup.md, 12. Known names are
replaced, unknown ones are text. `[[name]]` is escaped and loses one pair of brackets. The first `]` ends an opening
tag, the first `[/name]` the content; `/]` has none.
"""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from vetrina.content.text import media_shortcodes
from vetrina.content.text.allowed_markup import URL_ATTRIBUTES
from vetrina.content.text.inline_styles import sanitize_style
from vetrina.content.text.tag_attributes import MARKUP_TOKEN, TagAttribute, read_tag, write_attribute
from vetrina.content.text.url_protocols import has_safe_protocol, strip_unsafe_protocols

KNOWN_SHORTCODES: Final = ("wp_caption", "caption", "gallery", "playlist", "audio", "video", "embed")

FILE_SHORTCODES: Final = ("gallery",)  # those that show files of the site
FileShortcodeRenderer = Callable[[str, Mapping[str, str]], str]  # (name, parameters) -> markup

_NAMES: Final = "|".join(KNOWN_SHORTCODES)
_OPENING: Final = re.compile(rf"\[(\[?)({_NAMES})(?![\w-])", re.ASCII)
_PARAGRAPH: Final = re.compile(rf"<p>(?:[ \t\r\n\xa0]|&nbsp;)*+(?=\[(?:{_NAMES})(?![\w-]))", re.ASCII)
_PARAGRAPH_END: Final = re.compile(r"(?:[ \t\r\n\xa0]|&nbsp;)*+</p>")
_ATTRIBUTE: Final = re.compile(
    r"""([\w-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s'"]++))(?=\s|\Z)|"([^"]*)"(?=\s|\Z)|'([^']*)'(?=\s|\Z)|(\S++)""",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Shortcode:
    """A shortcode in a text."""

    start: int
    end: int  # after the last bracket, doubled ones included
    name: str
    attributes: str  # the text between name and bracket
    content: str | None  # None for one without an end tag
    opened_twice: bool
    closed_twice: bool

    @property
    def is_escaped(self) -> bool:
        """Return whether doubled brackets on both sides make it plain text."""
        return self.opened_twice and self.closed_twice


def expand_shortcodes(html: str, of_files: FileShortcodeRenderer | None = None) -> str:
    """Return `html` with every known shortcode expanded, in attributes of tags too.

    of_files: renders those that show files of the site; without it they are removed. Event handlers and comments keep
    theirs. Source: observed.
    """
    if not _OPENING.search(html):
        return html
    html = MARKUP_TOKEN.sub(_expand_tag, html)
    return _replace_shortcodes(html, KNOWN_SHORTCODES, lambda found: _render_shortcode(found, of_files))


def has_file_shortcodes(raw: str) -> bool:
    """Return whether a text has shortcodes that show files of the site."""
    return any(found.name in FILE_SHORTCODES for found in iterate_shortcodes(raw)) if "[gallery" in raw else False


def expand_embeds(html: str) -> str:
    """Return `html` with the embed shortcodes of its text expanded, the first of all passes."""
    return _replace_shortcodes(html, ("embed",), _render_embed) if "[embed" in html else html


def remove_shortcodes(html: str) -> str:
    """Return `html` without the known shortcodes and their content; escaped ones lose one pair of brackets."""
    return _replace_shortcodes(html, KNOWN_SHORTCODES, lambda _shortcode: "") if _OPENING.search(html) else html


def unwrap_shortcodes(html: str) -> str:
    """Return `html` where a paragraph that holds nothing but one known shortcode is replaced by that shortcode."""
    if not _PARAGRAPH.search(html):
        return html
    done: list[str] = []
    at = searched = 0
    ends = _EndTagIndex(html)
    while wrapped := _PARAGRAPH.search(html, searched):
        start = searched = wrapped.end()
        found = _read_shortcode(html, _OPENING.match(html, start), ends)
        if found is None:
            continue
        # If the end tag does not end the paragraph, the opening tag alone may still fill it.
        opening = html.index("]", start) + 1
        for end in (found.end - found.closed_twice, opening):
            if closing := _PARAGRAPH_END.match(html, end):
                done.append(html[at : wrapped.start()] + html[start:end])
                at = searched = closing.end()
                break
    done.append(html[at:])
    return "".join(done)


def parse_parameters(attributes: str) -> dict[str, str]:
    """Return the named attributes of a shortcode: names in lower case, later ones win.

    attributes: the text after the name; values in double, single or no quotes. Nameless values are left out.
    """
    named: dict[str, str] = {}
    for found in _ATTRIBUTE.finditer(re.sub("[\xa0\u200b]+", " ", attributes)):
        if found[1]:
            named[found[1].lower()] = next(value for value in found.group(2, 3, 4) if value is not None)
    return named


def iterate_shortcodes(html: str, names: Container[str] = KNOWN_SHORTCODES) -> Iterator[Shortcode]:
    """Yield the known shortcodes of `html` from left to right, none inside another, in linear time."""
    ends = _EndTagIndex(html)
    at = 0
    while opening := _OPENING.search(html, at):
        if opening[2] not in names:
            at = opening.end()
            continue
        found = _read_shortcode(html, opening, ends)
        if found is None:
            return
        yield found
        at = found.end


class _EndTagIndex:
    """The next end tag of each name, cached so that no part of the text is searched twice."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._next: dict[str, int] = {}

    def find_end(self, name: str, at: int) -> int:
        known = self._next.get(name, 0)
        if 0 <= known < at or name not in self._next:
            known = self._next[name] = self._html.find(f"[/{name}]", at)
        return known


def _read_shortcode(html: str, opening: re.Match[str] | None, ends: _EndTagIndex) -> Shortcode | None:
    bracket = html.find("]", opening.end()) if opening else -1
    if opening is None or bracket < 0:
        return None
    name, attributes, content, end = opening[2], html[opening.end() : bracket], None, bracket + 1
    if attributes.endswith("/"):
        attributes = attributes[:-1]
    elif (closing := ends.find_end(name, end)) >= 0:
        content, end = html[end:closing], closing + len(name) + 3
    closed_twice = html.startswith("]", end)
    return Shortcode(opening.start(), end + closed_twice, name, attributes, content, bool(opening[1]), closed_twice)


def _replace_shortcodes(html: str, names: Container[str], output: Callable[[Shortcode], str]) -> str:
    # Brackets inside tags open nothing: they are masked for the search, at the same offsets.
    hidden = MARKUP_TOKEN.sub(lambda tag: tag[0].replace("[", " ").replace("]", " "), html) if "<" in html else html
    done: list[str] = []
    at = 0
    for found in iterate_shortcodes(hidden, names):
        done.append(html[at : found.start])
        at = found.end
        if found.is_escaped:
            done.append(html[found.start + 1 : found.end - 1])
            continue
        if found.content:
            behind = found.end - found.closed_twice - len(found.name) - 3
            found = _replace_content(found, html[behind - len(found.content) : behind])
        done.append("[" * found.opened_twice + output(found) + "]" * found.closed_twice)
    done.append(html[at:])
    return "".join(done)


def _replace_content(shortcode: Shortcode, content: str) -> Shortcode:
    return Shortcode(
        shortcode.start,
        shortcode.end,
        shortcode.name,
        shortcode.attributes,
        content,
        shortcode.opened_twice,
        shortcode.closed_twice,
    )


def _expand_tag(tag: re.Match[str]) -> str:
    """Return a tag with the shortcodes in the values of its attributes expanded, each within its own quotes."""
    text = tag[0]
    if "[" not in text or "]" not in text or (read := read_tag(text, 0)) is None or read.end != len(text):
        return text
    done: list[str] = []
    at = 0
    for one in read.attributes:
        # Event handlers are never changed.
        if not one.value or "[" not in one.value or one.name.startswith("on"):
            continue
        value = _expand_value(one, one.value)
        if value != one.value:
            done.append(text[at : one.start] + write_attribute(text, one, value))
            at = one.end
    done.append(text[at:])
    return "".join(done)


def _expand_value(attribute: TagAttribute, value: str) -> str:
    done: list[str] = []
    at = 0
    for found in iterate_shortcodes(value):
        output = value[found.start + 1 : found.end - 1] if found.is_escaped else _render_shortcode(found)
        if "<" in output:  # markup is not possible in an attribute
            continue
        done.append(value[at : found.start] + output)
        at = found.end
    if not at:
        return value
    expanded = "".join((*done, value[at:]))
    # What was on both sides of a shortcode may only now form a URL or a style.
    if attribute.name in URL_ATTRIBUTES and not has_safe_protocol(expanded):
        return strip_unsafe_protocols(expanded)
    return sanitize_style(expanded) if attribute.name == "style" else expanded


def _render_shortcode(shortcode: Shortcode, of_files: FileShortcodeRenderer | None = None) -> str:
    if shortcode.name in FILE_SHORTCODES and of_files is not None:
        return of_files(shortcode.name, parse_parameters(shortcode.attributes))
    if shortcode.name in ("caption", "wp_caption"):
        return media_shortcodes.render_caption(
            parse_parameters(shortcode.attributes),
            shortcode.content or "",
            lambda html: expand_shortcodes(html, of_files),
        )
    if shortcode.name in ("audio", "video"):
        return media_shortcodes.render_player(
            shortcode.name, parse_parameters(shortcode.attributes), shortcode.content or ""
        )
    # A playlist needs a script of the page that shows it; embeds were expanded before.
    return ""


def _render_embed(shortcode: Shortcode) -> str:
    return media_shortcodes.render_embed(parse_parameters(shortcode.attributes), shortcode.content or "")

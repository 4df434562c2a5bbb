"""The one way from words to HTML: elements whose text is escaped because of its type, and the frame of every page.

A plain text is escaped wherever it lands; markup is a type of its own (`Html`), made here or, for what the domain has
rendered and filtered already, by `trusted`. Not here: what a page says (the other modules), its looks
(pages/stylesheet.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Final

from vetrina.pages.stylesheet import SHEET

__all__ = ["Html", "button", "document", "element", "field", "join", "link", "trusted", "xml"]

_VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta"})
# Signs that neither HTML nor XML can hold; a feed with one of them is read by nobody.
_WITHOUT_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def trusted(markup: str) -> Html:
    """Return markup that somebody else has made safe as what it is."""
    return Html(markup)


def element(tag: str, /, *inside: str, **attributes: str | int | bool | None) -> Html:
    """Return an element; `tag`: its name.

    inside: texts, which are escaped, and markup. attributes: `_` stands for `-`, one at the end is cut off; None and
    False leave one out, True gives it without a value.
    """
    opening = _opening(tag, attributes)
    return Html(opening if tag in _VOID else f"{opening}{''.join(map(_safe, inside))}</{tag}>")


def xml(tag: str, /, *inside: str, **attributes: str | int | bool | None) -> Html:
    """Return an element of XML, which is always closed; else as `element`."""
    return Html(f"{_opening(tag, attributes)}{''.join(map(_safe, inside))}</{tag}>")


def join(parts: Iterable[str], between: str = "") -> Html:
    """Return texts and markup one after the other."""
    return Html(_safe(between).join(_safe(part) for part in parts))


def link(address: str, *inside: str, **attributes: str | int | bool | None) -> Html:
    """Return a link."""
    return element("a", *inside, href=address, **attributes)


def field(label: str, name: str, **attributes: str | int | bool | None) -> Html:
    """Return a labelled field of a form."""
    return element(
        "p",
        element("label", label, for_=f"field-{name}"),
        element("input", id=f"field-{name}", name=name, **attributes),
    )


def button(label: str, **attributes: str | int | bool | None) -> Html:
    """Return a button that sends its form."""
    return element("button", label, type="submit", **attributes)


def document(language: str, title: str, body: str, head: Iterable[str] = ()) -> bytes:
    """Return a page. body: the landmarks; head: further elements of its head."""
    parts = (
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        # Browsers ask for a file of their own choice else, with every first page.
        element("link", rel="icon", href="data:,"),
        *head,
        Html(f"<style>{SHEET}</style>"),
    )
    whole = element("html", element("head", *parts), element("body", body), lang=language)
    return f"<!DOCTYPE html>\n{whole}\n".encode("utf-8", "replace")


def _opening(tag: str, attributes: Mapping[str, str | int | bool | None]) -> str:
    out = [tag]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        name = key.rstrip("_").replace("_", "-")
        out.append(name if value is True else f'{name}="{_escaped(str(value))}"')
    return f"<{' '.join(out)}>"


def _safe(part: str) -> str:
    return part if isinstance(part, Html) else _escaped(part)


def _escaped(text: str) -> str:
    return escape(_WITHOUT_CONTROLS.sub("", text))

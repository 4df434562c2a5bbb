"""Builds HTML: elements whose text is escaped by its type, and the skeleton of every page.

Plain text is escaped wherever it is inserted; markup has a type of its own (`Html`), made here or, for what the domain
has rendered and filtered already, by `trust_markup`. Styles: pages/inline_style.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Final

from vetrina.kernel.text_direction import is_right_to_left
from vetrina.pages.inline_style import STYLE_SHEET

_VOID_ELEMENTS: Final = frozenset({"br", "hr", "img", "input", "link", "meta"})
# Characters that neither HTML nor XML may contain; a feed with one of them is invalid.
_CONTROL_CHARACTERS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def trust_markup(markup: str) -> Html:
    """Return markup that has been made safe elsewhere, unchanged."""
    return Html(markup)


def render_element(tag: str, /, *inside: str, **attributes: str | int | bool | None) -> Html:
    """Return an element; tag: its name.

    inside: texts, which are escaped, and markup. attributes: `_` stands for `-`, one at the end is cut off; None and
    False leave an attribute out, True writes it without a value.
    """
    opening = _render_opening(tag, attributes)
    return Html(opening if tag in _VOID_ELEMENTS else f"{opening}{''.join(map(_escape_part, inside))}</{tag}>")


def render_xml(tag: str, /, *inside: str, **attributes: str | int | bool | None) -> Html:
    """Return an element of XML, which is always closed; otherwise as `render_element`."""
    return Html(f"{_render_opening(tag, attributes)}{''.join(map(_escape_part, inside))}</{tag}>")


def join_markup(parts: Iterable[str], between: str = "") -> Html:
    """Return texts and markup concatenated."""
    return Html(_escape_part(between).join(_escape_part(part) for part in parts))


def render_link(address: str, *inside: str, **attributes: str | int | bool | None) -> Html:
    """Return a link."""
    return render_element("a", *inside, href=address, **attributes)


def render_field(label: str, name: str, **attributes: str | int | bool | None) -> Html:
    """Return a labelled field of a form."""
    return render_element(
        "p",
        render_element("label", label, for_=f"field-{name}"),
        render_element("input", id=f"field-{name}", name=name, **attributes),
    )


def render_button(label: str, **attributes: str | int | bool | None) -> Html:
    """Return a submit button."""
    return render_element("button", label, type="submit", **attributes)


def render_document(language: str, title: str, body: str, head: Iterable[str] = (), *, plain: bool = True) -> bytes:
    """Return a page. body: the landmarks; head: further elements of its head; plain: whether it has the small sheet."""
    parts = (
        render_element("meta", charset="utf-8"),
        render_element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        render_element("meta", name="color-scheme", content="light dark"),
        render_element("title", title),
        # Otherwise browsers request a favicon with every first page.
        render_element("link", rel="icon", href="data:,"),
        *head,
        Html(f"<style>{STYLE_SHEET}</style>") if plain else "",
    )
    direction = "rtl" if is_right_to_left(language) else None
    inside = (render_element("head", *parts), render_element("body", body))
    whole = render_element("html", *inside, lang=language, dir=direction)
    return f"<!DOCTYPE html>\n{whole}\n".encode("utf-8", "replace")


def _render_opening(tag: str, attributes: Mapping[str, str | int | bool | None]) -> str:
    out = [tag]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        name = key.rstrip("_").replace("_", "-")
        out.append(name if value is True else f'{name}="{_escape_text(str(value))}"')
    return f"<{' '.join(out)}>"


def _escape_part(part: str) -> str:
    return part if isinstance(part, Html) else _escape_text(part)


def _escape_text(text: str) -> str:
    return escape(_CONTROL_CHARACTERS.sub("", text))

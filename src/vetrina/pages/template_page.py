"""The body of a public page, made from its template.

Which template: design/templates/template_hierarchy.py; how its blocks are rendered:
content/blocks/dynamic_rendering.py. A theme without any template has the plain pages of pages/record_pages.py and
pages/list_pages.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from vetrina.content.blocks import dynamic_rendering
from vetrina.content.blocks.block_context import PublicPage
from vetrina.content.comments import reader_comments
from vetrina.content.comments.model import Comment
from vetrina.content.records.model import Record
from vetrina.design.templates.rules import get_translated_content
from vetrina.design.templates.template_hierarchy import find_page_template
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.keys import generate_letters
from vetrina.pages.page_context import get_text
from vetrina.pages.page_features import build_visitor_blocks
from vetrina.pages.page_request import PageRequest

from .markup import Html, trust_markup

WAITING_PARAMETER: Final = "unapproved"  # of an address: the reader's own comment that waits, and the proof of it
WAITING_KEY_PARAMETER: Final = "moderation-hash"
_QUERY_PAGE: Final = re.compile(r"query-(\d{1,6})-page", re.ASCII)
_NAMED_PAGE: Final = re.compile(r"([a-z]{1,20})-page", re.ASCII)
_MAIN: Final = re.compile(r"<main\b(?![^>]*\sid=)")
_TOKEN_LETTERS: Final = 24


def render_page_template(
    page: PageRequest, names: Iterable[str], shown: PublicPage, record: Record | None = None, content: str = ""
) -> Html | None:
    """Return the blocks of the first of some templates as they show a page; None where the theme has none of them.

    names: from the most specific one. shown: without what follows from the request alone. record: that the page is of.
    content: what stands for its content, rendered and safe.
    """
    template = find_page_template(page.work, names)
    if template is None:
        return None
    # The passes over a template must not see what is rendered already, nor what is shown only here.
    token = generate_letters(_TOKEN_LETTERS)
    shown = replace(
        shown, query_pages=_read_query_pages(page.request.query),
        named_pages=_read_pages(page.request.query, _NAMED_PAGE), record=record.id if record else 0,
        content=token if content else "", visitor_blocks=build_visitor_blocks(page), comment_page=page.comment_page,
        waiting_comment=find_own_waiting_comment(page, record) if record else None,
    )  # fmt: skip
    html = dynamic_rendering.render_template(page.work, get_translated_content(page.work, template), shown, record)
    html = _MAIN.sub('<main id="content" tabindex="-1"', html, count=1)
    return trust_markup(html.replace(token, content))


def find_own_waiting_comment(page: PageRequest, record: Record) -> Comment | None:
    """Return the comment that waits for approval and whose writer the address proves to be the reader; None for none.

    The page is for this visitor alone then.
    """
    id, key = (get_text(page.request.query, name) for name in (WAITING_PARAMETER, WAITING_KEY_PARAMETER))
    found = reader_comments.find_waiting_comment(page.work, record, parse_digits(id) or 0, key) if key else None
    page.state.personal = page.state.personal or found is not None
    return found


def _read_query_pages(query: Mapping[str, object]) -> dict[int, int]:
    """Return the pages that an address names of the queries of a template, by their numbers."""
    return {int(name): page for name, page in _read_pages(query, _QUERY_PAGE).items()}


def _read_pages(query: Mapping[str, object], pattern: re.Pattern[str]) -> dict[str, int]:
    """Return the numbers that an address has in parameters of a pattern, by what the pattern finds in their names."""
    out = {}
    for name, value in query.items():
        found = pattern.fullmatch(name)
        if found and isinstance(value, str) and value.isdecimal() and value.isascii() and 0 < len(value) < 7:
            out[found[1]] = max(1, int(value))
    return out

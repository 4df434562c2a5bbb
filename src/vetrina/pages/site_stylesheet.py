"""The style sheet of the site at an address with its digest, and the elements by which pages name it.

Its text: design/styles/css/stylesheet.py. Not here: the small sheet inside every page (pages/inline_style.py). Rules:
docs/rules/global_styles.md, 11; RFC 8246 (immutable).
"""

from __future__ import annotations

from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY
from vetrina.design.styles.css.stylesheet import build_stylesheet
from vetrina.pages.compressed_files import build_file_response
from vetrina.pages.page_context import PageContext
from vetrina.rest.call import Request, Response

from .markup import Html, render_element

SHEET_PATH: Final = r"/styles/(?:site|[0-9a-f]{20})\.css"
_CURRENT: Final = "/site.css"
_CSS_TYPE: Final = "text/css; charset=utf-8"
# The sheet inside every page has colours for dark rooms, themes have not: theirs stay out of the dark.
_LIGHT_ONLY: Final = "(prefers-color-scheme: light)"


def build_stylesheet_url(work: UnitOfWork) -> str:
    """Return the address of the style sheet as it is now."""
    return f"{work.origin}/styles/{build_stylesheet(work).digest}.css"


def render_style_elements(work: UnitOfWork, block_styles: str, *, plain: bool) -> list[Html]:
    """Return the elements of a head: the link to the sheet, then the rules of the page's blocks.

    plain: whether the page has the small sheet, too.
    """
    media = _LIGHT_ONLY if plain else None
    link = render_element("link", rel="stylesheet", href=build_stylesheet_url(work), media=media)
    return [link, Html(f"<style>{block_styles}</style>")] if block_styles else [link]


def handle_stylesheet(context: PageContext, request: Request) -> Response:
    """Send the style sheet of the site; `site.css` is the one of now, for pages that others make.

    An address of before leads to the sheet of now, which nobody may keep: a page that was kept elsewhere has styles.
    """
    with context.open_work(request, NOBODY, True) as work:
        sheet = build_stylesheet(work)
    unnamed = request.path.endswith(_CURRENT)
    current = unnamed or request.path.endswith(f"/{sheet.digest}.css")
    return build_file_response(request, _CSS_TYPE, sheet.text.encode(), named=not unnamed, current=current)

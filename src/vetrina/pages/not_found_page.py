"""The page for URLs that lead nowhere."""

from __future__ import annotations

from vetrina.content.blocks.block_context import PublicPage
from vetrina.design.templates import template_hierarchy
from vetrina.pages.page_frame import render_public_page
from vetrina.pages.page_request import PageRequest
from vetrina.pages.template_page import render_page_template
from vetrina.rest.call import Response

from .markup import render_element


def render_not_found(page: PageRequest, status: int = 404) -> Response:
    """Return the page for URLs that lead nowhere; status: 410 for those that will not come back."""
    phrases = page.phrases
    text = (render_element("h1", phrases["missing"]), render_element("p", phrases["missing_text"]))
    body = render_page_template(page, template_hierarchy.NOT_FOUND, PublicPage(title=phrases["missing"]))
    return render_public_page(page, phrases["missing"], *text, status=status, indexed=False, body=body)

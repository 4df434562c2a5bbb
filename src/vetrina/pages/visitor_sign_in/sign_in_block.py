"""The block `core/loginout`: a link to sign in or out, or the form itself. Rules: docs/rules/account_pages.md, 2.

On a page that is kept for all visitors it can only be the one for those who are not signed in.
"""

from __future__ import annotations

from urllib.parse import quote

from vetrina.content.blocks.block_context import BlockContext
from vetrina.pages.markup import render_link
from vetrina.pages.page_request import PageRequest
from vetrina.pages.visitor_sign_in.sign_in_form import RETURN_FIELD, build_local_url, render_sign_in_form


def render_sign_in_block(
    page: PageRequest, block: BlockContext, sign_in_url: str = "", sign_out_url: str = "", lost_url: str = ""
) -> str:
    """Return the block. The URLs: where that is done, empty for the site's own pages."""
    origin = page.work.origin
    if page.session is not None:
        link = render_link(sign_out_url or f"{origin}/admin/sign-out", block.translate("Log out"))
        return block.element("div", link, "logged-in")
    returns = block.attributes.get("redirectToCurrent") is not False
    back = build_local_url(page.request) if returns else ""
    if block.attributes.get("displayLoginAsForm") is True:
        return block.element("div", render_sign_in_form(page, back, lost_url), "logged-out", "has-login-form")
    address = sign_in_url or f"{origin}/admin/sign-in"
    if back:
        address += f"{'&' if '?' in address else '?'}{RETURN_FIELD}={quote(back, safe='')}"
    return block.element("div", render_link(address, block.translate("Log in")), "logged-out")

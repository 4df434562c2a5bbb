"""What a customer gets by URL alone: purchased files and receipts.

Who may fetch which file: shop/downloads/rules.py; the content of a receipt: shop/orders/receipts.py. Both are imported
on first use: a site without a shop loads nothing of it. Not here: the pages of an order
(pages/shop/cart/order_pages.py).
"""

from __future__ import annotations

import mimetypes
from typing import Final
from urllib.parse import quote, urlencode

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY
from vetrina.pages import sign_in_page
from vetrina.pages.inline_style import build_content_policy
from vetrina.pages.page_context import (
    HTML_TYPE,
    PageContext,
    build_bytes_response,
    build_redirect,
    build_text_response,
    get_text,
)
from vetrina.rest.call import Request, Response

_MAX_INLINE_BYTES: Final = 64 << 20  # bytes of a file that is sent from here; a larger one is redirected to its store
_ADMIN: Final = "admin"  # first segment of the URLs for signing in
_PAGE_TYPES: Final = frozenset({"text/html", "application/xhtml+xml", "image/svg+xml", "text/xml", "application/xml"})
_FILE_GONE: Final = "This file cannot be fetched, or not any more.\n"


def is_download(request: Request) -> bool:
    """Return whether a URL of the home page asks for a purchased file."""
    return request.path == "/" and bool(request.query.get("download_file"))


def handle_download(context: PageContext, request: Request) -> Response:
    """Send a purchased file, or redirect to the server that stores it."""
    from vetrina.shop.downloads import rules as downloads
    from vetrina.shop.settings import rules as settings

    query = request.query
    product = get_text(query, "download_file")
    if not (product.isdecimal() and product.isascii() and len(product) < 16):
        return build_text_response(404, _FILE_GONE)
    session = context.session(request)
    user = session.user if session else NOBODY
    with context.open_work(request, user, False) as work:
        try:
            found = downloads.find_download_file(
                work, int(product), get_text(query, "order"), get_text(query, "uid"), get_text(query, "key"),
                count=request.method == "GET", ip=request.remote, account=user.id,
            )  # fmt: skip
        except downloads.DownloadNotYours as refused:
            if user:
                return build_text_response(403, f"{refused.text}\n")
            names = ("download_file", "order", "uid", "key")
            back = urlencode({name: get_text(query, name) for name in names})
            return build_redirect(sign_in_page.build_sign_in_url(_ADMIN, f"/?{back}"), 302)
        if found is None:
            return build_text_response(404, _FILE_GONE)
        led = settings.get_shop_option(work, "shop_file_download_method") == "redirect"
        return (None if led else _answer_own_file(work, found)) or build_redirect(found["file"], 302)


def _answer_own_file(work: UnitOfWork, file: dict[str, str]) -> Response | None:
    """Return the response with a file of the site itself; None for other files."""
    from vetrina.shop.downloads import rules as downloads
    from vetrina.shop.settings import rules as settings

    name = downloads.find_site_file_name(work, file["file"])
    if name is None:
        return None
    stored = work.site.files.open(name)
    if stored is None:
        return build_text_response(404, _FILE_GONE)
    try:
        if stored.size > _MAX_INLINE_BYTES:
            return None
        content = stored.read(0, stored.size)
    finally:
        stored.close()
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    shown = quote(name.rpartition("/")[2])
    # A file that a browser would treat as a page of this site is never displayed inline.
    opens = settings.is_setting_on(work, "shop_downloads_deliver_inline") and kind not in _PAGE_TYPES
    way = "inline" if opens else "attachment"
    headers = {"Content-Disposition": f"{way}; filename*=UTF-8''{shown}", "X-Robots-Tag": "noindex"}
    return build_bytes_response(200, kind, content, build_content_policy(), headers=headers)


def handle_receipt(context: PageContext, request: Request) -> Response:
    """Show a receipt until it expires."""
    from vetrina.pages import coming_soon_page
    from vetrina.shop.orders import receipts

    session = context.session(request)
    user = session.user if session else NOBODY
    with context.open_work(request, user, True) as work:
        closable = context.site.gate is not None
        if closable and (shut := coming_soon_page.find_program_refusal(work, user, request, of_shop=True)) is not None:
            return shut
        found = receipts.find_receipt_by_key(work, request.path.rstrip("/").rpartition("/")[2])
        if found is None:
            return build_text_response(404, "There is no such receipt, or not any more.\n")
        return build_bytes_response(
            200, HTML_TYPE, found.page.encode(), build_content_policy(content=True), headers={"X-Robots-Tag": "noindex"}
        )

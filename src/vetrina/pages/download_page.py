"""What a customer gets by an address alone: files that were bought, receipts, thanks for an order.

Not here: who may fetch what (shop/downloads/rules.py), what a receipt says (shop/orders/receipts.py).
"""

from __future__ import annotations

import mimetypes
from typing import Final
from urllib.parse import quote, urlencode

from vetrina.access.users.model import NOBODY
from vetrina.core.unit_of_work import Work
from vetrina.pages import sign_in_page
from vetrina.pages.page_context import HTML, Desk, bare, moved, plainly, text_of
from vetrina.pages.stylesheet import policy
from vetrina.rest.call import Answer, Request
from vetrina.shop.checkout import endpoints
from vetrina.shop.downloads import rules as downloads
from vetrina.shop.orders import receipts, visitor_orders
from vetrina.shop.payments import rules as payments
from vetrina.shop.settings import rules as settings

__all__ = ["download", "is_download", "receipt", "thanks"]

_MOST: Final = 64 << 20  # bytes of a file that is sent from here; a larger one is fetched where it lies
_LONGEST: Final = 15  # digits of a number that an order may have
_NO_ORDER: Final = "There is no order at this address.\n"
_ADMIN: Final = "admin"  # the segment of the addresses by which one signs in
_PAGES: Final = frozenset({"text/html", "application/xhtml+xml", "image/svg+xml", "text/xml", "application/xml"})
_GONE: Final = "This file cannot be fetched, or not any more.\n"


def is_download(request: Request) -> bool:
    """Say whether the address of the home asks for a file that was bought."""
    return request.path == "/" and bool(request.query.get("download_file"))


def download(desk: Desk, request: Request) -> Answer:
    """Send a file that was bought, or lead to the server where it lies."""
    query = request.query
    goods = text_of(query, "download_file")
    if not (goods.isdecimal() and goods.isascii() and len(goods) < 16):
        return plainly(404, _GONE)
    session = desk.session(request)
    user = session.user if session else NOBODY
    with desk.open_work(request, user, False) as work:
        try:
            found = downloads.fetch(
                work, int(goods), text_of(query, "order"), text_of(query, "uid"), text_of(query, "key"),
                count=request.method == "GET", ip=request.remote, account=user.id,
            )  # fmt: skip
        except downloads.NotForCaller as refused:
            if user:
                return plainly(403, f"{refused.text}\n")
            names = ("download_file", "order", "uid", "key")
            back = urlencode({name: text_of(query, name) for name in names})
            return moved(sign_in_page.address(_ADMIN, f"/?{back}"), 302)
        if found is None:
            return plainly(404, _GONE)
        led = settings.shop_option(work, "shop_file_download_method") == "redirect"
        return (None if led else _own(work, found)) or moved(found["file"], 302)


def _own(work: Work, file: dict[str, str]) -> Answer | None:
    """Return the answer with a file of the site itself; None for others."""
    name = downloads.own_name(work, file["file"])
    if name is None:
        return None
    stored = work.frame.files.open(name)
    if stored is None:
        return plainly(404, _GONE)
    try:
        if stored.size > _MOST:
            return None
        content = stored.read(0, stored.size)
    finally:
        stored.close()
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    shown = quote(name.rpartition("/")[2])
    # What a browser would take for a page of this site is never opened in its window.
    opens = settings.is_on(work, "shop_downloads_deliver_inline") and kind not in _PAGES
    way = "inline" if opens else "attachment"
    headers = {"Content-Disposition": f"{way}; filename*=UTF-8''{shown}", "X-Robots-Tag": "noindex"}
    return bare(200, kind, content, policy(), headers=headers)


def receipt(desk: Desk, request: Request) -> Answer:
    """Show a receipt until it ends."""
    from vetrina.pages import coming_soon_page  # a site without a shop loads nothing of it

    session = desk.session(request)
    user = session.user if session else NOBODY
    with desk.open_work(request, user, True) as work:
        shop = "shop" in desk.frame.profile.modules
        if shop and (shut := coming_soon_page.shut(work, user, request, of_shop=True)) is not None:
            return shut
        found = receipts.by_key(work, request.path.rstrip("/").rpartition("/")[2])
        if found is None:
            return plainly(404, "There is no such receipt, or not any more.\n")
        return bare(200, HTML, found.page.encode(), policy(content=True), headers={"X-Robots-Tag": "noindex"})


def thanks(desk: Desk, request: Request) -> Answer:
    """Show what was ordered to whoever comes from the checkout, or has the address that it answered."""
    from vetrina.pages import coming_soon_page  # a site without a shop loads nothing of it

    *_, part, number = request.path.rstrip("/").split("/")
    session = desk.session(request)
    user = session.user if session else NOBODY
    with desk.open_work(request, user, True) as work:
        if "shop" not in desk.frame.profile.modules or part != endpoints.part(work, endpoints.RECEIVED):
            return plainly(404, _NO_ORDER)
        if (shut := coming_soon_page.shut(work, user, request, of_shop=True)) is not None:
            return shut
        found = visitor_orders.opened_by_key(work, int(number[:_LONGEST]), text_of(request.query, "key"))
        if found is None:
            return plainly(404, _NO_ORDER)
        waits = payments.is_looked_for(work, found)
        page = receipts.render_page(work, found).encode()
    if waits:
        # Whoever comes back from a gateway wants to know; the answer itself waits for nobody.
        with desk.open_work(request, user, False) as work:
            payments.look_again(work, found)
    return bare(200, HTML, page, policy(content=True), headers={"X-Robots-Tag": "noindex"})

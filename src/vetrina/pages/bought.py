"""What a customer gets by an address alone: files that were bought, and receipts.

Not here: who may fetch what (domain/shop/downloads.py), what a receipt says (domain/shop/receipts.py).
"""

from __future__ import annotations

import mimetypes
from typing import Final
from urllib.parse import quote

from vetrina.declare.call import Answer, Request
from vetrina.domain.access.user import NOBODY
from vetrina.domain.shop import downloads, receipts
from vetrina.domain.work import Work

from .desk import HTML, Desk, bare, moved, plainly, text_of
from .style import policy

__all__ = ["download", "is_download", "receipt"]

_MOST: Final = 64 << 20  # bytes of a file that is sent from here; a larger one is fetched where it lies
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
    with desk.open_work(request, NOBODY, False) as work:
        found = downloads.fetch(
            work, int(goods), text_of(query, "order"), text_of(query, "uid"), text_of(query, "key"),
            count=request.method == "GET", ip=request.remote,
        )  # fmt: skip
        if found is None:
            return plainly(404, _GONE)
        return _own(work, found) or moved(found["file"], 302)


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
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{shown}", "X-Robots-Tag": "noindex"}
    return bare(200, kind, content, policy(), headers=headers)


def receipt(desk: Desk, request: Request) -> Answer:
    """Show a receipt until it ends."""
    from . import closed  # a site without a shop loads nothing of it

    session = desk.session(request)
    user = session.user if session else NOBODY
    with desk.open_work(request, user, True) as work:
        shop = "shop" in desk.frame.profile.modules
        if shop and (shut := closed.shut(work, user, request, of_shop=True)) is not None:
            return shut
        found = receipts.by_key(work, request.path.rstrip("/").rpartition("/")[2])
        if found is None:
            return plainly(404, "There is no such receipt, or not any more.\n")
        return bare(200, HTML, found.page.encode(), policy(content=True), headers={"X-Robots-Tag": "noindex"})

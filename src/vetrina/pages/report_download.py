"""Files that a job wrote: reports for whoever runs the shop, the catalogue for whoever knows its address.

Not here: how they are written (analytics/exports/rules.py, shop/products/catalogue_files.py).
"""

from __future__ import annotations

from typing import Final

from vetrina.analytics.exports import rules as exports
from vetrina.pages.page_context import Desk, bare, moved, plainly, text_of
from vetrina.pages.sign_in_page import address
from vetrina.pages.stylesheet import policy
from vetrina.rest.call import Answer, Request
from vetrina.shop.products import catalogue_files
from vetrina.shop.rights import may_manage

__all__ = ["catalogue_file", "report_file"]

_ACTION: Final = "shop_admin_download_report_csv"


def report_file(desk: Desk, request: Request) -> Answer:
    """Send the file of an export to a signed-in account that runs the shop."""
    if text_of(request.query, "action") != _ACTION:
        return plainly(404, "There is no page here.\n")
    name = text_of(request.query, "filename")
    session = desk.session(request)
    if session is None:
        back = f"{request.path}?action={_ACTION}&filename={name if name.replace('-', '').isalnum() else ''}"
        return moved(address(request.path.split("/")[1], back))
    if not may_manage(session.user):
        return plainly(403, "Only those who run the shop may fetch its reports.\n")
    file = exports.file_of(desk.frame.folder, name)
    if file is None:
        return plainly(404, "There is no such report, or not any more.\n")
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"', "X-Robots-Tag": "noindex"}
    return bare(200, "text/csv; charset=UTF-8", file.read_bytes(), policy(), headers=headers)


def catalogue_file(desk: Desk, request: Request) -> Answer:
    """Send the catalogue to whoever knows the name of its file."""
    name = request.path.rpartition("/")[2].removesuffix(".json")
    file = catalogue_files.file_of(desk.frame.folder, name)
    if file is None:
        return plainly(404, "There is no such catalogue, or not any more.\n")
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"', "X-Robots-Tag": "noindex"}
    return bare(200, "application/json", file.read_bytes(), policy(), headers=headers)

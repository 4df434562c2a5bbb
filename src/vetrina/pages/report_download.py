"""Files written by jobs: reports for shop managers, the catalogue for anyone who knows its URL.

How they are written: analytics/exports/rules.py, shop/products/catalogue_files.py.
"""

from __future__ import annotations

from vetrina.analytics.exports import rules as exports
from vetrina.pages.admin_urls import REPORT_FILE_ACTION
from vetrina.pages.inline_style import build_content_policy
from vetrina.pages.page_context import PageContext, build_bytes_response, build_redirect, build_text_response, get_text
from vetrina.pages.sign_in_page import build_sign_in_url
from vetrina.rest.call import Request, Response
from vetrina.shop.products import catalogue_files
from vetrina.shop.rights import may_manage_shop


def send_report_file(context: PageContext, request: Request) -> Response:
    """Send the file of an export to a signed-in account that manages the shop."""
    name = get_text(request.query, "filename")
    session = context.session(request)
    if session is None:
        back = f"{request.path}?action={REPORT_FILE_ACTION}&filename={name if name.replace('-', '').isalnum() else ''}"
        return build_redirect(build_sign_in_url(request.path.split("/")[1], back))
    if not may_manage_shop(session.user):
        return build_text_response(403, "Only those who run the shop may fetch its reports.\n")
    file = exports.find_export_file(context.site.folder, name)
    if file is None:
        return build_text_response(404, "There is no such report, or not any more.\n")
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"', "X-Robots-Tag": "noindex"}
    return build_bytes_response(
        200, "text/csv; charset=UTF-8", file.read_bytes(), build_content_policy(), headers=headers
    )


def send_catalog_file(context: PageContext, request: Request) -> Response:
    """Send the catalogue to a client that knows its file name."""
    name = request.path.rpartition("/")[2].removesuffix(".json")
    file = catalogue_files.find_catalog_path(context.site.folder, name)
    if file is None:
        return build_text_response(404, "There is no such catalogue, or not any more.\n")
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"', "X-Robots-Tag": "noindex"}
    return build_bytes_response(200, "application/json", file.read_bytes(), build_content_policy(), headers=headers)

"""Redirects as a CSV file, out and in. Rules: docs/rules/redirects.md, 7."""

from __future__ import annotations

from typing import Final

from vetrina.content.redirects import csv_files
from vetrina.content.redirects.permissions import CannotManageRedirects, require_redirect_permission
from vetrina.content.redirects.routes import PATH
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Result
from vetrina.rest.fields import Integer, Object, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, WRITE, Route

_CSV_TYPE: Final = "text/csv"
_BODY_BYTES: Final = 4 << 20


class RedirectFileMissing(ApiError):
    """The body is empty, and no member of it is a file."""

    code = "rest_redirect_file_missing"
    message = "Send the CSV as the body (text/csv), or as the text of the member `csv`."


class RedirectFileNotText(ApiError):
    code = "rest_redirect_file_not_text"
    message = "The file is not in UTF-8. Save it as CSV in UTF-8."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the file."""
    done = Object(
        properties={
            "created": Integer("How many redirects are new."),
            "updated": Integer("How many were changed."),
            "unchanged": Integer("How many were there as they are."),
        }
    )
    return (
        Route(
            READ, f"{PATH}/export", _export_redirects, {}, require_redirect_permission,
            errors=(CannotManageRedirects,), kinds=(_CSV_TYPE,), answers=Nothing("The file is no JSON."),
        ),
        Route(
            WRITE, f"{PATH}/import", _import_redirects, {"csv": String("The file as text, where the body is JSON.")},
            require_redirect_permission, slow=True, body_bytes=_BODY_BYTES, answers=done, status=200,
            errors=(
                CannotManageRedirects, RedirectFileMissing, RedirectFileNotText, csv_files.InvalidRedirectFile,
            ),
        ),
    )  # fmt: skip


def _export_redirects(call: Call) -> Result:
    """Export the redirects that people wrote, as CSV."""
    headers = {"Content-Disposition": 'attachment; filename="redirects.csv"'}
    content = csv_files.format_redirects(call.work).encode()
    return Result({}, headers=headers, raw_content=(f"{_CSV_TYPE}; charset=UTF-8", content))


def _import_redirects(call: Call) -> Result:
    """Import redirects from CSV: all of them, or none where a line is wrong."""
    text: str = call.args.get("csv") or ""
    if not text:
        if call.request.json or call.request.form or not call.request.body.strip():
            raise RedirectFileMissing
        try:
            text = call.request.body.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise RedirectFileNotText from None
    return Result(csv_files.import_redirects(call.work, text)._asdict())

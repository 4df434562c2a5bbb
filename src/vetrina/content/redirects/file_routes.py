"""Redirects as a CSV file, out and in. Rules: docs/rules/redirects.md, 7."""

from __future__ import annotations

from typing import Final

from vetrina.content.redirects import csv_files
from vetrina.content.redirects.permissions import CannotManageRedirects, require_redirect_permission
from vetrina.content.redirects.routes import PATH
from vetrina.core.call import Call
from vetrina.core.csv_routes import (
    CSV_ARGUMENTS,
    CSV_TYPE,
    CsvFileMissing,
    CsvFileNotText,
    build_csv_result,
    build_import_schema,
    read_csv_text,
)
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, WRITE, Route

_BODY_BYTES: Final = 4 << 20


class RedirectFileMissing(CsvFileMissing):
    code = "rest_redirect_file_missing"


class RedirectFileNotText(CsvFileNotText):
    code = "rest_redirect_file_not_text"


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the file."""
    return (
        Route(
            READ, f"{PATH}/export", _export_redirects, {}, require_redirect_permission,
            errors=(CannotManageRedirects,), kinds=(CSV_TYPE,), answers=Nothing("The file is no JSON."),
        ),
        Route(
            WRITE, f"{PATH}/import", _import_redirects, CSV_ARGUMENTS, require_redirect_permission, slow=True,
            body_bytes=_BODY_BYTES, answers=build_import_schema("redirects"), status=200,
            errors=(
                CannotManageRedirects, RedirectFileMissing, RedirectFileNotText, csv_files.InvalidRedirectFile,
            ),
        ),
    )  # fmt: skip


def _export_redirects(call: Call) -> Result:
    """Export the redirects that people wrote, as CSV."""
    return build_csv_result("redirects.csv", csv_files.format_redirects(call.work))


def _import_redirects(call: Call) -> Result:
    """Import redirects from CSV: all of them, or none where a line is wrong."""
    text = read_csv_text(call, RedirectFileMissing, RedirectFileNotText)
    return Result(csv_files.import_redirects(call.work, text)._asdict())

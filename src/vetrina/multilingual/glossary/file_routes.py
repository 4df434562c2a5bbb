"""The glossary as a CSV file, out and in. Rules: docs/rules/glossary.md, 5."""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.glossary import csv_files
from vetrina.multilingual.glossary.routes import PATH
from vetrina.multilingual.permissions import (
    TranslationForbidden,
    require_any_translator_permission,
    require_manager_permission,
)
from vetrina.rest.call import Result
from vetrina.rest.fields import Integer, Object, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, WRITE, Route

_CSV_TYPE: Final = "text/csv"
_BODY_BYTES: Final = 8 << 20


class GlossaryFileMissing(ApiError):
    """The body is empty, and no member of it is a file."""

    code = "mlang_glossary_file_missing"
    message = "Send the CSV as the body (text/csv), or as the text of the member `csv`."


class GlossaryFileNotText(ApiError):
    code = "mlang_glossary_file_not_text"
    message = "The file is not in UTF-8. Save it as CSV in UTF-8."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the file."""
    done = Object(
        properties={
            "created": Integer("How many entries are new."),
            "updated": Integer("How many were changed."),
            "unchanged": Integer("How many were there as they are."),
        }
    )
    return (
        Route(
            READ, f"{PATH}/export", _export_glossary, {}, require_any_translator_permission,
            errors=(TranslationForbidden,), kinds=(_CSV_TYPE,), answers=Nothing("The file is no JSON."),
        ),
        Route(
            WRITE, f"{PATH}/import", _import_glossary, {"csv": String("The file as text, where the body is JSON.")},
            require_manager_permission, slow=True, body_bytes=_BODY_BYTES, answers=done, status=200,
            errors=(
                TranslationForbidden, GlossaryFileMissing, GlossaryFileNotText, csv_files.InvalidGlossaryFile,
            ),
        ),
    )  # fmt: skip


def _export_glossary(call: Call) -> Result:
    """Export the glossary as CSV."""
    headers = {"Content-Disposition": 'attachment; filename="glossary.csv"'}
    content = csv_files.format_glossary(call.work).encode()
    return Result({}, headers=headers, raw_content=(f"{_CSV_TYPE}; charset=UTF-8", content))


def _import_glossary(call: Call) -> Result:
    """Import entries of the glossary from CSV: all of them, or none where a line is wrong."""
    text: str = call.args.get("csv") or ""
    if not text:
        if call.request.json or call.request.form or not call.request.body.strip():
            raise GlossaryFileMissing
        try:
            text = call.request.body.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise GlossaryFileNotText from None
    return Result(csv_files.import_glossary(call.work, text)._asdict())

"""The glossary as a CSV file, out and in. Rules: docs/rules/glossary.md, 5."""

from __future__ import annotations

from typing import Final

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
from vetrina.multilingual.glossary import csv_files
from vetrina.multilingual.glossary.routes import PATH
from vetrina.multilingual.permissions import (
    TranslationForbidden,
    require_any_translator_permission,
    require_manager_permission,
)
from vetrina.rest.call import Result
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, WRITE, Route

_BODY_BYTES: Final = 8 << 20


class GlossaryFileMissing(CsvFileMissing):
    code = "mlang_glossary_file_missing"


class GlossaryFileNotText(CsvFileNotText):
    code = "mlang_glossary_file_not_text"


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the file."""
    return (
        Route(
            READ, f"{PATH}/export", _export_glossary, {}, require_any_translator_permission,
            errors=(TranslationForbidden,), kinds=(CSV_TYPE,), answers=Nothing("The file is no JSON."),
        ),
        Route(
            WRITE, f"{PATH}/import", _import_glossary, CSV_ARGUMENTS, require_manager_permission, slow=True,
            body_bytes=_BODY_BYTES, answers=build_import_schema("entries"), status=200,
            errors=(
                TranslationForbidden, GlossaryFileMissing, GlossaryFileNotText, csv_files.InvalidGlossaryFile,
            ),
        ),
    )  # fmt: skip


def _export_glossary(call: Call) -> Result:
    """Export the glossary as CSV."""
    return build_csv_result("glossary.csv", csv_files.format_glossary(call.work))


def _import_glossary(call: Call) -> Result:
    """Import entries of the glossary from CSV: all of them, or none where a line is wrong."""
    text = read_csv_text(call, GlossaryFileMissing, GlossaryFileNotText)
    return Result(csv_files.import_glossary(call.work, text)._asdict())

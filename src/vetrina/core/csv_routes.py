"""Routes that send and take a CSV file. What an import does: core/csv_import.py."""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Result
from vetrina.rest.fields import Field, Integer, Object, String

CSV_TYPE: Final = "text/csv"
CSV_ARGUMENTS: Final[dict[str, Field]] = {"csv": String("The file as text, where the body is JSON.")}


class CsvFileMissing(ApiError):
    """The body is empty, and no member of it is a file."""

    message = "Send the CSV as the body (text/csv), or as the text of the member `csv`."


class CsvFileNotText(ApiError):
    message = "The file is not in UTF-8. Save it as CSV in UTF-8."


def build_import_schema(things: str) -> Object:
    """Return the schema of `CsvImport`. things: what a row is, in the plural."""
    return Object(
        properties={
            "created": Integer(f"How many {things} are new."),
            "updated": Integer("How many were changed."),
            "unchanged": Integer("How many were there as they are."),
        }
    )


def build_csv_result(file_name: str, content: str) -> Result:
    """Return the answer that is a file."""
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return Result({}, headers=headers, raw_content=(f"{CSV_TYPE}; charset=UTF-8", content.encode()))


def read_csv_text(call: Call, missing: type[CsvFileMissing], not_text: type[CsvFileNotText]) -> str:
    """Return the file that was sent. Raises `missing` and `not_text`."""
    text: str = call.args.get("csv") or ""
    if text:
        return text
    if call.request.json or call.request.form or not call.request.body.strip():
        raise missing
    try:
        return call.request.body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise not_text from None

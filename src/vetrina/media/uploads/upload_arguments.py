"""The upload request: the file as the body with its name in a header, or a form with a file.

What becomes of the file: media/uploads/rules.py. Rules: docs/rules/media.md, 1 and 4.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.tags import strip_tags
from vetrina.media.uploads import filenames, rules as uploads
from vetrina.media.uploads.filetypes import FileRefused
from vetrina.media.uploads.replacement import FileNames, ReplacedFile, build_replacement
from vetrina.media.uploads.rules import StoredUpload
from vetrina.rest.call import Request, UploadedFile

_FIELD = "file"


class UploadDataMissing(ApiError):
    code = "rest_upload_no_data"
    message = "There is no file: send it as the body, or as the field `file` of a multipart form."


class UploadDispositionMissing(ApiError):
    code = "rest_upload_no_content_disposition"
    message = 'Name the file in a header: Content-Disposition: attachment; filename="harbour.jpg".'


class InvalidUploadDisposition(ApiError):
    code = "rest_upload_invalid_disposition"
    message = 'Content-Disposition names no file; write: attachment; filename="harbour.jpg".'


class UploadHashMismatch(ApiError):
    """The received bytes do not match the hash sent."""

    failure, code = Failure.PRECONDITION_FAILED, "rest_upload_hash_mismatch"
    message = "The file is not the one whose MD5 the header Content-MD5 gives ({found} arrived); send it again."


class FormFileRefused(FileRefused):
    """The file of a form cannot be stored."""

    code = "rest_upload_unknown_error"


ERRORS = (UploadDataMissing, UploadDispositionMissing, InvalidUploadDisposition, UploadHashMismatch, FormFileRefused)


@dataclass(frozen=True)
class ReceivedUpload:
    """A stored upload. title: the default title of its record."""

    kept: StoredUpload
    title: str


@contextmanager
def receive_upload(site: SiteContext, request: Request, local_date: str) -> Iterator[ReceivedUpload]:
    """Store the file of a request; it is deleted again if the block raises.

    Raises the ERRORS, FileRefused.
    """
    in_form = bool(request.files)
    upload, name = _get_form_file(request) if in_form else _get_body_file(request)
    _check_hash(request, upload.path)
    try:
        with uploads.receive_upload(site.files, site.profile, site.decoding, upload.path, name, local_date) as stored:
            yield ReceivedUpload(stored, _build_title(name) if in_form else stored.stem)
    except FileRefused as error:
        raise FormFileRefused(reason=error.reason) if in_form else error from None


def receive_replacement(site: SiteContext, request: Request, old: FileNames) -> ReplacedFile:
    """Return what the file of a request becomes in the place of a stored one.

    Raises the ERRORS, FileRefused, ReplacementTypeDiffers.
    """
    in_form = bool(request.files)
    upload, name = _get_form_file(request) if in_form else _get_body_file(request)
    _check_hash(request, upload.path)
    try:
        return build_replacement(site.files, site.profile, site.decoding, upload.path, name, old)
    except FileRefused as error:
        raise FormFileRefused(reason=error.reason) if in_form else error from None


def _get_form_file(request: Request) -> tuple[UploadedFile, str]:
    upload = request.files.get(_FIELD)
    if upload is None:
        raise FormFileRefused(reason=f"the form has no file in the field `{_FIELD}`")
    if not upload.size or not upload.name:
        raise FormFileRefused(reason="it is empty" if upload.name else "it has no name")
    return upload, upload.name


def _get_body_file(request: Request) -> tuple[UploadedFile, str]:
    upload = request.upload
    if upload is None or not upload.size:
        raise UploadDataMissing
    header = request.headers.get("content-disposition", "")
    if not header:
        raise UploadDispositionMissing
    name = filenames.parse_disposition_name(header)
    if name is None:
        raise InvalidUploadDisposition
    return upload, name


def _check_hash(request: Request, path: Path) -> None:
    expected = request.headers.get("content-md5", "").strip()
    if expected:
        with path.open("rb") as source:
            found = hashlib.file_digest(source, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
        if found != expected.lower():
            raise UploadHashMismatch(found=found)


def _build_title(name: str) -> str:
    """Return the default title for the file of a form: its name without folders and extension, spaces kept."""
    stem, _ = filenames.split_file_name(name)
    return " ".join(strip_tags(stem).split())

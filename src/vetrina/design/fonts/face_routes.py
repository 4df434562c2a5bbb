"""Font faces, and uploads of their files.

Rules: docs/rules/fonts.md, 5 and 7. A face cannot be changed: it is deleted and created again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.revisions.routes import InvalidRevisionParent
from vetrina.content.types.registry import FONT_FACE, FONT_FAMILY
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.design.fonts import rules as fonts, settings as font_settings
from vetrina.design.fonts.schema import (
    VERSION,
    CannotDeleteFont,
    FontTrashUnsupported,
    build_font_query,
    build_list_arguments,
    build_version_field,
    get_font_record,
    may_design_fonts,
    require_font_create_permission,
    require_font_read_permission,
)  # fmt: skip
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam
from vetrina.media.uploads import filenames
from vetrina.rest.call import Result, UploadedFile
from vetrina.rest.common_arguments import build_context_argument, build_force_argument
from vetrina.rest.fields import EDIT, EMBED, VIEW, Field, Integer, String, ValidationContext
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, parse_field_selection

__all__ = ["build_routes"]

_ALL = (VIEW, EDIT, EMBED)
_FACES: Final = f"{FONT_FAMILY.path}/{{font_family_id}}/font-faces"


class FontFaceFamilyMismatch(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_font_face_parent_id_mismatch"
    message = "The font face {id} belongs to another family than {family}."


def build_routes() -> tuple[Route, ...]:
    """Return the routes of font faces."""
    parent: dict[str, Field] = {"font_family_id": Integer("Number of the family.", required=True, early=True)}
    one = {**parent, "id": Integer("Number of the face.", required=True, early=True)}
    item = f"{_FACES}/{{id}}"
    return (
        Route(
            READ,
            _FACES,
            _list_font_faces,
            {**parent, **build_list_arguments()},
            require_font_read_permission,
            _build_font_face_schema,
        ),
        Route(
            WRITE,
            _FACES,
            _create_font_face,
            {**parent, **_build_face_arguments()},
            require_font_create_permission,
            _build_font_face_schema,
            files=True,
            prepare=_prepare_face_files,
        ),
        Route(
            READ,
            item,
            _read_font_face,
            {**one, "context": build_context_argument()},
            _require_read_permission,
            _build_font_face_schema,
        ),
        Route(
            REMOVE,
            item,
            _delete_font_face,
            {**one, "force": build_force_argument()},
            _require_delete_permission,
            _build_font_face_schema,
        ),
    )


def _build_face_arguments() -> dict[str, Field]:
    settings = String("What says the face, as JSON text.", required=True, check=_check_face)
    return {"theme_json_version": build_version_field(), "font_face_settings": settings}


def _check_face(value: Any, name: str, context: ValidationContext) -> Fault | None:
    return font_settings.find_face_fault(value, name)


def _require_read_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    get_font_record(call, "face")
    require_font_read_permission(call)


def _require_delete_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    get_font_record(call, "face")
    if not may_design_fonts(call.work.user):
        raise CannotDeleteFont(bool(call.work.user))


def _get_family(call: Call) -> Record:
    """Return the family in the path. Raises InvalidRevisionParent."""
    number = call.args["font_family_id"]
    found = fonts.find_family(call.work, number)
    if found is None:
        raise InvalidRevisionParent(id=number)
    return found


def _get_face_of_family(call: Call) -> Record:
    """Return the face in the path, of the family in the path. Raises InvalidRevisionParent, FontFaceFamilyMismatch."""
    parent, one = _get_family(call), get_font_record(call, "face")
    if one.parent != parent.id:
        raise FontFaceFamilyMismatch(id=one.id, family=parent.id)
    return one


def _list_font_faces(call: Call) -> Result:
    query = build_font_query(call, _get_family(call).id)
    rows, total = fonts.list_fonts(call.work, FONT_FACE, query)
    wanted = parse_field_selection(call.request.raw("_fields"))
    headers, pages = build_page_headers(call, total, query.per_page, query.page)
    body = [
        {
            **_FACE_SERIALIZER.serialize(row, call.work, call.args["context"], wanted),
            "_links": _build_links(call.work, row),
        }
        for row in rows
    ]
    return Result(body, headers=headers, links=pages)


def _create_font_face(call: Call) -> Result:
    new = fonts.create_face(call.work, _get_family(call), call.args["font_face_settings"], call.prepared)
    result = _build_face_result(call, new, EDIT)
    result.status = 201
    # The interface returns the pattern of the route here, not a URL; the face's own URL is in its links.
    result.headers["Location"] = call.work.api(f"{FONT_FACE.path}/{new.id}")
    return result


def _prepare_face_files(call: Call) -> AbstractContextManager[dict[str, str]]:
    """Return the slow part of creating a face: resolve its hosts, store its files."""
    wanted = font_settings.list_sources(font_settings.parse_face(call.args["font_face_settings"]))
    return _store_face_files(call.work.frame, call.work.origin, wanted, call.request.files)


@contextmanager
def _store_face_files(
    frame: SiteContext, origin: str, wanted: list[str], files: Mapping[str, UploadedFile]
) -> Iterator[dict[str, str]]:
    """Store the uploaded files, and yield their names by the references in `src`.

    Raises InvalidParam if `src` and the files do not match, or a URL leads elsewhere than to the public internet.
    """
    for source in wanted:
        if source in files:
            continue
        if ":" not in source:
            raise _build_source_error(
                f"{source!r} is neither an address nor the name of a file that came with the request."
            )
        if not source.startswith(f"{origin}/") and not frame.outbound.can_reach(source):
            raise _build_source_error(f"{source!r} is no address of the public internet.")
    for name in files:
        if name not in wanted:
            raise _build_source_error(f"The file {name!r} came along, but `src` does not name it.")
    kinds = {name: fonts.detect_font_kind(upload.path, upload.name) for name, upload in files.items()}
    stored: dict[str, str] = {}
    try:
        for name, kind in kinds.items():
            stem = filenames.clean_file_stem(filenames.split_file_name(files[name].name)[0])
            stored[name] = fonts.store_font_file(frame, files[name].path, stem, kind)
        yield stored
    except BaseException:
        for name in stored.values():
            frame.files.delete(name)
        raise


def _build_source_error(message: str) -> InvalidParam:
    return InvalidParam({"font_face_settings": Fault("rest_invalid_param", message, {"status": Failure.INVALID})})


def _read_font_face(call: Call) -> Result:
    return _build_face_result(call, _get_face_of_family(call), call.args["context"])


def _delete_font_face(call: Call) -> Result:
    old = _get_face_of_family(call)
    if not call.args["force"]:
        raise FontTrashUnsupported
    previous = _build_face_result(call, old, EDIT).body
    fonts.delete_face(call.work, old)
    call.lookups.pop("face")
    return Result({"deleted": True, "previous": previous})


def _build_face_result(call: Call, row: Record, context: str) -> Result:
    members = _FACE_SERIALIZER.serialize(row, call.work, context, parse_field_selection(call.request.raw("_fields")))
    return Result(members, rels=_build_links(call.work, row))


def _build_font_face_schema() -> dict[str, Any]:
    return _FACE_SERIALIZER.schema(FONT_FACE.name)


def _build_links(work: UnitOfWork, row: Record) -> dict[str, Any]:
    family = work.api(f"{FONT_FAMILY.path}/{row.parent}")
    own = {"href": f"{family}/font-faces/{row.id}", "targetHints": {"allow": ["GET", "DELETE"]}}
    return {"self": [own], "collection": [{"href": f"{family}/font-faces"}], "parent": [{"href": family}]}


_FACE_SERIALIZER = Serializer(
    {
        "id": Integer("Number of the face.", context=_ALL, readonly=True),
        "theme_json_version": build_version_field().replace(context=_ALL),
        "parent": Integer("Number of its family.", context=_ALL, readonly=True),
        "font_face_settings": font_settings.FACE_SETTINGS.replace(context=_ALL),
    },
    {
        "id": lambda row, work: row.id,
        "theme_json_version": lambda row, work: VERSION,
        "parent": lambda row, work: row.parent,
        "font_face_settings": lambda row, work: fonts.load_font_settings(work, row),
    },
)

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
from vetrina.core.site_context import SiteContext
from vetrina.design.fonts import rules as fonts, settings as font_settings
from vetrina.design.fonts.permissions import (
    CannotCreateFont,
    CannotDeleteFont,
    CannotReadFont,
    build_font_item_permission,
    build_font_permission,
    get_font_record,
)
from vetrina.design.fonts.schema import VERSION, build_font_query, build_list_arguments, build_version_field
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam
from vetrina.media.uploads import filenames
from vetrina.rest.call import Result, UploadedFile
from vetrina.rest.fields import EDIT, EMBED, VIEW, Field, Integer, String, ValidationContext
from vetrina.rest.resource import Links, ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes

_ALL = (VIEW, EDIT, EMBED)
_FAMILY: Final[dict[str, Field]] = {"font_family_id": Integer("Number of the family.", required=True, early=True)}


class FontFaceFamilyMismatch(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_font_face_parent_id_mismatch"
    message = "The font face {id} belongs to another family than {family}."


def build_routes() -> tuple[Route, ...]:
    """Return the routes of font faces."""
    routes = FONT_FACES.build_routes_by_operation()
    create = Route(
        WRITE, FONT_FACES.path, _create_font_face, {**_FAMILY, **_build_face_arguments()},
        build_font_permission(CannotCreateFont), FONT_FACES.build_schema, files=True, prepare=_prepare_face_files,
    )  # fmt: skip
    return routes["list"], create, routes["read"], routes["delete"]


def _build_face_arguments() -> dict[str, Field]:
    settings = String("What says the face, as JSON text.", required=True, check=_check_face)
    return {"theme_json_version": build_version_field(), "font_face_settings": settings}


def _check_face(value: Any, name: str, context: ValidationContext) -> Fault | None:
    return font_settings.find_face_fault(value, name)


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


def _list_font_faces(call: Call) -> ListPage[Record]:
    return ListPage(*fonts.list_fonts(call.work, FONT_FACE, build_font_query(call, _get_family(call).id)))


def _create_font_face(call: Call) -> Result:
    new = fonts.create_face(call.work, _get_family(call), call.args["font_face_settings"], call.prepared)
    result = FONT_FACES.build_result(call, new, status=201)
    # The interface returns the pattern of the route here, not a URL; the face's own URL is in its links.
    result.headers["Location"] = call.work.api(f"{FONT_FACE.path}/{new.id}")
    return result


def _prepare_face_files(call: Call) -> AbstractContextManager[dict[str, str]]:
    """Return the slow part of creating a face: resolve its hosts, store its files."""
    wanted = font_settings.list_sources(font_settings.parse_face(call.args["font_face_settings"]))
    return _store_face_files(call.work.site, call.work.origin, wanted, call.request.files)


@contextmanager
def _store_face_files(
    site: SiteContext, origin: str, wanted: list[str], files: Mapping[str, UploadedFile]
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
        if not source.startswith(f"{origin}/") and not site.outbound.can_reach(source):
            raise _build_source_error(f"{source!r} is no address of the public internet.")
    for name in files:
        if name not in wanted:
            raise _build_source_error(f"The file {name!r} came along, but `src` does not name it.")
    kinds = {name: fonts.detect_font_kind(upload.path, upload.name) for name, upload in files.items()}
    stored: dict[str, str] = {}
    try:
        for name, kind in kinds.items():
            stem = filenames.clean_file_stem(filenames.split_file_name(files[name].name)[0])
            stored[name] = fonts.store_font_file(site, files[name].path, stem, kind)
        yield stored
    except BaseException:
        for name in stored.values():
            site.files.delete(name)
        raise


def _build_source_error(message: str) -> InvalidParam:
    return InvalidParam({"font_face_settings": Fault("rest_invalid_param", message, {"status": Failure.INVALID})})


def _delete_font_face(call: Call, old: Record) -> None:
    fonts.delete_face(call.work, old)
    call.lookups.pop("face")


def _build_links(call: Call, row: Record) -> Links:
    family = call.work.api(f"{FONT_FAMILY.path}/{row.parent}")
    return {
        "self": [{"href": f"{family}/font-faces/{row.id}", "targetHints": {"allow": [*READ, *REMOVE]}}],
        "collection": [build_link(f"{family}/font-faces")],
        "parent": [build_link(family)],
    }


_FACE_SERIALIZER = Serializer(
    {
        "id": Integer("Number of the face.", context=_ALL, readonly=True),
        "theme_json_version": build_version_field().replace(context=_ALL),
        "parent": Integer("Number of its family.", context=_ALL, readonly=True),
        "font_face_settings": font_settings.FACE_SETTINGS.replace(context=_ALL),
    },
    {
        **read_attributes("id", "parent"),
        "theme_json_version": lambda row, work: VERSION,
        "font_face_settings": lambda row, work: font_settings.load_font_settings(work, row),
    },
)

FONT_FACES: Final = Resource(
    title=FONT_FACE.name,
    path=f"{FONT_FAMILY.path}/{{font_family_id}}/font-faces",
    above=_FAMILY,
    key={**_FAMILY, "id": Integer("Number of the face.", required=True, early=True)},
    serializer=_FACE_SERIALIZER,
    build_links=_build_links,
    find=_get_face_of_family,
    trash_unsupported=TrashUnsupported,
    deleted="previous",
    list=Operation(_list_font_faces, build_font_permission(CannotReadFont), build_list_arguments()),
    read=Operation(_get_face_of_family, build_font_item_permission(CannotReadFont, "face")),
    delete=Operation(_delete_font_face, build_font_item_permission(CannotDeleteFont, "face")),
)

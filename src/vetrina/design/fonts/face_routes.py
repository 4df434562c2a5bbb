"""Font faces, with the files that come along.

Rules: interface.md, "Font families and faces"; facts, "Fonts". A face is not changed: it is removed and added anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.revisions.routes import InvalidParent
from vetrina.content.types.registry import FONT_FACE, FONT_FAMILY
from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.fonts import rules as fonts
from vetrina.design.fonts import settings as font_settings
from vetrina.design.fonts.schema import (
    VERSION,
    CannotDelete,
    NoTrash,
    designs,
    found,
    list_arguments,
    may_create,
    may_read,
    query_of,
    version,
)  # fmt: skip
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.media.uploads import filenames
from vetrina.rest.call import Call, Result, Upload
from vetrina.rest.common_arguments import context, force
from vetrina.rest.fields import EDIT, EMBED, VIEW, Asked, Field, Integer, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice

__all__ = ["routes"]

_ALL = (VIEW, EDIT, EMBED)
_FACES: Final = f"{FONT_FAMILY.path}/{{font_family_id}}/font-faces"


class OtherFamily(ApiError):
    status, code = 404, "rest_font_face_parent_id_mismatch"
    message = "The font face {id} belongs to another family than {family}."


def routes() -> tuple[Route, ...]:
    """Return the routes of font faces."""
    parent: dict[str, Field] = {"font_family_id": Integer("Number of the family.", required=True, early=True)}
    one = {**parent, "id": Integer("Number of the face.", required=True, early=True)}
    item = f"{_FACES}/{{id}}"
    return (
        Route(READ, _FACES, _list, {**parent, **list_arguments()}, may_read, _schema),
        Route(WRITE, _FACES, _create, {**parent, **_face_arguments()}, may_create, _schema, files=True,
              prepare=_prepare),
        Route(READ, item, _read, {**one, "context": context()}, _may_read_one, _schema),
        Route(REMOVE, item, _remove, {**one, "force": force()}, _may_remove, _schema),
    )  # fmt: skip


def _face_arguments() -> dict[str, Field]:
    said = String("What says the face, as JSON text.", required=True, check=_face_rule)
    return {"theme_json_version": version(), "font_face_settings": said}


def _face_rule(value: Any, name: str, asked: Asked) -> Fault | None:
    return font_settings.face_fault(value, name)


def _may_read_one(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found(call, "face")
    may_read(call)


def _may_remove(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found(call, "face")
    if not designs(call.work.user):
        raise CannotDelete(bool(call.work.user))


def _parent(call: Call) -> Record:
    """Return the family that a call names. Raises InvalidParent."""
    number = call.args["font_family_id"]
    found = fonts.family(call.work, number)
    if found is None:
        raise InvalidParent(id=number)
    return found


def _face_of_parent(call: Call) -> Record:
    """Return the face that a call names, of the family that it names. Raises InvalidParent and OtherFamily."""
    parent, one = _parent(call), found(call, "face")
    if one.parent != parent.id:
        raise OtherFamily(id=one.id, family=parent.id)
    return one


def _list(call: Call) -> Result:
    query = query_of(call, _parent(call).id)
    rows, total = fonts.listed_page(call.work, FONT_FACE, query)
    wanted = choice(call.request.raw("_fields"))
    headers, pages = page_headers(call, total, query.per_page, query.page)
    body = [
        {**_FACE.members(row, call.work, call.args["context"], wanted), "_links": _links(call.work, row)}
        for row in rows
    ]
    return Result(body, headers=headers, links=pages)


def _create(call: Call) -> Result:
    new = fonts.add_face(call.work, _parent(call), call.args["font_face_settings"], call.prepared)
    result = _shown(call, new, EDIT)
    result.status = 201
    # The interface writes the pattern of the route here, not an address; the face's own is in its links.
    result.headers["Location"] = call.work.api(f"{FONT_FACE.path}/{new.id}")
    return result


def _prepare(call: Call) -> AbstractContextManager[dict[str, str]]:
    """Return the slow part of a new face: its hosts are looked up, its files are kept."""
    wanted = font_settings.sources(font_settings.face_of(call.args["font_face_settings"]))
    return _kept_files(call.work.frame, call.work.origin, wanted, call.request.files)


@contextmanager
def _kept_files(frame: Frame, origin: str, wanted: list[str], files: Mapping[str, Upload]) -> Iterator[dict[str, str]]:
    """Keep the files that came along, and give under which names, by what `src` calls them.

    Raises InvalidParam where `src` and the files do not fit, or an address leads elsewhere than to the public internet.
    """
    for source in wanted:
        if source in files:
            continue
        if ":" not in source:
            raise _bad_source(f"{source!r} is neither an address nor the name of a file that came with the request.")
        if not source.startswith(f"{origin}/") and not frame.outbound.reaches(source):
            raise _bad_source(f"{source!r} is no address of the public internet.")
    for name in files:
        if name not in wanted:
            raise _bad_source(f"The file {name!r} came along, but `src` does not name it.")
    kinds = {name: fonts.font_kind(upload.path, upload.name) for name, upload in files.items()}
    kept: dict[str, str] = {}
    try:
        for name, kind in kinds.items():
            stem = filenames.cleaned(filenames.stem_and_ending(files[name].name)[0])
            kept[name] = fonts.keep_file(frame, files[name].path, stem, kind)
        yield kept
    except BaseException:
        for name in kept.values():
            frame.files.delete(name)
        raise


def _bad_source(message: str) -> InvalidParam:
    return InvalidParam({"font_face_settings": Fault("rest_invalid_param", message, {"status": 400})})


def _read(call: Call) -> Result:
    return _shown(call, _face_of_parent(call), call.args["context"])


def _remove(call: Call) -> Result:
    old = _face_of_parent(call)
    if not call.args["force"]:
        raise NoTrash
    previous = _shown(call, old, EDIT).body
    fonts.remove_face(call.work, old)
    call.kept.pop("face")
    return Result({"deleted": True, "previous": previous})


def _shown(call: Call, row: Record, context: str) -> Result:
    members = _FACE.members(row, call.work, context, choice(call.request.raw("_fields")))
    return Result(members, rels=_links(call.work, row))


def _schema() -> dict[str, Any]:
    return _FACE.schema(FONT_FACE.name)


def _links(work: Work, row: Record) -> dict[str, Any]:
    family = work.api(f"{FONT_FAMILY.path}/{row.parent}")
    own = {"href": f"{family}/font-faces/{row.id}", "targetHints": {"allow": ["GET", "DELETE"]}}
    return {"self": [own], "collection": [{"href": f"{family}/font-faces"}], "parent": [{"href": family}]}


_FACE = Shape(
    {
        "id": Integer("Number of the face.", context=_ALL, readonly=True),
        "theme_json_version": version().but(context=_ALL),
        "parent": Integer("Number of its family.", context=_ALL, readonly=True),
        "font_face_settings": font_settings.FACE.but(context=_ALL),
    },
    {
        "id": lambda row, work: row.id,
        "theme_json_version": lambda row, work: VERSION,
        "parent": lambda row, work: row.parent,
        "font_face_settings": lambda row, work: fonts.settings_of(work, row),
    },
)

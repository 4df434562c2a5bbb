"""Font families and faces, with the files that come along, and the collections that families may be taken from.

Rules: interface.md, "Font families and faces"; facts, "Fonts". All of it is for those who may design the site.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.declare.arguments import context, force, numbers, paging
from vetrina.declare.call import Call, Result, Upload
from vetrina.declare.fields import EDIT, EMBED, VIEW, Array, Asked, Field, Integer, String
from vetrina.declare.listing import page_headers
from vetrina.declare.present import Shape, choice
from vetrina.declare.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.domain.content.record import Record
from vetrina.domain.content.types import FONT_FACE, FONT_FAMILY
from vetrina.domain.design import font_settings, fonts
from vetrina.domain.design.fonts import FontQuery
from vetrina.domain.media import filenames
from vetrina.domain.work import Frame, Work
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Fault, InvalidParam, Refused

from .revision_routes import InvalidParent

__all__ = ["routes"]

_ALL = (VIEW, EDIT, EMBED)
_FAMILIES: Final = FONT_FAMILY.path
_FACES: Final = f"{_FAMILIES}/{{font_family_id}}/font-faces"
_ITEM: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_VERSION: Final = 3


class CannotRead(Refused):
    code = "rest_cannot_read"
    message = "You may not see the fonts of this site."


class CannotCreate(Refused):
    code = "rest_cannot_create"
    message = "You may not add fonts to this site."


class CannotEdit(Refused):
    code = "rest_cannot_edit"
    message = "You may not change the fonts of this site."


class CannotDelete(Refused):
    code = "rest_cannot_delete"
    message = "You may not remove the fonts of this site."


class FontUnknown(ApiError):
    status, code = 404, "rest_post_invalid_id"
    message = "There is no font with the number {id}."


class OtherFamily(ApiError):
    status, code = 404, "rest_font_face_parent_id_mismatch"
    message = "The font face {id} belongs to another family than {family}."


class NoTrash(ApiError):
    status, code = 501, "rest_trash_not_supported"
    message = "Fonts have no trash; send force=true to remove one."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of font families and faces."""
    id: dict[str, Field] = {"id": Integer("Number of the family.", early=True, null="keep")}
    parent: dict[str, Field] = {"font_family_id": Integer("Number of the family.", required=True, early=True)}
    face = {**parent, "id": Integer("Number of the face.", required=True, early=True)}
    slug = Array("Only families with these slugs.", items=String(), null="keep")
    view, remove = {"context": context()}, {"force": force()}
    family_item, face_item = f"{_FAMILIES}/{{id}}", f"{_FACES}/{{id}}"
    listed = _list_arguments()
    return (
        Route(READ, _FAMILIES, _list_families, {**listed, "slug": slug}, _may_read, _family_schema),
        Route(WRITE, _FAMILIES, _create_family, _family_arguments(), _may_create, _family_schema),
        Route(READ, family_item, _read_family, {**id, **view}, _may_read_family, _family_schema),
        Route(CHANGE, family_item, _change_family, {**id, **_family_arguments(changes=True)}, _may_change_family,
              _family_schema),
        Route(REMOVE, family_item, _remove_family, {**id, **remove}, _may_remove_family, _family_schema),
        Route(READ, _FACES, _list_faces, {**parent, **listed}, _may_read, _face_schema),
        Route(WRITE, _FACES, _create_face, {**parent, **_face_arguments()}, _may_create, _face_schema, files=True,
              prepare=_prepare_face),
        Route(READ, face_item, _read_face, {**face, **view}, _may_read_face, _face_schema),
        Route(REMOVE, face_item, _remove_face, {**face, **remove}, _may_remove_face, _face_schema),
    )  # fmt: skip


# -- arguments


def _list_arguments() -> dict[str, Field]:
    out: dict[str, Field] = {
        "context": context(), **paging(),
        "exclude": numbers("None of these numbers."), "include": numbers("Only these numbers."),
        "search_semantics": String("How a search text is compared.", enum=("exact",), null="keep"),
        "offset": Integer("How many to leave out at the start.", null="keep"),
        "order": String("Order of the items.", default="desc", enum=("asc", "desc"), null="keep"),
        "orderby": String("Sort the items by this.", default="id", enum=("id", "include"), null="keep"),
    }  # fmt: skip
    del out["search"]
    return out


def _version() -> Integer:
    return Integer("Version of the format of theme settings.", default=_VERSION, minimum=2, maximum=3, null="keep")


def _family_arguments(*, changes: bool = False) -> dict[str, Field]:
    def check(value: Any, name: str, asked: Asked) -> Fault | None:
        return font_settings.family_fault(value, name, changes=changes)

    said = String("What says the family, as JSON text.", required=True, check=check)
    return {"theme_json_version": _version(), "font_family_settings": said}


def _face_arguments() -> dict[str, Field]:
    said = String("What says the face, as JSON text.", required=True, check=_face_rule)
    return {"theme_json_version": _version(), "font_face_settings": said}


def _face_rule(value: Any, name: str, asked: Asked) -> Fault | None:
    return font_settings.face_fault(value, name)


# -- what may be done


def _designs(user: Any) -> bool:
    return bool(user) and user.can(FONT_FAMILY.caps["edit_posts"])


def _may_read(call: Call) -> None:
    if not _designs(call.work.user):
        raise CannotRead(bool(call.work.user))


def _may_create(call: Call) -> None:
    if not _designs(call.work.user):
        raise CannotCreate(bool(call.work.user))


def _found(call: Call, kept: str) -> Record:
    """Return the family or the face that a call names, and keep it. Raises FontUnknown."""
    found: Record | None = call.kept.get(kept)
    if found is None:
        number = call.args.get("id")
        look = fonts.family if kept == "family" else fonts.face
        found = look(call.work, number) if isinstance(number, int) else None
        if found is None:
            raise FontUnknown(id=number)
        call.kept[kept] = found
    return found


def _may_read_family(call: Call) -> None:
    _found(call, "family")
    _may_read(call)


def _may_change_family(call: Call) -> None:
    _found(call, "family")
    if not _designs(call.work.user):
        raise CannotEdit(bool(call.work.user))


def _may_remove_family(call: Call) -> None:
    _found(call, "family")
    if not _designs(call.work.user):
        raise CannotDelete(bool(call.work.user))


def _may_read_face(call: Call) -> None:
    _found(call, "face")
    _may_read(call)


def _may_remove_face(call: Call) -> None:
    _found(call, "face")
    if not _designs(call.work.user):
        raise CannotDelete(bool(call.work.user))


# -- families


def _query(call: Call, parent: int = 0) -> FontQuery:
    args = call.args
    return FontQuery(
        parent=parent, page=args["page"], per_page=args["per_page"], offset=args.get("offset"),
        include=tuple(args["include"]), exclude=tuple(args["exclude"]), order=args["order"], orderby=args["orderby"],
        slugs=tuple(slugs.slugify(slug) for slug in args.get("slug") or ()),
    )  # fmt: skip


def _list_families(call: Call) -> Result:
    query = _query(call)
    rows, total = fonts.listed_page(call.work, FONT_FAMILY, query)
    view = _View(call.work, fonts.faces_of(call.work, [row.id for row in rows]))
    wanted = choice(call.request.raw("_fields"))
    headers, pages = page_headers(call, total, query.per_page, query.page)
    body = [
        {**_FAMILY.members(row, view, call.args["context"], wanted), "_links": _family_links(view, row)} for row in rows
    ]
    return Result(body, headers=headers, links=pages)


def _create_family(call: Call) -> Result:
    new = fonts.add_family(call.work, call.args["font_family_settings"])
    result = _shown_family(call, new, EDIT)
    result.status = 201
    result.headers["Location"] = call.work.api(f"{_FAMILIES}/{new.id}")
    return result


def _read_family(call: Call) -> Result:
    return _shown_family(call, _found(call, "family"), call.args["context"])


def _change_family(call: Call) -> Result:
    new = fonts.change_family(call.work, _found(call, "family"), call.args["font_family_settings"])
    call.kept["family"] = new
    return _shown_family(call, new, EDIT)


def _remove_family(call: Call) -> Result:
    old = _found(call, "family")
    if not call.args["force"]:
        raise NoTrash
    previous = _shown_family(call, old, EDIT).body
    fonts.remove_family(call.work, old)
    call.kept.pop("family")
    return Result({"deleted": True, "previous": previous})


def _shown_family(call: Call, row: Record, context: str) -> Result:
    view = _View(call.work, fonts.faces_of(call.work, [row.id]))
    members = _FAMILY.members(row, view, context, choice(call.request.raw("_fields")))
    return Result(members, rels=_family_links(view, row))


# -- faces


def _parent(call: Call) -> Record:
    """Return the family that a call names. Raises InvalidParent."""
    number = call.args["font_family_id"]
    found = fonts.family(call.work, number)
    if found is None:
        raise InvalidParent(id=number)
    return found


def _face_of_parent(call: Call) -> Record:
    """Return the face that a call names, of the family that it names. Raises InvalidParent and OtherFamily."""
    parent, found = _parent(call), _found(call, "face")
    if found.parent != parent.id:
        raise OtherFamily(id=found.id, family=parent.id)
    return found


def _list_faces(call: Call) -> Result:
    query = _query(call, _parent(call).id)
    rows, total = fonts.listed_page(call.work, FONT_FACE, query)
    view = _View(call.work, {})
    wanted = choice(call.request.raw("_fields"))
    headers, pages = page_headers(call, total, query.per_page, query.page)
    body = [
        {**_FACE.members(row, view, call.args["context"], wanted), "_links": _face_links(view, row)} for row in rows
    ]
    return Result(body, headers=headers, links=pages)


def _create_face(call: Call) -> Result:
    new = fonts.add_face(call.work, _parent(call), call.args["font_face_settings"], call.prepared)
    result = _shown_face(call, new, EDIT)
    result.status = 201
    # The interface writes the pattern of the route here, not an address; the face's own is in its links.
    result.headers["Location"] = call.work.api(f"{FONT_FACE.path}/{new.id}")
    return result


def _prepare_face(call: Call) -> AbstractContextManager[dict[str, str]]:
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
        if urlsplit(source)[:2] != urlsplit(origin)[:2] and not frame.outbound.reaches(source):
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


def _read_face(call: Call) -> Result:
    return _shown_face(call, _face_of_parent(call), call.args["context"])


def _remove_face(call: Call) -> Result:
    old = _face_of_parent(call)
    if not call.args["force"]:
        raise NoTrash
    previous = _shown_face(call, old, EDIT).body
    fonts.remove_face(call.work, old)
    call.kept.pop("face")
    return Result({"deleted": True, "previous": previous})


def _shown_face(call: Call, row: Record, context: str) -> Result:
    view = _View(call.work, {})
    members = _FACE.members(row, view, context, choice(call.request.raw("_fields")))
    return Result(members, rels=_face_links(view, row))


# -- how they are shown


class _View:
    """What showing fonts needs to know beside them. faces: numbers of faces, by family."""

    __slots__ = ("faces", "work")

    def __init__(self, work: Work, faces: dict[int, list[int]]) -> None:
        self.work, self.faces = work, faces


def _family_schema() -> dict[str, Any]:
    return _FAMILY.schema(FONT_FAMILY.name)


def _face_schema() -> dict[str, Any]:
    return _FACE.schema(FONT_FACE.name)


def _family_links(view: _View, row: Record) -> dict[str, Any]:
    path = view.work.api(_FAMILIES)
    out: dict[str, Any] = {
        "self": [{"href": f"{path}/{row.id}", "targetHints": {"allow": _ITEM}}],
        "collection": [{"href": path}],
    }
    if below := view.faces[row.id]:
        out["font_faces"] = [{"embeddable": True, "href": f"{path}/{row.id}/font-faces/{face}"} for face in below]
    return out


def _face_links(view: _View, row: Record) -> dict[str, Any]:
    family = view.work.api(f"{_FAMILIES}/{row.parent}")
    own = {"href": f"{family}/font-faces/{row.id}", "targetHints": {"allow": ["GET", "DELETE"]}}
    return {"self": [own], "collection": [{"href": f"{family}/font-faces"}], "parent": [{"href": family}]}


def _id(help: str) -> Integer:
    return Integer(help, context=_ALL, readonly=True)


_FAMILY = Shape(
    {
        "id": _id("Number of the family."),
        "theme_json_version": _version().but(context=_ALL),
        "font_faces": Array("Numbers of its faces, the oldest first.", items=Integer(), context=_ALL, readonly=True),
        "font_family_settings": font_settings.FAMILY.but(context=_ALL),
    },
    {
        "id": lambda row, view: row.id,
        "theme_json_version": lambda row, view: _VERSION,
        "font_faces": lambda row, view: view.faces[row.id],
        "font_family_settings": lambda row, view: fonts.settings_of(view.work, row),
    },
)
_FACE = Shape(
    {
        "id": _id("Number of the face."),
        "theme_json_version": _version().but(context=_ALL),
        "parent": _id("Number of its family."),
        "font_face_settings": font_settings.FACE.but(context=_ALL),
    },
    {
        "id": lambda row, view: row.id,
        "theme_json_version": lambda row, view: _VERSION,
        "parent": lambda row, view: row.parent,
        "font_face_settings": lambda row, view: fonts.settings_of(view.work, row),
    },
)

"""Font families; their faces have their routes below them (design/fonts/face_routes.py).

Rules: interface.md, "Font families and faces"; facts, "Fonts".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.records.routes import RecordExists
from vetrina.content.types.registry import FONT_FAMILY
from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.fonts import face_routes
from vetrina.design.fonts import rules as fonts
from vetrina.design.fonts import settings as font_settings
from vetrina.design.fonts.schema import (
    VERSION,
    CannotDelete,
    CannotEdit,
    NoTrash,
    designs,
    found,
    list_arguments,
    may_create,
    may_read,
    query_of,
    version,
)  # fmt: skip
from vetrina.kernel.errors import Fault
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context, force
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Asked, Field, Integer, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice

__all__ = ["routes"]

_ALL = (VIEW, EDIT, EMBED)
_FAMILIES: Final = FONT_FAMILY.path
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of font families and faces."""
    id: dict[str, Field] = {"id": Integer("Number of the family.", early=True, null="keep")}
    slug = Array("Only families with these slugs.", items=String(), null="keep")
    item = f"{_FAMILIES}/{{id}}"
    return (
        Route(READ, _FAMILIES, _list, {**list_arguments(), "slug": slug}, may_read, _schema),
        Route(WRITE, _FAMILIES, _create, _arguments(), _may_create, _schema),
        Route(READ, item, _read, {**id, "context": context()}, _may_read_one, _schema),
        Route(CHANGE, item, _change, {**id, **_arguments(changes=True)}, _may_change, _schema),
        Route(REMOVE, item, _remove, {**id, "force": force()}, _may_remove, _schema),
        *face_routes.routes(),
    )


def _arguments(*, changes: bool = False) -> dict[str, Field]:
    def check(value: Any, name: str, asked: Asked) -> Fault | None:
        return font_settings.family_fault(value, name, changes=changes)

    said = String("What says the family, as JSON text.", required=True, check=check)
    return {"theme_json_version": version(), "font_family_settings": said}


def _may_create(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    if call.raw.get("id"):
        raise RecordExists
    may_create(call)


def _may_read_one(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found(call, "family")
    may_read(call)


def _may_change(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found(call, "family")
    if not designs(call.work.user):
        raise CannotEdit(bool(call.work.user))


def _may_remove(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    found(call, "family")
    if not designs(call.work.user):
        raise CannotDelete(bool(call.work.user))


def _list(call: Call) -> Result:
    query = query_of(call)
    rows, total = fonts.listed_page(call.work, FONT_FAMILY, query)
    view = _View(call.work, fonts.faces_of(call.work, [row.id for row in rows]))
    wanted = choice(call.request.raw("_fields"))
    headers, pages = page_headers(call, total, query.per_page, query.page)
    body = [{**_FAMILY.members(row, view, call.args["context"], wanted), "_links": _links(view, row)} for row in rows]
    return Result(body, headers=headers, links=pages)


def _create(call: Call) -> Result:
    new = fonts.add_family(call.work, call.args["font_family_settings"])
    result = _shown(call, new, EDIT)
    result.status = 201
    result.headers["Location"] = call.work.api(f"{_FAMILIES}/{new.id}")
    return result


def _read(call: Call) -> Result:
    return _shown(call, found(call, "family"), call.args["context"])


def _change(call: Call) -> Result:
    new = fonts.change_family(call.work, found(call, "family"), call.args["font_family_settings"])
    call.kept["family"] = new
    return _shown(call, new, EDIT)


def _remove(call: Call) -> Result:
    old = found(call, "family")
    if not call.args["force"]:
        raise NoTrash
    previous = _shown(call, old, EDIT).body
    fonts.remove_family(call.work, old)
    call.kept.pop("family")
    return Result({"deleted": True, "previous": previous})


def _shown(call: Call, row: Record, context: str) -> Result:
    view = _View(call.work, fonts.faces_of(call.work, [row.id]))
    members = _FAMILY.members(row, view, context, choice(call.request.raw("_fields")))
    return Result(members, rels=_links(view, row))


class _View:
    """What showing fonts needs to know beside them. faces: numbers of faces, by family."""

    __slots__ = ("faces", "work")

    def __init__(self, work: Work, faces: dict[int, list[int]]) -> None:
        self.work, self.faces = work, faces


def _schema() -> dict[str, Any]:
    return _FAMILY.schema(FONT_FAMILY.name)


def _links(view: _View, row: Record) -> dict[str, Any]:
    path = view.work.api(_FAMILIES)
    out: dict[str, Any] = {
        "self": [{"href": f"{path}/{row.id}", "targetHints": {"allow": _METHODS}}],
        "collection": [{"href": path}],
    }
    if below := view.faces[row.id]:
        out["font_faces"] = [{"embeddable": True, "href": f"{path}/{row.id}/font-faces/{face}"} for face in below]
    return out


_FAMILY = Shape(
    {
        "id": Integer("Number of the family.", context=_ALL, readonly=True),
        "theme_json_version": version().but(context=_ALL),
        "font_faces": Array("Numbers of its faces, the oldest first.", items=Integer(), context=_ALL, readonly=True),
        "font_family_settings": font_settings.FAMILY.but(context=_ALL),
    },
    {
        "id": lambda row, view: row.id,
        "theme_json_version": lambda row, view: VERSION,
        "font_faces": lambda row, view: view.faces[row.id],
        "font_family_settings": lambda row, view: fonts.settings_of(view.work, row),
    },
)

"""Font families; the routes of their faces are in design/fonts/face_routes.py.

Rules: docs/rules/fonts.md, 2 and 4.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.records.routes import RecordExists
from vetrina.content.types.registry import FONT_FAMILY
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.design.fonts import face_routes, rules as fonts, settings as font_settings
from vetrina.design.fonts.schema import (
    VERSION,
    CannotDeleteFont,
    CannotEditFont,
    FontTrashUnsupported,
    build_font_query,
    build_list_arguments,
    build_version_field,
    get_font_record,
    may_design_fonts,
    require_font_create_permission,
    require_font_read_permission,
)  # fmt: skip
from vetrina.kernel.errors import Fault
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument, build_force_argument
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Field, Integer, String, ValidationContext
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, parse_field_selection

__all__ = ["build_routes"]

_ALL = (VIEW, EDIT, EMBED)
_FAMILIES: Final = FONT_FAMILY.path
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of font families and faces."""
    id: dict[str, Field] = {"id": Integer("Number of the family.", early=True, null="keep")}
    slug = Array("Only families with these slugs.", items=String(), null="keep")
    item = f"{_FAMILIES}/{{id}}"
    return (
        Route(
            READ,
            _FAMILIES,
            _list_font_families,
            {**build_list_arguments(), "slug": slug},
            require_font_read_permission,
            _build_font_family_schema,
        ),
        Route(
            WRITE,
            _FAMILIES,
            _create_font_family,
            _build_write_arguments(),
            _require_create_permission,
            _build_font_family_schema,
        ),
        Route(
            READ,
            item,
            _read_font_family,
            {**id, "context": build_context_argument()},
            _require_read_permission,
            _build_font_family_schema,
        ),
        Route(
            CHANGE,
            item,
            _update_font_family,
            {**id, **_build_write_arguments(changes=True)},
            _require_update_permission,
            _build_font_family_schema,
        ),
        Route(
            REMOVE,
            item,
            _delete_font_family,
            {**id, "force": build_force_argument()},
            _require_delete_permission,
            _build_font_family_schema,
        ),
        *face_routes.build_routes(),
    )


def _build_write_arguments(*, changes: bool = False) -> dict[str, Field]:
    def check(value: Any, name: str, context: ValidationContext) -> Fault | None:
        return font_settings.find_family_fault(value, name, changes=changes)

    settings = String("What says the family, as JSON text.", required=True, check=check)
    return {"theme_json_version": build_version_field(), "font_family_settings": settings}


def _require_create_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    if call.raw.get("id"):
        raise RecordExists
    require_font_create_permission(call)


def _require_read_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    get_font_record(call, "family")
    require_font_read_permission(call)


def _require_update_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    get_font_record(call, "family")
    if not may_design_fonts(call.work.user):
        raise CannotEditFont(bool(call.work.user))


def _require_delete_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    get_font_record(call, "family")
    if not may_design_fonts(call.work.user):
        raise CannotDeleteFont(bool(call.work.user))


def _list_font_families(call: Call) -> Result:
    query = build_font_query(call)
    rows, total = fonts.list_fonts(call.work, FONT_FAMILY, query)
    view = _FontFamilyView(call.work, fonts.list_face_ids(call.work, [row.id for row in rows]))
    wanted = parse_field_selection(call.request.raw("_fields"))
    headers, pages = build_page_headers(call, total, query.per_page, query.page)
    body = [
        {**_FAMILY_SERIALIZER.serialize(row, view, call.args["context"], wanted), "_links": _build_links(view, row)}
        for row in rows
    ]
    return Result(body, headers=headers, links=pages)


def _create_font_family(call: Call) -> Result:
    new = fonts.create_family(call.work, call.args["font_family_settings"])
    result = _build_family_result(call, new, EDIT)
    result.status = 201
    result.headers["Location"] = call.work.api(f"{_FAMILIES}/{new.id}")
    return result


def _read_font_family(call: Call) -> Result:
    return _build_family_result(call, get_font_record(call, "family"), call.args["context"])


def _update_font_family(call: Call) -> Result:
    new = fonts.update_family(call.work, get_font_record(call, "family"), call.args["font_family_settings"])
    call.lookups["family"] = new
    return _build_family_result(call, new, EDIT)


def _delete_font_family(call: Call) -> Result:
    old = get_font_record(call, "family")
    if not call.args["force"]:
        raise FontTrashUnsupported
    previous = _build_family_result(call, old, EDIT).body
    fonts.delete_family(call.work, old)
    call.lookups.pop("family")
    return Result({"deleted": True, "previous": previous})


def _build_family_result(call: Call, row: Record, context: str) -> Result:
    view = _FontFamilyView(call.work, fonts.list_face_ids(call.work, [row.id]))
    members = _FAMILY_SERIALIZER.serialize(row, view, context, parse_field_selection(call.request.raw("_fields")))
    return Result(members, rels=_build_links(view, row))


class _FontFamilyView:
    """What serializing font families needs beside them. faces: ids of faces, by family."""

    __slots__ = ("faces", "work")

    def __init__(self, work: UnitOfWork, faces: dict[int, list[int]]) -> None:
        self.work, self.faces = work, faces


def _build_font_family_schema() -> dict[str, Any]:
    return _FAMILY_SERIALIZER.schema(FONT_FAMILY.name)


def _build_links(view: _FontFamilyView, row: Record) -> dict[str, Any]:
    path = view.work.api(_FAMILIES)
    out: dict[str, Any] = {
        "self": [{"href": f"{path}/{row.id}", "targetHints": {"allow": _METHODS}}],
        "collection": [{"href": path}],
    }
    if below := view.faces[row.id]:
        out["font_faces"] = [{"embeddable": True, "href": f"{path}/{row.id}/font-faces/{face}"} for face in below]
    return out


_FAMILY_SERIALIZER = Serializer(
    {
        "id": Integer("Number of the family.", context=_ALL, readonly=True),
        "theme_json_version": build_version_field().replace(context=_ALL),
        "font_faces": Array("Numbers of its faces, the oldest first.", items=Integer(), context=_ALL, readonly=True),
        "font_family_settings": font_settings.FAMILY_SETTINGS.replace(context=_ALL),
    },
    {
        "id": lambda row, view: row.id,
        "theme_json_version": lambda row, view: VERSION,
        "font_faces": lambda row, view: view.faces[row.id],
        "font_family_settings": lambda row, view: fonts.load_font_settings(view.work, row),
    },
)

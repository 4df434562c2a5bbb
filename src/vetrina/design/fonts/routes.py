"""Font families; the routes of their faces are in design/fonts/face_routes.py.

Rules: docs/rules/fonts.md, 2 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.records.permissions import RecordExists
from vetrina.content.types.registry import FONT_FAMILY
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.design.fonts import face_routes, rules as fonts, settings as font_settings
from vetrina.design.fonts.permissions import (
    CannotCreateFont,
    CannotDeleteFont,
    CannotEditFont,
    CannotReadFont,
    build_font_item_permission,
    build_font_permission,
    get_font_record,
)
from vetrina.design.fonts.schema import VERSION, build_font_query, build_list_arguments, build_version_field
from vetrina.kernel.errors import Fault
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Field, Integer, String, ValidationContext
from vetrina.rest.resource import Links, ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.route import CHANGE, READ, REMOVE, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes

_ALL = (VIEW, EDIT, EMBED)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of font families and faces."""
    return (*FONT_FAMILIES.build_routes(), *face_routes.build_routes())


def _build_write_arguments(*, changes: bool = False) -> dict[str, Field]:
    def check(value: Any, name: str, context: ValidationContext) -> Fault | None:
        return font_settings.find_family_fault(value, name, changes=changes)

    settings = String("What says the family, as JSON text.", required=True, check=check)
    return {"theme_json_version": build_version_field(), "font_family_settings": settings}


_require_new = build_font_permission(CannotCreateFont)


def _require_create_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    if call.raw.get("id"):
        raise RecordExists
    _require_new(call)


def _get_family(call: Call) -> Record:
    return get_font_record(call, "family")


def _list_font_families(call: Call) -> ListPage[Record]:
    return ListPage(*fonts.list_fonts(call.work, FONT_FAMILY, build_font_query(call)))


def _create_font_family(call: Call) -> Record:
    return fonts.create_family(call.work, call.args["font_family_settings"])


def _update_font_family(call: Call, old: Record) -> Record:
    new = call.lookups["family"] = fonts.update_family(call.work, old, call.args["font_family_settings"])
    return new


def _delete_font_family(call: Call, old: Record) -> None:
    fonts.delete_family(call.work, old)
    call.lookups.pop("family")


class _FontFamilyView:
    """What serializing font families needs beside them. faces: ids of faces, by family; the links name them too."""

    __slots__ = ("faces", "work")

    def __init__(self, call: Call, families: Sequence[Record]) -> None:
        self.work = call.work
        self.faces = call.lookups["faces"] = fonts.list_face_ids(call.work, [family.id for family in families])


def _build_links(call: Call, row: Record) -> Links:
    path = call.work.api(FONT_FAMILY.path)
    out = {
        "self": [{"href": f"{path}/{row.id}", "targetHints": {"allow": [*READ, *CHANGE, *REMOVE]}}],
        "collection": [build_link(path)],
    }
    if below := call.lookups["faces"][row.id]:
        out["font_faces"] = [build_link(f"{path}/{row.id}/font-faces/{face}", embeddable=True) for face in below]
    return out


_FAMILY_SERIALIZER = Serializer(
    {
        "id": Integer("Number of the family.", context=_ALL, readonly=True),
        "theme_json_version": build_version_field().replace(context=_ALL),
        "font_faces": Array("Numbers of its faces, the oldest first.", items=Integer(), context=_ALL, readonly=True),
        "font_family_settings": font_settings.FAMILY_SETTINGS.replace(context=_ALL),
    },
    {
        **read_attributes("id"),
        "theme_json_version": lambda row, view: VERSION,
        "font_faces": lambda row, view: view.faces[row.id],
        "font_family_settings": lambda row, view: font_settings.load_font_settings(view.work, row),
    },
)

FONT_FAMILIES: Final = Resource(
    title=FONT_FAMILY.name,
    path=FONT_FAMILY.path,
    key={"id": Integer("Number of the family.", early=True, null="keep")},
    serializer=_FAMILY_SERIALIZER,
    load_view=_FontFamilyView,
    build_links=_build_links,
    find=_get_family,
    trash_unsupported=TrashUnsupported,
    deleted="previous",
    list=Operation(
        _list_font_families,
        build_font_permission(CannotReadFont),
        {**build_list_arguments(), "slug": Array("Only families with these slugs.", items=String(), null="keep")},
    ),
    create=Operation(_create_font_family, _require_create_permission, _build_write_arguments()),
    read=Operation(_get_family, build_font_item_permission(CannotReadFont, "family")),
    update=Operation(
        _update_font_family, build_font_item_permission(CannotEditFont, "family"), _build_write_arguments(changes=True)
    ),
    delete=Operation(_delete_font_family, build_font_item_permission(CannotDeleteFont, "family")),
)

"""What a block editor asks beside contents: previews of links, the navigation to begin with, the theme as an archive.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.access.roles.capabilities import may_delete, may_edit, may_edit_type
from vetrina.content.menus import navigations
from vetrina.content.types.registry import NAVIGATION
from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.themes import export as theme_export
from vetrina.kernel.errors import Fault, Refused
from vetrina.media.oembed import link_preview
from vetrina.media.oembed.link_preview import Details, NoContent, NoResponse
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Asked, Field, Integer, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import link

__all__ = ["routes"]

_PATH: Final = "/cms-block-editor/v1"


class CannotViewDetails(Refused):
    """Only those who write may have this server ask others."""

    code = "rest_cannot_view_url_details"
    message = "You may not ask for previews of links; that needs the right to write."


class CannotCreate(Refused):
    """Where there is no navigation one is made, so the right to make one is needed."""

    code = "rest_cannot_create"
    message = "You may not make navigations."


class CannotExport(Refused):
    """The theme is the site's looks."""

    code = "rest_cannot_export_templates"
    message = "You may not export the theme of this site."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the block editor's helpers."""
    url = String("Address of the page.", format="uri", required=True, check=_public)
    return (
        Route(
            READ, f"{_PATH}/url-details", _details, {"url": url}, _may_view_details, _details_schema, slow=True,
            prepare=_asked,
            errors=(CannotViewDetails, NoResponse, NoContent),
        ),
        Route(READ, f"{_PATH}/export", _exported, {}, _may_export, slow=True, errors=(CannotExport,),
              kinds=("application/zip",), answers=Nothing("The archive is no JSON.")),
        Route(
            READ, f"{_PATH}/navigation-fallback", _fallback, {}, _may_create, _fallback_schema, read=False,
            errors=(CannotCreate,),
        ),
    )  # fmt: skip


# -- previews of links


def _public(value: Any, name: str, asked: Asked) -> Fault | None:
    own = isinstance(value, str) and asked.look(lambda work: link_preview.is_own(work, value))
    return None if own or link_preview.could_be_asked(value) else Fault("", "Invalid parameter.")


def _may_view_details(call: Call) -> None:
    """Those who may write records of any type."""
    work: Work = call.work
    if not any(may_edit_type(work.user, type) for type in work.frame.types.values()):
        raise CannotViewDetails(bool(work.user))


def _asked(call: Call) -> AbstractContextManager[Details] | None:
    if link_preview.is_own(call.work, call.args["url"]):
        return None
    return _asking(call.work.frame.outbound, call.args["url"])


@contextmanager
def _asking(outbound: Any, address: str) -> Iterator[Details]:
    """Ask the other site before the transaction is opened, so that nobody waits for it."""
    yield link_preview.of_page(outbound, address)


def _details(call: Call) -> Result:
    """Tell title, icon, description and picture of a page on the web, of this site or another."""
    found: Details = call.prepared or link_preview.of_own_page(call.work, call.args["url"])
    body = {"title": found.title, "icon": found.icon, "description": found.description, "image": found.image}
    return Result(body)


_DETAILS: Final[dict[str, Field]] = {
    "title": String("Title of the page.", readonly=True),
    "icon": String("Address of its sign.", format="uri", readonly=True),
    "description": String("What it says of itself.", readonly=True),
    "image": String("Address of the picture that it shows of itself.", format="uri", readonly=True),
}


def _details_schema() -> dict[str, Any]:
    return _schema("url-details", _DETAILS)


# -- navigation


def _may_create(call: Call) -> None:
    """Those who may add navigations (`edit_theme_options`)."""
    user = call.work.user
    if not user.can(NAVIGATION.caps["create_posts"]):
        raise CannotCreate(bool(user))


def _fallback(call: Call) -> Result:
    """Find the navigation to show where none was chosen; one is made when there is none."""
    work: Work = call.work
    found = navigations.fallback(work)
    allowed = ["GET"]
    if may_edit(work.user, NAVIGATION, found):
        allowed += ["POST", "PUT", "PATCH"]
    if may_delete(work.user, NAVIGATION, found):
        allowed.append("DELETE")
    here = work.api(f"{NAVIGATION.path}/{found.id}")
    return Result({"id": found.id}, rels={"self": [link(here, embeddable=True, targetHints={"allow": allowed})]})


def _fallback_schema() -> dict[str, Any]:
    return _schema("navigation-fallback", {"id": Integer("Number of the navigation.", readonly=True)})


def _schema(title: str, fields: dict[str, Field]) -> dict[str, Any]:
    return {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": title,
        "type": "object",
        "properties": {name: field.schema() for name, field in fields.items()},
    }


# -- the theme


def _may_export(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    user = call.work.user
    if not user.can("edit_theme_options"):
        raise CannotExport(bool(user))


def _exported(call: Call) -> Result:
    """Pack the theme, as it was changed here, into a zip file."""
    name, content = theme_export.archive(call.work)
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
    return Result({}, headers=headers, bare=("application/zip", content))

"""Helper routes of the block editor: link previews, the fallback navigation.

Not here: the export of the theme (design/themes/export_routes.py). Rules: docs/rules/blocks.md, 9 and
docs/rules/oembed.md, 7.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final

from vetrina.access.roles.capabilities import may_delete_record, may_edit_record, may_edit_records
from vetrina.content.menus import navigation_fallback
from vetrina.content.types.registry import NAVIGATION
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.design.themes import export_routes
from vetrina.kernel.errors import Fault, PermissionDenied
from vetrina.media.oembed import link_preview
from vetrina.media.oembed.link_preview import PageMetadata, PageNoContent, PageNoResponse
from vetrina.rest.call import Result, defer
from vetrina.rest.fields import Field, Integer, String, ValidationContext
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import build_link

_PATH: Final = "/cms-block-editor/v1"


class CannotViewUrlDetails(PermissionDenied):
    """Only users who may write records can have this server request other sites."""

    code = "rest_cannot_view_url_details"
    message = "You may not ask for previews of links; that needs the right to write."


class CannotCreateNavigation(PermissionDenied):
    """A navigation is created if there is none, so the right to create one is needed."""

    code = "rest_cannot_create"
    message = "You may not make navigations."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the block editor's helpers."""
    url = String("Address of the page.", format="uri", required=True, check=_validate_public_url)
    return (
        Route(
            READ, f"{_PATH}/url-details", _read_details, {"url": url}, _require_details_permission,
            _build_details_schema, slow=True, prepare=_prepare_details,
            errors=(CannotViewUrlDetails, PageNoResponse, PageNoContent),
        ),
        *export_routes.build_routes(),
        Route(
            READ, f"{_PATH}/navigation-fallback", _read_navigation_fallback, {}, _require_create_permission,
            _build_fallback_schema, read=False, errors=(CannotCreateNavigation,),
        ),
    )  # fmt: skip


# -- previews of links


def _validate_public_url(value: Any, name: str, context: ValidationContext) -> Fault | None:
    own = isinstance(value, str) and context.query_store(lambda work: link_preview.is_own_address(work, value))
    return None if own or link_preview.is_fetchable_address(value) else Fault("", "Invalid parameter.")


def _require_details_permission(call: Call) -> None:
    """Those who may write records of any type."""
    work = call.work
    if not any(may_edit_records(work.user, type) for type in work.site.types.values()):
        raise CannotViewUrlDetails(bool(work.user))


def _prepare_details(call: Call) -> AbstractContextManager[PageMetadata] | None:
    if link_preview.is_own_address(call.work, call.args["url"]):
        return None
    return defer(link_preview.fetch_page_metadata, call.work.site.outbound, call.args["url"])


def _read_details(call: Call) -> Result:
    """Return title, icon, description and image of a web page, of this site or another."""
    found: PageMetadata = call.prepared or link_preview.build_own_metadata(call.work, call.args["url"])
    body = {"title": found.title, "icon": found.icon, "description": found.description, "image": found.image}
    return Result(body)


_DETAILS: Final[dict[str, Field]] = {
    "title": String("Title of the page.", readonly=True),
    "icon": String("Address of its sign.", format="uri", readonly=True),
    "description": String("What it says of itself.", readonly=True),
    "image": String("Address of the picture that it shows of itself.", format="uri", readonly=True),
}


def _build_details_schema() -> dict[str, Any]:
    return _build_schema("url-details", _DETAILS)


# -- navigation


def _require_create_permission(call: Call) -> None:
    """Those who may add navigations (`edit_theme_options`)."""
    user = call.work.user
    if not user.can(NAVIGATION.caps["create_posts"]):
        raise CannotCreateNavigation(bool(user))


def _read_navigation_fallback(call: Call) -> Result:
    """Find the navigation to show if none was chosen; one is created if there is none."""
    work = call.work
    found = navigation_fallback.get_or_create_navigation(work)
    allowed = ["GET"]
    if may_edit_record(work.user, NAVIGATION, found):
        allowed += ["POST", "PUT", "PATCH"]
    if may_delete_record(work.user, NAVIGATION, found):
        allowed.append("DELETE")
    here = work.api(f"{NAVIGATION.path}/{found.id}")
    return Result({"id": found.id}, rels={"self": [build_link(here, embeddable=True, targetHints={"allow": allowed})]})


def _build_fallback_schema() -> dict[str, Any]:
    return _build_schema("navigation-fallback", {"id": Integer("Number of the navigation.", readonly=True)})


def _build_schema(title: str, fields: dict[str, Field]) -> dict[str, Any]:
    return {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": title,
        "type": "object",
        "properties": {name: field.schema() for name, field in fields.items()},
    }

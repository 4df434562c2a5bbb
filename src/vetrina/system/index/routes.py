"""The root index and the roots of the namespaces: the site describes itself.

Rules: docs/rules/root_index.md, 1, 2 and 4; docs/rules/translation_routes.md, 4.
"""

from __future__ import annotations

from typing import Any

from vetrina.content.records import front_page
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.themes import active_theme
from vetrina.media.attachments import store as attachment_store
from vetrina.rest.call import Result
from vetrina.rest.field_selection import parse_field_selection
from vetrina.rest.fields import Array, Boolean, Integer, Number, Object, String, Untyped
from vetrina.rest.response_fields import LINKS, Free, build_map_field, build_text_fields
from vetrina.rest.route import READ, Route
from vetrina.rest.route_descriptions import InvalidNamespace
from vetrina.rest.serializer import CURIES, build_link

_ROUTE = Object(
    properties={
        "namespace": String(),
        "methods": Array(items=String()),
        "endpoints": Array(
            items=Object(
                properties={
                    "methods": Array(items=String()),
                    "args": build_map_field(Free("What it takes, as a JSON schema."), "Arguments by name."),
                    "allow_batch": Object(properties={"v1": Boolean()}, optional=True),
                }
            )
        ),
        "schema": Free("JSON schema of its records, where help is asked for.", optional=True),
        "_links": LINKS.replace(optional=True),
    }
)
_ROUTES = Object("Routes by the pattern of their path.", additional=_ROUTE)
_NAMESPACE = Object(properties={"namespace": String(), "routes": _ROUTES})
_INDEX = Object(
    properties={
        "name": String("Title of the site."),
        "description": String(),
        "url": String(),
        "home": String(),
        "gmt_offset": Number("Hours that the site's clock is ahead of GMT."),
        "timezone_string": String(),
        "page_for_posts": Integer(),
        "page_on_front": Integer(),
        "show_on_front": String(),
        "namespaces": Array(items=String()),
        "authentication": Object(
            "Ways to sign in, by name.",
            properties={
                "application-passwords": Object(
                    properties={"endpoints": Object(properties=build_text_fields("authorization"))}
                ),
            },
        ),
        "site_logo": Integer(),
        "site_icon": Integer(),
        "site_icon_url": String(),
        "routes": _ROUTES,
    }
)
_CONTEXT = Untyped("With `help`, the schema of what each route answers stands beside it.", default="view")


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the root index."""
    return (Route(READ, "/", _read_root_index, args={"context": _CONTEXT}, answers=_INDEX),)


def build_namespace_root(name: str) -> Route:
    """Return the route of a namespace's own index."""
    return Route(
        READ,
        f"/{name}",
        _read_namespace_index,
        args={"namespace": Untyped("Name of the namespace.", default=name), "context": _CONTEXT},
        answers=_NAMESPACE,
        errors=(InvalidNamespace,),
    )


def _read_root_index(call: Call) -> Result:
    """Describe the site and all of its routes."""
    work = call.work
    wanted = parse_field_selection(call.request.raw("_fields"))
    body = {
        "name": work.get_translated_option("title"),
        "description": work.get_translated_option("description"),
        "url": work.origin,
        "home": work.home(),
        "gmt_offset": _compute_hours(work.zone.offset(work.now)),
        "timezone_string": work.option("timezone"),
        "page_for_posts": front_page.resolve_page_option(work, "page_for_posts"),
        "page_on_front": front_page.resolve_page_option(work, "page_on_front"),
        "show_on_front": work.option("show_on_front"),
        "namespaces": list(call.ask.index.namespaces),
        "authentication": {
            "application-passwords": {"endpoints": {"authorization": f"{work.origin}/admin/authorize-application.php"}}
        },
        "site_logo": work.option("site_logo") or 0,
        "site_icon": work.option("site_icon") or 0,
        "site_icon_url": _find_icon_url(work),
    }
    if wanted is None or "routes" in wanted.tree:
        body["routes"] = call.ask.index.list_routes(work.root, with_schema=call.raw.get("context") == "help")
    return Result(body, rels=_build_links(work))


def _build_links(work: UnitOfWork) -> dict[str, Any]:
    out: dict[str, Any] = {"help": [{"href": f"{work.origin}/docs"}]}
    if work.user.can_somewhere("edit_posts") or work.user.can("switch_themes"):
        out["cms:active-theme"] = [
            build_link(work.api(f"/cms/v2/themes/{active_theme.get_active_theme(work.site).name}"))
        ]
    marks = [(name, work.option(name)) for name in ("site_logo", "site_icon")]
    if links := [build_link(work.api(f"/cms/v2/media/{id}"), embeddable=True, type=name) for name, id in marks if id]:
        out["cms:featuredmedia"] = links
    return out if len(out) == 1 else out | {"curies": CURIES}


def _find_icon_url(work: UnitOfWork) -> str:
    """Return the URL of the site's icon, empty where it has none."""
    media_id = work.option("site_icon")
    if not media_id:
        return ""
    work.uses("attachment")
    media = attachment_store.find_media_file(work.tx, media_id)
    return attachment_store.build_file_url(work, media.file) if media is not None and media.kind == "image" else ""


def _compute_hours(seconds: int) -> int | float:
    hours = seconds / 3600
    return int(hours) if hours.is_integer() else hours


def _read_namespace_index(call: Call) -> Result:
    """Describe the routes of one namespace."""
    name = call.args["namespace"]
    body = call.ask.index.describe_namespace(
        name if isinstance(name, str) else "", call.work.root, with_schema=call.raw.get("context") == "help"
    )
    return Result(body, rels={"up": [{"href": f"{call.work.root}/"}]}, keeps_links=True)

"""The root index and the roots of the namespaces: the site describes itself.

Rules: interface.md, "Root index"; facts, "Index, namespaces, OPTIONS".
"""

from __future__ import annotations

from typing import Any

from vetrina.content.records import front_page
from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.themes import rules as themes
from vetrina.media.attachments import store as attachment_store
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Boolean, Integer, Number, Object, String, Untyped
from vetrina.rest.index import InvalidNamespace
from vetrina.rest.response_fields import LINKS, Free, by_name, texts
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import CURIES, choice, link

__all__ = ["namespace_root", "routes"]

_ROUTE = Object(
    properties={
        "namespace": String(),
        "methods": Array(items=String()),
        "endpoints": Array(
            items=Object(
                properties={
                    "methods": Array(items=String()),
                    "args": by_name(Free("What it takes, as a JSON schema."), "Arguments by name."),
                    "allow_batch": Object(properties={"v1": Boolean()}),
                }
            )
        ),
        "schema": Free("JSON schema of its records, where help is asked for."),
        "_links": LINKS,
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
                "application-passwords": Object(properties={"endpoints": Object(properties=texts("authorization"))}),
            },
        ),
        "site_logo": Integer(),
        "site_icon": Integer(),
        "site_icon_url": String(),
        "routes": _ROUTES,
    }
)
_CONTEXT = Untyped("With `help`, the schema of what each route answers stands beside it.", default="view")


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the route of the root index."""
    return (Route(READ, "/", _root_index, args={"context": _CONTEXT}, answers=_INDEX),)


def namespace_root(name: str) -> Route:
    """Return the route of a namespace's own index."""
    return Route(
        READ,
        f"/{name}",
        _namespace_index,
        args={"namespace": Untyped("Name of the namespace.", default=name), "context": _CONTEXT},
        answers=_NAMESPACE,
        errors=(InvalidNamespace,),
    )


def _root_index(call: Call) -> Result:
    """Describe the site and every route of it."""
    work: Work = call.work
    wanted = choice(call.request.raw("_fields"))
    body = {
        "name": work.shown("title"),
        "description": work.shown("description"),
        "url": work.origin,
        "home": work.home(),
        "gmt_offset": _hours(work.zone.offset(work.now)),
        "timezone_string": work.option("timezone"),
        "page_for_posts": front_page.number(work, "page_for_posts"),
        "page_on_front": front_page.number(work, "page_on_front"),
        "show_on_front": work.option("show_on_front"),
        "namespaces": list(call.ask.index.namespaces),
        "authentication": {
            "application-passwords": {"endpoints": {"authorization": f"{work.origin}/admin/authorize-application.php"}}
        },
        "site_logo": work.option("site_logo") or 0,
        "site_icon": work.option("site_icon") or 0,
        "site_icon_url": _icon(work),
    }
    if wanted is None or "routes" in wanted.tree:
        body["routes"] = call.ask.index.routes(work.root, with_schema=call.raw.get("context") == "help")
    return Result(body, rels=_links(work))


def _links(work: Work) -> dict[str, Any]:
    out: dict[str, Any] = {"help": [{"href": f"{work.origin}/docs"}]}
    if work.user.can("edit_posts") or work.user.can("switch_themes"):
        out["cms:active-theme"] = [link(work.api(f"/cms/v2/themes/{themes.active(work.frame).name}"))]
    marks = [(name, work.option(name)) for name in ("site_logo", "site_icon")]
    if shown := [link(work.api(f"/cms/v2/media/{id}"), embeddable=True, type=name) for name, id in marks if id]:
        out["cms:featuredmedia"] = shown
    return out if len(out) == 1 else out | {"curies": CURIES}


def _icon(work: Work) -> str:
    """Return the address of the site's sign, empty where it has none."""
    number = work.option("site_icon")
    if not number:
        return ""
    work.uses("attachment")
    media = attachment_store.of_record(work.tx, number)
    return attachment_store.url(work, media.file) if media is not None and media.kind == "image" else ""


def _hours(seconds: int) -> int | float:
    hours = seconds / 3600
    return int(hours) if hours.is_integer() else hours


def _namespace_index(call: Call) -> Result:
    """Describe the routes of one namespace."""
    name = call.args["namespace"]
    body = call.ask.index.of_namespace(
        name if isinstance(name, str) else "", call.work.root, with_schema=call.raw.get("context") == "help"
    )
    return Result(body, rels={"up": [{"href": f"{call.work.root}/"}]}, keeps_links=True)

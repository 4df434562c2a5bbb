"""The root index and the roots of the namespaces: the site describes itself.

Rules: interface.md, "Root index"; facts, "Index, namespaces, OPTIONS".
"""

from __future__ import annotations

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import Untyped
from vetrina.declare.present import choice
from vetrina.declare.route import READ, Route
from vetrina.domain.work import Frame, Work

__all__ = ["namespace_root", "routes"]


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the route of the root index."""
    return (Route(READ, "/", _root_index, args={"context": Untyped(default="view")}),)


def namespace_root(name: str) -> Route:
    """Return the route of a namespace's own index."""
    return Route(
        READ,
        f"/{name}",
        _namespace_index,
        args={"namespace": Untyped(default=name), "context": Untyped(default="view")},
    )


def _root_index(call: Call) -> Result:
    work: Work = call.work
    wanted = choice(call.request.raw("_fields"))
    body = {
        "name": work.option("title"),
        "description": work.option("description"),
        "url": work.origin,
        "home": work.home(),
        "gmt_offset": _hours(work.zone.offset(work.now)),
        "timezone_string": work.option("timezone"),
        "page_for_posts": work.option("page_for_posts"),
        "page_on_front": work.option("page_on_front"),
        "show_on_front": work.option("show_on_front"),
        "namespaces": list(call.ask.index.namespaces),
        "authentication": {
            "application-passwords": {"endpoints": {"authorization": f"{work.origin}/admin/authorize-application.php"}}
        },
        "site_logo": work.option("site_logo") or 0,
        "site_icon": work.option("site_icon") or 0,
        "site_icon_url": "",
    }
    if wanted is None or "routes" in wanted.tree:
        body["routes"] = call.ask.index.routes(work.root, with_schema=call.raw.get("context") == "help")
    return Result(body, rels={"help": [{"href": f"{work.origin}/docs"}]})


def _hours(seconds: int) -> int | float:
    hours = seconds / 3600
    return int(hours) if hours.is_integer() else hours


def _namespace_index(call: Call) -> Result:
    name = call.args["namespace"]
    body = call.ask.index.of_namespace(
        name if isinstance(name, str) else "", call.work.root, with_schema=call.raw.get("context") == "help"
    )
    return Result(body, rels={"up": [{"href": f"{call.work.root}/"}]}, keeps_links=True)

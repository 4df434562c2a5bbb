"""Routes of options pages: list, read, update. A site whose profile has no such page has no such routes.

Rules: docs/rules/custom_fields.md, 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from vetrina.content.custom_fields import field_values, reference_links, views as custom_field_views
from vetrina.content.custom_fields.schema import add_field_members, build_field_arguments
from vetrina.content.options_pages.rules import (
    OptionsPage,
    list_options_pages,
    load_options_page,
    may_read_page,
    may_write_page,
    update_options_page,
)
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import PermissionDenied
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Object, String
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.rest.serializer import CURIES, MemberGetter, Serializer, build_link

_PATH = "/cms/v2/options-pages"
_SHOWN = (VIEW, EDIT)
_FIELDS: dict[str, Field] = {
    "name": String("Name of the page.", context=_SHOWN, readonly=True),
    "label": String("The page as people call it.", context=_SHOWN, readonly=True),
    "description": String("What the page is for.", context=_SHOWN, readonly=True),
    "public": Boolean("Whether visitors may read it.", context=_SHOWN, readonly=True),
    "lang": String("Language of the values that belong to one.", context=_SHOWN, readonly=True),
}


class CannotReadOptionsPage(PermissionDenied):
    code = "rest_forbidden"
    message = "You may not read the options page {name!r}."


class CannotEditOptionsPage(PermissionDenied):
    code = "rest_cannot_edit"
    message = "You may not change the options page {name!r}."


@dataclass(slots=True)
class OptionsPageView:
    """What showing options pages needs besides them."""

    work: UnitOfWork
    context: str

    def serialize_values(self, page: OptionsPage) -> dict[str, Any]:
        """Return the values of a page that the reader may see."""
        return custom_field_views.serialize_field_values(self.work, page.fields, page.values, self.context)


_GETTERS: dict[str, MemberGetter] = {
    "name": lambda page, view: page.name,
    "label": lambda page, view: page.declared.label,
    "description": lambda page, view: page.declared.description,
    "public": lambda page, view: page.declared.public,
    "lang": lambda page, view: view.work.language,
    "meta": lambda page, view: view.serialize_values(page),
    "ext": lambda page, view: view.serialize_values(page),
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of options pages: the list, and those of each page, which know its fields."""
    pages = site.profile.options_pages
    if not pages:
        return ()
    return (*_build_list(site).build_routes(), *(route for name in pages for route in _build_page(site, name)))


def _build_list(site: SiteContext) -> Resource[OptionsPage]:
    values = Object("Values of the page by field; which there are, the page's own route says.", context=_SHOWN)
    members = {**_FIELDS, "meta": values, **({"ext": values} if site.profile.ext_fields else {})}
    return Resource(
        title="options-page",
        path=_PATH,
        serializer=Serializer(members, _GETTERS),
        identify=attrgetter("name"),
        load_view=_load_view,
        build_links=_build_links,
        list=Operation(_list_pages, args={"context": build_context_argument(VIEW, EDIT)}),
    )


def _build_page(site: SiteContext, name: str) -> tuple[Route, ...]:
    """Return the routes of one page."""
    page: Resource[OptionsPage] = Resource(
        title=f"options-page-{name}",
        path=_PATH,
        item=name,
        context=build_context_argument(VIEW, EDIT),
        serializer=Serializer(add_field_members(site, name, _FIELDS), _GETTERS),
        identify=attrgetter("name"),
        load_view=_load_view,
        build_links=_build_links,
        find=partial(_find_page, name),
        read=Operation(partial(_find_page, name), partial(_require_read_permission, name)),
        update=Operation(_update_page, partial(_require_write_permission, name), build_field_arguments(site, name)),
    )
    return page.build_routes()


# -- permissions


def _require_read_permission(name: str, call: Call) -> None:
    """Everybody for a public page; another one, and the editing view, are for those with the page's capability."""
    declared = call.work.site.profile.options_pages[name]
    may = may_write_page if call.args.get("context") == EDIT else may_read_page
    if not may(call.work, declared):
        raise CannotReadOptionsPage(bool(call.work.user), name=name)


def _require_write_permission(name: str, call: Call) -> None:
    """Those with the page's capability, which its profile names."""
    if not may_write_page(call.work, call.work.site.profile.options_pages[name]):
        raise CannotEditOptionsPage(bool(call.work.user), name=name)


# -- what the routes do


def _list_pages(call: Call) -> ListPage[OptionsPage]:
    """List the options pages that the caller may read."""
    work = call.work
    may = may_write_page if call.args.get("context") == EDIT else may_read_page
    return ListPage([one for one in list_options_pages(work) if may(work, one.declared)])


def _find_page(name: str, call: Call) -> OptionsPage:
    """Read an options page."""
    return load_options_page(call.work, name)


def _update_page(call: Call, page: OptionsPage) -> OptionsPage:
    """Change values of an options page; those that are not sent stay as they are."""
    given = {name: call.args[name] for name in field_values.MEMBERS if name in call.args.given_names}
    return update_options_page(call.work, page, given)


def _load_view(call: Call, found: Sequence[OptionsPage]) -> OptionsPageView:
    return OptionsPageView(call.work, call.args.get("context") or EDIT)


def _build_links(call: Call, page: OptionsPage) -> Links:
    work = call.work
    allowed = [*READ, *(CHANGE if may_write_page(work, page.declared) else ())]
    related = reference_links.build_reference_links(work, page.fields, page.values)
    return {
        "self": [build_link(work.api(f"{_PATH}/{page.name}"), targetHints={"allow": allowed})],
        "collection": [build_link(work.api(_PATH))],
        **related,
        **({"curies": CURIES} if related else {}),
    }

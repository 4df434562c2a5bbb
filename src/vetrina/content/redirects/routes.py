"""Routes of redirects: list, read, create, change, delete, and where an address leads.

Not here: their file (content/redirects/file_routes.py). Rules: docs/rules/redirects.md, 3 and 6.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.redirects import listing, lookup, paths, rules, store
from vetrina.content.redirects.permissions import CannotManageRedirects, require_redirect_permission
from vetrina.content.redirects.store import MANUAL, SLUG, STATUSES, Redirect
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.site_paths import get_relative_url, remove_base_path
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_number_list, build_ordering_arguments, build_paging_arguments
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import ListPage, Operation, Resource, TrashUnsupported, build_write_arguments
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer, read_attributes

PATH: Final = "/cms/v2/redirects"
_BOTH: Final = (VIEW, EDIT)
_ORIGINS: Final = (MANUAL, SLUG)


class NoRedirect(ApiError):
    """No redirect leads from an address."""

    failure, code = Failure.NOT_FOUND, "rest_no_redirect"
    message = "No redirect leads from {path}."


def _build_fields(site: SiteContext) -> dict[str, Field]:
    languages = site.profile.languages
    return {
        "id": Integer("Number of the redirect.", context=_BOTH, readonly=True),
        "source": String(
            "Path that leads away, without the directory of its language; `/old/*` is all that is below `/old`.",
            context=_BOTH, max_length=paths.MAX_LENGTH,
        ),
        "target": String(
            "Where it leads: a path of this site or an http(s) URL; a `*` at its end takes over what that of the source"
            " stands for. Empty with status 410, and for the former address of a record that is not published.",
            context=_BOTH, max_length=paths.MAX_LENGTH,
        ),
        "status": Integer("Status that it is answered with; 410 leads nowhere.", context=_BOTH, enum=STATUSES),
        "language": String(
            "Language whose addresses it is about, empty for all.", context=_BOTH, enum=("", *languages)
        ),
        "active": Boolean("Whether it is in force.", context=_BOTH),
        "origin": String(
            "`manual` where somebody wrote it, `slug` where a record had this address before.", context=_BOTH,
            enum=_ORIGINS, readonly=True,
        ),
        "record": Integer("Record whose former address it is, 0 for none.", context=_BOTH, readonly=True),
        "hits": Integer("How often it was followed; counted in batches.", context=_BOTH, readonly=True),
        "last_hit_gmt": String(
            "When it was last followed, in GMT; null for never.", context=_BOTH, format="date-time", nullable=True,
            readonly=True,
        ),
        "date_gmt": String("When it was made, in GMT.", context=_BOTH, format="date-time", readonly=True),
        "modified_gmt": String("When it was last changed, in GMT.", context=_BOTH, format="date-time", readonly=True),
    }  # fmt: skip


def _show_target(one: Redirect, work: UnitOfWork) -> str:
    """Return the target; of a former address the present path, which follows its record."""
    if not one.record:
        return one.target
    url = lookup.build_target_url(work, one, one.language or work.language)
    path = get_relative_url(work.origin, url) if url else None
    return remove_base_path(work.base_path, path) if path else ""


_GETTERS: Final = {
    **read_attributes("id", "status", "language", "active", "origin", "record", "hits"),
    "source": lambda one, work: paths.format_source(one.place),
    "target": _show_target,
    "last_hit_gmt": lambda one, work: None if one.last_hit is None else times.format_iso(one.last_hit),
    "date_gmt": lambda one, work: times.format_iso(one.created),
    "modified_gmt": lambda one, work: times.format_iso(one.modified),
}


def _get_redirect(call: Call) -> Redirect:
    return rules.get_redirect(call.work, call.args["id"])


def _list_redirects(call: Call) -> ListPage[Redirect]:
    args = call.args
    query = listing.RedirectQuery(
        include=tuple(args["include"]), exclude=tuple(args["exclude"]), search=args.get("search") or "",
        origin=args.get("origin"), status=args.get("status"), language=args.get("language"),
        active=args.get("active"), orderby=args["orderby"], descending=args["order"] == "desc",
        limit=args["per_page"], offset=compute_page_offset(args),
    )  # fmt: skip
    return ListPage(*listing.list_redirects(call.work, query))


def _select_given(call: Call) -> dict[str, Any]:
    return {name: call.args[name] for name in call.args.given_names if name != "id"}


def _create_redirect(call: Call) -> Redirect:
    return rules.create_redirect(call.work, _select_given(call))


def _update_redirect(call: Call, old: Redirect) -> Redirect:
    return rules.update_redirect(call.work, old, _select_given(call))


def _delete_redirect(call: Call, old: Redirect) -> None:
    store.delete_redirects(call.work, old)


def _look_up(call: Call) -> Result:
    """Tell where an address without a page leads."""
    work, path = call.work, call.args["path"]
    if path.startswith(("http://", "https://")):
        path = get_relative_url(work.origin, path) or ""
    path = remove_base_path(work.base_path, path.partition("?")[0].partition("#")[0])
    found = lookup.find_redirect_answer(work, path) if path.startswith("/") and len(path) <= paths.MAX_LENGTH else None
    if found is None:
        raise NoRedirect(path=call.args["path"])
    work.site.hits.count(found.id, work.now)
    target = found.target or None
    relative = get_relative_url(work.origin, target) if target else None
    return Result({"status": found.status, "target": target, "path": relative, "id": found.id})


def _build_resource(site: SiteContext) -> Resource[Redirect]:
    fields = _build_fields(site)
    invalid = (
        CannotManageRedirects, rules.RedirectExists, rules.RedirectLoop, rules.CannotRedirectOutside,
    )  # fmt: skip
    filters: dict[str, Field] = {
        **build_paging_arguments(),
        "exclude": build_number_list("None of these numbers."),
        "include": build_number_list("Only these numbers."),
        "origin": String("Only those with this origin.", enum=_ORIGINS, null="keep"),
        "status": Integer("Only those with this status.", enum=STATUSES, null="keep"),
        "language": String("Only those about addresses of this language.", enum=("", *site.profile.languages)),
        "active": Boolean("Only those that are in force, or that are not.", null="keep"),
        **build_ordering_arguments(listing.ORDERS, default="id"),
    }
    return Resource(
        title="redirect",
        path=PATH,
        key={"id": Integer("Number of the redirect.")},
        serializer=Serializer(fields, _GETTERS),
        find=_get_redirect,
        list=Operation(_list_redirects, require_redirect_permission, filters, (CannotManageRedirects,)),
        create=Operation(
            _create_redirect, require_redirect_permission, build_write_arguments(fields, required=("source",)),
            (*invalid, rules.TooManyRedirects),
        ),
        read=Operation(
            _get_redirect, require_redirect_permission, errors=(CannotManageRedirects, rules.RedirectNotFound)
        ),
        update=Operation(
            _update_redirect, require_redirect_permission, build_write_arguments(fields),
            (*invalid, rules.RedirectNotFound),
        ),
        delete=Operation(
            _delete_redirect, require_redirect_permission, errors=(CannotManageRedirects, rules.RedirectNotFound)
        ),
        trash_unsupported=TrashUnsupported,
        deleted="previous",
        batch=True,
    )  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of redirects."""
    answer = Object(
        properties={
            "status": Integer("Status to answer with.", enum=STATUSES),
            "target": String("Whole URL to lead to; null with status 410.", nullable=True),
            "path": String("The same from the root of the host; null for other sites.", nullable=True),
            "id": Integer("Number of the redirect."),
        }
    )
    path = String("Path of this site, or its whole URL.", required=True, min_length=1, max_length=4 * paths.MAX_LENGTH)
    return (
        *_build_resource(site).build_routes(),
        Route(READ, f"{PATH}/lookup", _look_up, {"path": path}, errors=(NoRedirect,), answers=answer),
    )

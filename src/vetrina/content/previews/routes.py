"""Routes of the preview links of a record: make one, list those that are valid, withdraw one.

Rules: docs/rules/previews.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from vetrina.content.previews import addresses, rules as previews
from vetrina.content.previews.model import NoSuchRevision, PreviewLink, PreviewLinkNotFound, TooManyPreviewLinks
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.core.call import Call
from vetrina.kernel.errors import Fault
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW, Boolean, Field, Integer, String, ValidationContext
from vetrina.rest.resource import ListPage, Operation, Resource
from vetrina.rest.route import Route
from vetrina.rest.serializer import Serializer, read_attributes

_ALL = (VIEW, EDIT)
_MADE = (EDIT,)  # of the answer that makes a link: no other has its token


class _IssuedLink(NamedTuple):
    """A new link with what only its maker is told."""

    token: str
    type: ContentType
    record: Record


_FIELDS: Final[dict[str, Field]] = {
    "uuid": String("UUID of the link, by which it is withdrawn.", format="uuid", context=_ALL, readonly=True),
    "author": Integer("Number of the user who made it.", context=_ALL, readonly=True),
    "created": String("When it was made, in GMT.", format="date-time", context=_ALL, readonly=True),
    "expires": String("When it ends, in GMT.", format="date-time", context=_ALL, readonly=True),
    "revision": Integer("Number of the revision that it shows, 0 for the record.", context=_ALL, readonly=True),
    "autosave": Boolean("Whether it shows newer unsaved texts.", context=_ALL, readonly=True),
    "token": String("What opens the record; shown now and never again.", context=_MADE, readonly=True),
    "api": String("Address in the interface, with the token.", format="uri", context=_MADE, readonly=True),
    "link": String("Address of its page, with the token.", format="uri", context=_MADE, readonly=True),
    "front_end": String(
        "Address at the site's front end, null where the profile names none.", format="uri", nullable=True,
        context=_MADE, readonly=True,
    ),
}  # fmt: skip
_PATH: Final = {"id": Integer("Number of the record.", early=True, null="keep")}


def _check_seconds(value: Any, name: str, context: ValidationContext) -> Fault | None:
    """Return the fault of a time that is longer than the site allows."""
    most = context.query_store(lambda work: work.site.profile.limits.preview_seconds)
    if most is None or Integer().clean(value) <= most:
        return None
    return Fault("rest_out_of_bounds", f"{name} must be {most} seconds at most here.")


_CREATES: Final[dict[str, Field]] = {
    "expires_in": Integer(
        "Seconds for which the link is valid; a day, where the site allows it.", minimum=previews.MIN_SECONDS,
        null="keep", check=_check_seconds,
    ),
    "revision": Integer("Number of a revision, which alone the link is to show.", minimum=1, null="keep"),
    "autosave": Boolean("Whether unsaved texts are shown where they are newer.", default=True, null="keep"),
}  # fmt: skip


def build_routes(
    type: ContentType, require_edit: Callable[[Call], None], get_record: Callable[[Call], Record]
) -> tuple[Route, ...]:
    """Return the routes of the preview links of a type. require_edit: the permission of whoever edits the record."""

    def require_permission(call: Call) -> None:
        """Those who may change the record."""
        require_edit(call)

    def get_link(call: Call) -> PreviewLink:
        return previews.get_valid_link(call.work, get_record(call), call.args["uuid"])

    def list_links(call: Call) -> ListPage[PreviewLink]:
        return ListPage(previews.list_valid_links(call.work, get_record(call)))

    def create_link(call: Call) -> Result:
        """Make a link that shows one record, as those who edit it see it, to whoever has the link."""
        record, args = get_record(call), call.args
        most = call.work.site.profile.limits.preview_seconds
        link, token = previews.create_link(
            call.work, record, args.get("expires_in") or min(previews.DEFAULT_SECONDS, most),
            revision=args.get("revision") or 0, autosave=args["autosave"],
        )  # fmt: skip
        call.lookups[_IssuedLink] = _IssuedLink(token, type, record)
        result = links.build_result(call, link, status=201, context=EDIT)
        result.headers["Location"] = links.build_url(call, link)
        return result

    links: Resource[PreviewLink] = Resource(
        title="preview-link",
        path=f"{type.path}/{{id}}/preview-links",
        above=_PATH,
        item=r"{uuid:[\w\-]+}",
        key={**_PATH, "uuid": String("UUID of the link.", early=True, null="keep")},
        identify=lambda link: link.uuid,
        serializer=_SERIALIZER,
        find=get_link,
        context=None,
        force=None,
        written_context=VIEW,
        methods=("DELETE",),
        deleted="previous",
        load_view=lambda call, items: call,
        list=Operation(list_links, require_permission),
        create=Operation(create_link, require_permission, _CREATES, (NoSuchRevision, TooManyPreviewLinks)),
        delete=Operation(_withdraw_link, require_permission, errors=(PreviewLinkNotFound,)),
        batch=type.batch,
    )
    return links.build_routes()


def _withdraw_link(call: Call, link: PreviewLink) -> None:
    previews.withdraw_link(call.work, link)


def _get_issued(call: Call) -> _IssuedLink:
    issued: _IssuedLink = call.lookups[_IssuedLink]
    return issued


def _build_api_url(link: PreviewLink, call: Call) -> str:
    issued = _get_issued(call)
    return addresses.build_api_url(call.work, issued.type, issued.record, issued.token)


def _build_front_end_url(link: PreviewLink, call: Call) -> str | None:
    issued = _get_issued(call)
    return addresses.build_front_end_url(call.work, issued.type, issued.record, issued.token)


_SERIALIZER: Final = Serializer(
    _FIELDS,
    {
        **read_attributes("uuid", "revision", "autosave", author="account"),
        "created": lambda link, call: format_iso(link.created),
        "expires": lambda link, call: format_iso(link.until),
        "token": lambda link, call: _get_issued(call).token,
        "api": _build_api_url,
        "link": lambda link, call: addresses.build_page_url(
            call.work, _get_issued(call).record, _get_issued(call).token
        ),
        "front_end": _build_front_end_url,
    },
)

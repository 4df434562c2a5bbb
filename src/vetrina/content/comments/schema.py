"""Schema of comments: members, their getters, links, the arguments of the routes.

Not here: routes and permissions (content/comments/routes.py). Rules: docs/rules/comments.md, 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from vetrina.access.users.schema import AVATAR_SIZES, build_avatar_urls
from vetrina.content.comments import model as comment_model, permissions as comment_permissions
from vetrina.content.comments.listing import COMMENT_ORDERS
from vetrina.content.comments.model import NOTE, Comment
from vetrina.content.comments.rules import NOTE_STATUS
from vetrina.content.records import ancestry, model as record_model, permalinks
from vetrina.content.records.ancestry import RecordAncestor
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault
from vetrina.kernel.times import format_iso
from vetrina.rest import common_arguments
from vetrina.rest.fields import (
    ABSENT,
    EDIT,
    EMBED,
    VIEW,
    Array,
    Field,
    Integer,
    Object,
    String,
    ValidationContext,
)  # fmt: skip
from vetrina.rest.preconditions import build_state_word
from vetrina.rest.serializer import MemberGetter, Serializer, build_link, read_attributes

PATH = "/cms/v2/comments"

_ALL = (VIEW, EDIT, EMBED)
_FULL = (VIEW, EDIT)
_OWN = (EDIT,)


@dataclass(slots=True)
class CommentView:
    """What serializing the comments of one response needs besides them.

    posts: their records, by id; above: the ancestors of these. emails: of the accounts among their authors.
    answered: ids of those with replies. opened: whether the request has the password of their one record.
    addresses: URLs of the records, by id, once needed.
    """

    work: UnitOfWork
    posts: Mapping[int, Record]
    above: Mapping[int, list[RecordAncestor]]
    emails: Mapping[int, str]
    answered: set[int]
    opened: bool = False
    addresses: dict[int, str] = field(default_factory=dict)

    def get_record_url(self, post: int) -> str:
        """Return the URL of a record's page, with a slash at its end."""
        found = self.addresses.get(post)
        if found is None:
            of = self.posts[post]
            type = self.work.site.types.get(of.type)
            above = self.above.get(of.parent) if of.parent else []
            found = permalinks.build_permalink(self.work, type, of, above) if type else ""
            self.addresses[post] = found = found if found.endswith("/") else f"{found}/"
        return found


def compute_comment_state(comment: Comment, view: object) -> str:
    """Return the state of a comment, of a note or of a review: all that is stored but its rendering."""
    return build_state_word(comment.id, msgspec.structs.replace(comment, content_html=""))


def build_comment_view(work: UnitOfWork, comments: Sequence[Comment], opened: bool = False) -> CommentView:
    """Return the view of some comments; what they share is read at once."""
    posts = record_model.find_records(work.tx, list({one.post for one in comments}))
    for of in posts.values():
        work.uses_items(of.type, (of.id,))
    above = ancestry.load_ancestor_trails(work, [of.parent for of in posts.values()])
    authors = {one.author for one in comments if one.author}
    work.uses_items("user", authors)
    emails = comment_model.load_author_emails(work.tx, authors)
    return CommentView(
        work, posts, above, emails, comment_model.list_answered_ids(work.tx, [one.id for one in comments]), opened
    )


def build_comment_links(view: CommentView, of: Comment) -> dict[str, Any]:
    """Return the `_links` of a comment."""
    work, post = view.work, view.posts[of.post]
    api = work.root
    type = work.site.types.get(post.type)
    may = comment_permissions.list_comment_methods(work, of, post, view.opened)
    out: dict[str, Any] = {
        "self": [build_link(f"{api}{PATH}/{of.id}", targetHints={"allow": may})],
        "collection": [build_link(f"{api}{PATH}")],
    }
    if of.author:
        out["author"] = [build_link(f"{api}/cms/v2/users/{of.author}", embeddable=True)]
    if type is not None:
        out["up"] = [build_link(f"{api}{type.path}/{post.id}", embeddable=True, post_type=type.name)]
    if of.parent:
        out["in-reply-to"] = [build_link(f"{api}{PATH}/{of.parent}", embeddable=True)]
    if of.id in view.answered:
        query = f"parent={of.id}&type=note&status=all" if of.type == NOTE else f"parent={of.id}"
        out["children"] = [build_link(f"{api}{PATH}?{query}", embeddable=True)]
    return out


# -- members


def _check_object(value: Any, name: str, context: ValidationContext) -> Fault | None:
    return None if isinstance(value, (dict, list)) else Fault("", "Invalid parameter.")


_EMAIL = String(format="email")


def _check_empty_or_email(value: Any, name: str, context: ValidationContext) -> Fault | None:
    """Return the fault of a value that is no e-mail address; an empty one removes the address."""
    return None if value == "" else _EMAIL.fault(value, name)


_CONTENT = Object(
    "Text of the comment.",
    {
        "raw": String("Text as it is stored.", context=_OWN),
        "rendered": String("Text as it is shown, as HTML.", context=_ALL, readonly=True),
    },
    context=_ALL,
)
_AVATARS = {size: String(f"Address of the picture at {size} pixels.", format="uri", context=_ALL)
            for size in AVATAR_SIZES}  # fmt: skip

_FIELDS: dict[str, Field] = {
    "id": Integer("Number of the comment.", context=_ALL, readonly=True),
    "author": Integer("Number of the user who wrote it, 0 for a guest.", context=_ALL),
    "author_email": String("E-mail address of its author.", format="email", context=_OWN),
    "author_ip": String("Address of its author's machine.", format="ip", context=_OWN),
    "author_name": String("Name of its author.", context=_ALL),
    "author_url": String("Address of its author's home.", format="uri", context=_ALL),
    "author_user_agent": String("Program that sent it.", context=_OWN),
    "content": _CONTENT,
    "date": String("When it was written, in the site's time zone.", format="date-time", context=_ALL),
    "date_gmt": String("When it was written, in GMT.", format="date-time", context=_FULL),
    "link": String("Address of the comment on its record's page.", format="uri", context=_ALL, readonly=True),
    "parent": Integer("Number of the comment that it answers.", default=0, context=_ALL),
    "post": Integer("Number of the record that it is about.", default=0, context=_FULL),
    "status": String("State of the comment.", context=_FULL),
    "type": String("Type of the comment.", default="comment", context=_ALL, readonly=True),
    "author_avatar_urls": Object("Addresses of its author's picture.", _AVATARS, context=_ALL, readonly=True),
    "meta": Object("Extra fields.", {"_cms_note_status": NOTE_STATUS}, context=_FULL),
}

_GETTERS: dict[str, MemberGetter] = {
    **read_attributes(
        "id",
        "author",
        "author_email",
        "author_ip",
        "author_name",
        "author_url",
        "author_user_agent",
        "parent",
        "post",
        "status",
        "type",
    ),
    "content": lambda one, view: {"rendered": view.work.budget.take_cached_html(one.content_html), "raw": one.content},
    "date": lambda one, view: format_iso(one.date),
    "date_gmt": lambda one, view: format_iso(one.date_gmt),
    "link": lambda one, view: f"{view.get_record_url(one.post)}#comment-{one.id}",
    "author_avatar_urls": lambda one, view: build_avatar_urls(view.emails.get(one.author, one.author_email)),
    "meta": lambda one, view: {"_cms_note_status": one.meta.get("_cms_note_status")},
}

COMMENT_SERIALIZER = Serializer(_FIELDS, _GETTERS)


# -- arguments

PASSWORD: Final = String("Password of the record that the comment is about.", null="keep")


def build_write_arguments(creating: bool = False) -> dict[str, Field]:
    """Return the arguments of a write."""
    out: dict[str, Field] = {} if creating else {"id": Integer("Number of the comment.", early=True)}
    for name, one in _FIELDS.items():
        if one.readonly:
            continue
        one = one.replace(context=(), early=True, **({} if creating else {"default": ABSENT}))
        if name == "content":
            one = one.replace(lenient=True)
        elif name == "author_email":
            one = one.replace(early=False, check=_check_empty_or_email, alone=True)
        elif name == "meta":
            one = one.replace(check=_check_object, lenient=True)
        out[name] = one
    return out


def build_list_arguments() -> dict[str, Field]:
    """Return the arguments of the collection."""
    date: dict[str, Any] = {"format": "date-time", "null": "keep"}
    numbers = common_arguments.build_number_list
    by_author: dict[str, Any] = {"items": Integer(), "null": "keep"}
    return {
        "context": common_arguments.build_context_argument(),
        **common_arguments.build_paging_arguments(),
        "after": String("Only those written after this date.", **date),
        "author": Array("Only those of these users; for those who write.", **by_author),
        "author_exclude": Array("None of these users; for those who write.", **by_author),
        "author_email": String("Only those with this address; for those who write.", format="email", default=None,
                               null="keep"),
        "before": String("Only those written before this date.", **date),
        "exclude": numbers("None of these numbers."),
        "include": numbers("Only these numbers."),
        "offset": Integer("How many to pass over.", null="keep"),
        **common_arguments.build_ordering_arguments(COMMENT_ORDERS, default="date_gmt"),
        "parent": numbers("Only answers to these comments."),
        "parent_exclude": numbers("No answers to these comments."),
        "post": numbers("Only those of these records."),
        "status": String("Only those in this state; for those who write.", default="approve", early=True, null="keep"),
        "type": String("Only those of this type; for those who write.", default="comment", early=True, null="keep"),
        "password": String("Password of the record, where it has one.", null="keep"),
    }  # fmt: skip

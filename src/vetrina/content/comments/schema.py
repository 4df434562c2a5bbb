"""How a comment is shown and written: its members, their getters, its links, the arguments of reads and writes.

Not here: the routes and who may (content/comments/routes.py). Rules: facts, "Comments".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vetrina.access.users.schema import AVATAR_SIZES, avatar_urls
from vetrina.content.comments import model as comment_model
from vetrina.content.comments import rights as comment_rights
from vetrina.content.comments.listing import ORDERS
from vetrina.content.comments.model import NOTE, Comment
from vetrina.content.comments.rules import NOTE_STATUS
from vetrina.content.records import ancestry, permalinks
from vetrina.content.records import model as record_model
from vetrina.content.records.ancestry import Above
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import Fault
from vetrina.kernel.times import iso
from vetrina.rest import common_arguments
from vetrina.rest.fields import ABSENT, EDIT, EMBED, VIEW, Array, Asked, Boolean, Field, Integer, Object, String
from vetrina.rest.serializer import Getter, Shape, link

__all__ = ["PATH", "SHAPE", "View", "filters", "links", "members", "removal", "single", "view_of"]

PATH = "/cms/v2/comments"

_ALL = (VIEW, EDIT, EMBED)
_FULL = (VIEW, EDIT)
_OWN = (EDIT,)


@dataclass(slots=True)
class View:
    """What showing the comments of one answer needs to know beside them.

    posts: their records, by number; above: what stands above those. emails: of the accounts among their authors.
    answered: those that have answers. opened: whether the password that came is that of their one record.
    """

    work: Work
    posts: Mapping[int, Record]
    above: Mapping[int, list[Above]]
    emails: Mapping[int, str]
    answered: set[int]
    opened: bool = False
    addresses: dict[int, str] = field(default_factory=dict)

    def address(self, post: int) -> str:
        """Return the address of a record's page, with a stroke at its end."""
        found = self.addresses.get(post)
        if found is None:
            of = self.posts[post]
            type = self.work.frame.types.get(of.type)
            above = self.above.get(of.parent) if of.parent else []
            found = permalinks.link(self.work, type, of, above) if type else ""
            self.addresses[post] = found = found if found.endswith("/") else f"{found}/"
        return found


def view_of(work: Work, comments: Sequence[Comment], opened: bool = False) -> View:
    """Return the view of some comments; what they share is read at once."""
    posts = record_model.by_ids(work.tx, list({one.post for one in comments}))
    work.uses(*{of.type for of in posts.values()})
    above = ancestry.trails(work.tx, [of.parent for of in posts.values()])
    work.uses(*{one.type for trail in above.values() for one in trail})
    emails = comment_model.emails_of(work.tx, [one.author for one in comments])
    return View(work, posts, above, emails, comment_model.answered(work.tx, [one.id for one in comments]), opened)


def links(view: View, of: Comment) -> dict[str, Any]:
    """Return the `_links` of a comment."""
    work, post = view.work, view.posts[of.post]
    api = work.root
    type = work.frame.types.get(post.type)
    may = comment_rights.methods(work, of, post, view.opened)
    out: dict[str, Any] = {
        "self": [link(f"{api}{PATH}/{of.id}", targetHints={"allow": may})],
        "collection": [link(f"{api}{PATH}")],
    }
    if of.author:
        out["author"] = [link(f"{api}/cms/v2/users/{of.author}", embeddable=True)]
    if type is not None:
        out["up"] = [link(f"{api}{type.path}/{post.id}", embeddable=True, post_type=type.name)]
    if of.parent:
        out["in-reply-to"] = [link(f"{api}{PATH}/{of.parent}", embeddable=True)]
    if of.id in view.answered:
        query = f"parent={of.id}&type=note&status=all" if of.type == NOTE else f"parent={of.id}"
        out["children"] = [link(f"{api}{PATH}?{query}", embeddable=True)]
    return out


# -- members


def _object(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if isinstance(value, (dict, list)) else Fault("", "Invalid parameter.")


_EMAIL = String(format="email")


def _empty_or_email(value: Any, name: str, asked: Asked) -> Fault | None:
    """Return why a value is no e-mail address; none at all takes an address away."""
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

_GETTERS: dict[str, Getter] = {
    "id": lambda one, view: one.id,
    "author": lambda one, view: one.author,
    "author_email": lambda one, view: one.author_email,
    "author_ip": lambda one, view: one.author_ip,
    "author_name": lambda one, view: one.author_name,
    "author_url": lambda one, view: one.author_url,
    "author_user_agent": lambda one, view: one.author_user_agent,
    "content": lambda one, view: {"rendered": view.work.budget.answer(one.content_html), "raw": one.content},
    "date": lambda one, view: iso(one.date),
    "date_gmt": lambda one, view: iso(one.date_gmt),
    "link": lambda one, view: f"{view.address(one.post)}#comment-{one.id}",
    "parent": lambda one, view: one.parent,
    "post": lambda one, view: one.post,
    "status": lambda one, view: one.status,
    "type": lambda one, view: one.type,
    "author_avatar_urls": lambda one, view: avatar_urls(view.emails.get(one.author, one.author_email)),
    "meta": lambda one, view: {"_cms_note_status": one.meta.get("_cms_note_status")},
}

SHAPE = Shape(_FIELDS, _GETTERS)


# -- arguments

_PASSWORD = String("Password of the record that the comment is about.", null="keep")


def single() -> dict[str, Field]:
    """Return the arguments that read one comment."""
    return {"id": Integer("Number of the comment."), "context": common_arguments.context(), "password": _PASSWORD}


def removal() -> dict[str, Field]:
    """Return the arguments that remove a comment."""
    force = Boolean("Whether to remove for good instead of moving to the trash.", default=False)
    return {"id": Integer("Number of the comment."), "force": force, "password": _PASSWORD}


def members(creating: bool = False) -> dict[str, Field]:
    """Return the arguments of a write."""
    out: dict[str, Field] = {} if creating else {"id": Integer("Number of the comment.", early=True)}
    for name, one in _FIELDS.items():
        if one.readonly:
            continue
        one = one.but(context=(), early=True, **({} if creating else {"default": ABSENT}))
        if name == "content":
            one = one.but(lenient=True)
        elif name == "author_email":
            one = one.but(early=False, check=_empty_or_email, alone=True)
        elif name == "meta":
            one = one.but(check=_object, lenient=True)
        out[name] = one
    return out


def filters() -> dict[str, Field]:
    """Return the arguments of the collection."""
    date: dict[str, Any] = {"format": "date-time", "null": "keep"}
    numbers = common_arguments.numbers
    by_author: dict[str, Any] = {"items": Integer(), "null": "keep"}
    return {
        "context": common_arguments.context(),
        **common_arguments.paging(),
        "after": String("Only those written after this date.", **date),
        "author": Array("Only those of these users; for those who write.", **by_author),
        "author_exclude": Array("None of these users; for those who write.", **by_author),
        "author_email": String("Only those with this address; for those who write.", format="email", default=None,
                               null="keep"),
        "before": String("Only those written before this date.", **date),
        "exclude": numbers("None of these numbers."),
        "include": numbers("Only these numbers."),
        "offset": Integer("How many to pass over.", null="keep"),
        **common_arguments.ordering(ORDERS, default="date_gmt"),
        "parent": numbers("Only answers to these comments."),
        "parent_exclude": numbers("No answers to these comments."),
        "post": numbers("Only those of these records."),
        "status": String("Only those in this state; for those who write.", default="approve", early=True, null="keep"),
        "type": String("Only those of this type; for those who write.", default="comment", early=True, null="keep"),
        "password": String("Password of the record, where it has one.", null="keep"),
    }  # fmt: skip

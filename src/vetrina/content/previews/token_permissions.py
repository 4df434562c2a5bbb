"""What the token of a request shows: the record in its path, and what that embeds.

Only reads of one record, its revisions and its autosaves ask here; lists, searches and writes take no token.
Rules: docs/rules/previews.md, 3 and 4.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.previews import rules as previews
from vetrina.content.previews.addresses import PARAMETER
from vetrina.content.previews.model import Preview, PreviewHidden
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.core.call import Call
from vetrina.kernel.times import format_iso
from vetrina.rest.fields import Field, Integer, Object, String

_LOOKUP: Final = "preview"
_READS: Final = frozenset({"GET", "HEAD"})

# What an answer to a token has beside the members of the record.
PREVIEW_FIELD: Final = Object(
    "Which state a preview link shows; only in answers to one.",
    readonly=True,
    optional=True,
    properties={
        "state": String(
            "The record, its unsaved texts or one of its revisions.", enum=("record", "autosave", "revision")
        ),
        "revision": Integer("Number of the autosave or the revision, 0 for the record itself."),
        "expires": String("When the link ends, in GMT.", format="date-time"),
    },
)


def has_previews(type: ContentType) -> bool:
    """Return whether there are preview links of the records of a type: those with routes and pages of their own."""
    return type.room == "records" and type.public


def build_token_argument() -> dict[str, Field]:
    """Return the argument that brings a token, for reads."""
    help = "Token of a preview link, which shows the record as those who edit it see it."
    return {PARAMETER: String(help, null="keep", in_index=False)}


def find_preview(call: Call, type: ContentType, record: Record) -> Preview | None:
    """Return what the token of a read shows of a record, None without one.

    Raises InvalidPreviewToken, PreviewExpired, TooManyGuesses.
    """
    token = call.args.get(PARAMETER)
    if not token or call.request.method not in _READS:
        return None
    found: Preview | None = call.lookups.get(_LOOKUP)
    if found is None:
        call.work.forbid_storing()
        found = call.lookups[_LOOKUP] = previews.open_preview(call.work, type, record, token)
        opened = {("record", record.id), ("record", found.record.featured_media), ("user", found.record.author)}
        call.work.previewed |= {one for one in opened if one[1]}
    return found


def find_opened_preview(call: Call) -> Preview | None:
    """Return what the permission of a call found that its token shows, None for nothing."""
    found: Preview | None = call.lookups.get(_LOOKUP)
    return found


def require_shown_autosaves(preview: Preview) -> None:
    """Raise PreviewHidden where a link does not show the unsaved texts of its record."""
    if not preview.link.opens_revisions:
        raise PreviewHidden(what="the unsaved texts")


def require_shown_revision(preview: Preview, revision: int | None) -> None:
    """Raise PreviewHidden where a link does not show a revision; revision: None for all of them."""
    if not preview.link.opens_revisions and (revision is None or revision != preview.link.revision):
        raise PreviewHidden(what="other revisions" if revision is not None else "the list of revisions")


def serialize_preview(preview: Preview) -> dict[str, Any]:
    """Return what an answer says of the link that it was asked for with."""
    return {"state": preview.state, "revision": preview.revision, "expires": format_iso(preview.link.until)}

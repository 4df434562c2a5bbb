"""A preview link, and the state of a record that it shows."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from vetrina.content.records.model import Record
from vetrina.kernel.errors import ApiError, Failure

PreviewState = Literal["record", "autosave", "revision"]


class PreviewLink(msgspec.Struct, frozen=True):
    """A link that shows one record, without its token.

    account: id of who made it. created, until: seconds since 1970. revision: the one that it shows, 0 for the record as
    it is. autosave: whether it shows unsaved texts that are newer than the record.
    """

    uuid: str
    record: int
    account: int
    created: int
    until: int
    revision: int
    autosave: bool

    @property
    def opens_revisions(self) -> bool:
        """Return whether it shows every revision of its record; autosaves are among them."""
        return self.autosave and not self.revision


class Preview(NamedTuple):
    """What a link shows. record: in the state that it shows. revision: id of the revision or autosave, 0 for none."""

    record: Record
    state: PreviewState
    revision: int
    link: PreviewLink


class _PreviewRefusal(ApiError):
    """A link shows nothing."""

    def __init__(self, what: str = "") -> None:
        super().__init__(what=what)
        # A cache would go on refusing a link that shows something again, as when its maker is an editor again.
        self.headers["Cache-Control"] = "no-store"


class InvalidPreviewToken(_PreviewRefusal):
    """The token is wrong, or its link was withdrawn."""

    failure, code = Failure.FORBIDDEN, "rest_preview_invalid"
    message = (
        "This preview token shows nothing of this record: it is wrong, or its link was withdrawn. Ask for a new link."
    )


class PreviewExpired(_PreviewRefusal):
    """The link was valid for some time, which is over."""

    failure, code = Failure.FORBIDDEN, "rest_preview_expired"
    message = "This preview link has expired. Ask whoever sent it for a new one."


class PreviewHidden(_PreviewRefusal):
    """The link shows less of the record than is asked for."""

    failure, code = Failure.FORBIDDEN, "rest_preview_hidden"
    message = "This preview link does not show {what} of the record."


class PreviewLinkNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_preview_link_not_found"
    message = "This record has no preview link {uuid!r}."


class TooManyPreviewLinks(ApiError):
    """A record has as many valid links as it may have."""

    failure, code = Failure.CONFLICT, "rest_too_many_preview_links"
    message = "This record has {most} preview links. Withdraw one of them first."


class NoSuchRevision(ApiError):
    """A link is to show a revision that the record does not have."""

    failure, code = Failure.NOT_FOUND, "rest_preview_no_revision"
    message = "The record has no revision with the number {id}."

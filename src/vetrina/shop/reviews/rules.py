"""Reviews of products: comments of their own type, with a rating, and what they make of a product's rating.

Not here: comments as such (content/discussion). Rules: facts, "Reviews"; OVERRIDES 13: whatever moves a product's
rating moves it in the same transaction, a new review too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, func, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import comment as table
from vetrina.content.comments import model as comment_model
from vetrina.content.comments import rules as comments
from vetrina.content.comments.model import APPROVED, HOLD, SPAM, TRASH, Comment
from vetrina.content.text import sanitizing
from vetrina.content.text.output_filter import filter_rendering
from vetrina.content.text.paragraphs import with_paragraphs
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.customers import purchases
from vetrina.shop.products import model as product_model
from vetrina.shop.reviews import permission_rules

__all__ = [
    "REVIEW",
    "STATUSES",
    "AlreadyTrashed",
    "ContentInvalid",
    "RepeatedReview",
    "ReviewUnknown",
    "change",
    "count_approved",
    "create",
    "existing",
    "rating",
    "recount",
    "remove",
    "shown_text",
    "trash",
]  # fmt: skip

REVIEW: Final = "review"
VERIFIED: Final = "verified"
STATUSES: Final = ("approved", "hold", "spam", "unspam", "trash", "untrash")

_ADDRESS = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")
_STATES: Final = {"approved": APPROVED, "hold": HOLD, "spam": SPAM, "trash": TRASH}
_LONGEST_NAME: Final = 245  # letters
_LONGEST_TEXT: Final = 65525  # bytes


class ReviewUnknown(ApiError):
    status, code = 404, "shop_rest_review_invalid_id"
    message = "There is no review with the number {id}."


class ContentInvalid(ApiError):
    code = "shop_rest_review_content_invalid"
    message = "A review needs a text; send `review`."


class RepeatedReview(ApiError):
    """The same author said the same of the product before."""

    status, code = 409, "shop_rest_comment_duplicate"
    message = "This review is there already, as number {id}."


class AlreadyTrashed(ApiError):
    status, code = 410, "shop_rest_already_trashed"
    message = "This review is in the trash already; send force=true to remove it for good."


class TooLong(ApiError):
    code = "comment_content_column_length"
    message = "The review or the name of its author is too long."


_SAID_BEFORE = Statement(
    select(table.c.id).where(
        table.c.post == bindparam("post"),
        table.c.status != TRASH,
        table.c.author_name == bindparam("name"),
        table.c.email_key == bindparam("email"),
        table.c.content == bindparam("content"),
    )
)
_COUNTS = Statement(
    select(table.c.post, func.count())
    .where(Among(table.c.post, "posts"), table.c.type == REVIEW, table.c.status == APPROVED)
    .group_by(table.c.post)
)
_APPROVED_OF = Statement(
    select(table.c.meta).where(
        table.c.post == bindparam("post"), table.c.type == REVIEW, table.c.status == bindparam("status")
    )
)


def existing(work: Work, id: Any) -> Comment:
    """Return the review with a number. Raises ReviewUnknown."""
    work.uses("comment")
    found = comment_model.by_id(work.tx, id) if isinstance(id, int) and id > 0 else None
    if found is None or found.type != REVIEW:
        raise ReviewUnknown(id=id)
    return found


def rating(one: Comment) -> int:
    """Return how many stars a review gives, 0 for none."""
    return int(one.meta.get("rating", 0))


def count_approved(work: Work, products: Iterable[int]) -> dict[int, int]:
    """Return how many approved reviews some products have, with a rating or without; those without any are left out."""
    work.uses("comment")
    if not permission_rules.are_on(work):
        return {}
    return {row[0]: row[1] for row in work.tx.all(_COUNTS, posts=listed(products))}


def shown_text(text: str) -> str:
    """Return the text of a review as HTML."""
    return filter_rendering(text, with_paragraphs(text))


def create(work: Work, given: Mapping[str, Any], ip: str = "", agent: str = "") -> Comment:
    """Store a new review. Raises ProductUnknown, ContentInvalid, RepeatedReview, TooLong, and what its rules say."""
    of = product_model.existing(work, given.get("product_id"))
    if of.is_variation:
        raise product_model.ProductUnknown(id=of.id)
    text = _text(given.get("review"))
    email = _email(given.get("reviewer_email"))
    name = sanitizing.plain(given.get("reviewer") or "")
    _check_length(name, text)
    said = work.tx.value(_SAID_BEFORE, post=of.id, name=name, email=email.lower(), content=text)
    if said is not None:
        raise RepeatedReview(id=said)
    kept = {"rating": _stars(work, given.get("rating")), **_verified(work, of.id, 0, email)}
    permission_rules.check(work, of.record, email=email, bought=VERIFIED in kept, stars=kept["rating"])
    new = Comment(
        id=next_number(work.tx, "comment"), post=of.id, parent=0, author=0, author_name=name, author_email=email,
        author_url="", author_ip=ip, author_user_agent=sanitizing.plain(agent), date=work.local_now, date_gmt=work.now,
        content=text, content_html=shown_text(text), status=_STATES.get(given.get("status") or "", APPROVED),
        kept_status="", shelved_status="", type=REVIEW,
        meta=kept,
    )  # fmt: skip
    comment_model.insert_new(work.tx, new)
    work.note("comment", new.id, "created")
    if new.status == APPROVED:
        recount(work, new.post)
    return new


def change(work: Work, old: Comment, given: Mapping[str, Any]) -> Comment:
    """Store the given members of a review and return its new state. Raises what create raises."""
    members: dict[str, Any] = {}
    if given.get("product_id"):
        of = product_model.existing(work, given["product_id"])
        if of.is_variation:
            raise product_model.ProductUnknown(id=of.id)
        members["post"] = of.id
    if given.get("review") is not None:
        members["content"] = _text(given["review"])
        members["content_html"] = shown_text(members["content"])
    if given.get("reviewer") is not None:
        members["author_name"] = sanitizing.plain(given["reviewer"])
    if given.get("reviewer_email") is not None:
        members["author_email"] = _email(given["reviewer_email"])
    if given.get("rating") is not None:
        members["meta"] = {**old.meta, "rating": _stars(work, given["rating"])}
    new = msgspec.structs.replace(old, **members)
    if (new.post, new.author_email) != (old.post, old.author_email):
        told = {name: value for name, value in new.meta.items() if name != VERIFIED}
        told |= _verified(work, new.post, new.author, new.author_email)
        new = msgspec.structs.replace(new, meta=told)
    _check_length(new.author_name, new.content)
    _check_rules(work, old, new)
    if given.get("status"):
        new = _moderated(new, given["status"])
    if comment_model.store(work.tx, old, new):
        work.note("comment", new.id, "changed")
    if (new.status, new.post, rating(new)) != (old.status, old.post, rating(old)):
        recount(work, new.post)
    if new.post != old.post:
        recount(work, old.post)
    return new


def _check_rules(work: Work, old: Comment, new: Comment) -> None:
    """Check what a change moves: a review that stays where it is and whose it is may stay what it is."""
    stars = rating(new)
    if (new.post, new.author_email) == (old.post, old.author_email):
        if rating(old) and not stars:
            permission_rules.check_stars(work, stars)
        return
    of = product_model.existing(work, new.post)
    permission_rules.check(work, of.record, email=new.author_email, bought=bool(new.meta.get(VERIFIED)), stars=stars)


def _stars(work: Work, given: Any) -> int:
    """Return the stars that a review gives; none where the shop has no stars."""
    return abs(given or 0) if permission_rules.rates(work) else 0


def _verified(work: Work, of: int, author: int, email: str) -> dict[str, bool]:
    """Return what is kept of a review whose author bought the product: it stays true, whatever becomes of the order."""
    return {VERIFIED: True} if purchases.bought(work, of, customer=author, email=email) else {}


def _moderated(old: Comment, word: str) -> Comment:
    if word in ("unspam", "untrash"):
        return msgspec.structs.replace(old, status=old.kept_status or HOLD, kept_status="")
    status = _STATES[word]
    if status in (SPAM, TRASH) and status != old.status:
        return msgspec.structs.replace(old, status=status, kept_status=old.status)
    return msgspec.structs.replace(old, status=status)


def trash(work: Work, old: Comment) -> Comment:
    """Move a review to the trash. Raises AlreadyTrashed."""
    if old.status == TRASH:
        raise AlreadyTrashed
    return change(work, old, {"status": "trash"})


def remove(work: Work, old: Comment) -> None:
    """Remove a review for good."""
    comments.remove(work, old)
    recount(work, old.post)


def recount(work: Work, id: int) -> bool:
    """Count the rating of a product anew and return whether it was another; reviews without a rating do not count."""
    of = product_model.by_id(work, id)
    if of is None:
        return False
    rows = work.tx.all(_APPROVED_OF, post=id, status=APPROVED)
    stars = [value for row in rows if (value := int(msgspec.json.decode(row[0]).get("rating", 0)))]
    average = (sum(stars) * 200 + len(stars)) // (2 * len(stars)) if stars else 0
    new = msgspec.structs.replace(of, rating=average, rating_count=len(stars))
    if not product_model.store(work, of, new):
        return False
    product_model.touch(work, new)
    return True


def _text(value: Any) -> str:
    text = sanitizing.comment(value or "").strip()
    if not text:
        raise ContentInvalid
    return text


def _email(value: Any) -> str:
    """Return an e-mail address, empty for what is none."""
    text = (value or "").strip()
    return text if _ADDRESS.fullmatch(text) else ""


def _check_length(name: str, text: str) -> None:
    if len(name) > _LONGEST_NAME or len(text.encode("utf-8", "surrogatepass")) > _LONGEST_TEXT:
        raise TooLong

"""Reviews of products: comments of their own type, with a rating; what is stored, and which ones are refused.

The shop's own staff enter reviews through the same routes, so the same rules apply to them. Not here: comments
themselves (content/comments/rules.py), the rating of a product (shop/reviews/ratings.py), what the settings say of
reviews (shop/reviews/review_settings.py). Rules: docs/rules/product_groups.md, 4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.comments import comment as table
from vetrina.content.comments import model as comment_model, moderation, rules as comments
from vetrina.content.comments.model import APPROVED, HOLD, SPAM, TRASH, Comment
from vetrina.content.records.model import Record
from vetrina.content.text import sanitizing
from vetrina.content.text.output_filter import filter_rendering
from vetrina.content.text.paragraphs import add_paragraphs
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.customers import purchases
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.reviews import ratings, review_settings
from vetrina.shop.reviews.ratings import REVIEW
from vetrina.shop.settings import rules as settings

VERIFIED: Final = "verified"
STATUSES: Final = ("approved", "hold", "spam", "unspam", "trash", "untrash")

_RATING_REQUIRED_OPTION: Final = "shop_review_rating_required"
_EMAIL_PATTERN = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")
_STATUS_BY_NAME: Final = {"approved": APPROVED, "hold": HOLD, "spam": SPAM, "trash": TRASH}
_MAX_NAME_LENGTH: Final = 245  # characters
_MAX_TEXT_BYTES: Final = 65525  # bytes


class ReviewNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_review_invalid_id"
    message = "There is no review with the number {id}."


class ReviewContentInvalid(ApiError):
    code = "shop_rest_review_content_invalid"
    message = "A review needs a text; send `review`."


class DuplicateReview(ApiError):
    """The same author wrote the same review of the product before."""

    failure, code = Failure.CONFLICT, "shop_rest_comment_duplicate"
    message = "This review is there already, as number {id}."


class ReviewAlreadyTrashed(ApiError):
    failure, code = Failure.GONE, "shop_rest_already_trashed"
    message = "This review is in the trash already; send force=true to remove it for good."


class ReviewsClosed(ApiError):
    """The shop accepts no reviews, or none of this product."""

    failure, code = Failure.FORBIDDEN, "shop_rest_reviews_closed"
    message = "The product {id} (`product_id`) takes no reviews: {why}."


class ProductNotBought(ApiError):
    """Only customers who bought the product may review it."""

    failure, code = Failure.FORBIDDEN, "shop_rest_review_verification_required"
    message = (
        "Nobody with the address {email!r} (`reviewer_email`) bought the product {id}, and here only those who bought "
        "one may review it."
    )


class ReviewRatingMissing(ApiError):
    code = "shop_rest_review_rating_required"
    message = "A review needs stars here; send `rating`, from 1 to 5."


class ReviewTooLong(ApiError):
    code = "comment_content_column_length"
    message = "The review or the name of its author is too long."


_DUPLICATE_REVIEW = Statement(
    select(table.c.id).where(
        table.c.post == bindparam("post"),
        table.c.status != TRASH,
        table.c.author_name == bindparam("name"),
        table.c.email_key == bindparam("email"),
        table.c.content == bindparam("content"),
    )
)


def get_review(work: UnitOfWork, id: Any) -> Comment:
    """Return the review with an id. Raises ReviewNotFound."""
    work.uses("comment")
    found = comment_model.STORE.find(work.tx, id) if isinstance(id, int) else None
    if found is None or found.type != REVIEW:
        raise ReviewNotFound(id=id)
    return found


def render_review_text(text: str) -> str:
    """Return the text of a review as HTML."""
    return filter_rendering(text, add_paragraphs(text))


def create_review(work: UnitOfWork, given: Mapping[str, Any], ip: str = "", agent: str = "") -> Comment:
    """Store a new review.

    Raises ProductNotFound, ReviewContentInvalid, DuplicateReview, ReviewTooLong, ReviewsClosed, ProductNotBought,
    ReviewRatingMissing.
    """
    of = product_model.get_product(work, given.get("product_id"))
    if of.is_variation:
        raise product_model.ProductNotFound(id=of.id)
    new = _build_review(work, of, given, ip, agent)
    return _store_review(
        work, msgspec.structs.replace(new, status=_STATUS_BY_NAME.get(given.get("status") or "", APPROVED))
    )


def create_visitor_review(
    work: UnitOfWork, of: Product, author: User, given: Mapping[str, Any], ip: str = "", agent: str = ""
) -> Comment:
    """Store a review as its author sent it from a page of the shop; it waits where the comments' rules say so.

    author: nobody for a guest. Raises what `create_review` raises, CommentDuplicate and CommentFlood.
    """
    new = _build_review(work, of, given, ip, agent, author.id)
    moderation.refuse_repeats(work, new)
    return _store_review(
        work, msgspec.structs.replace(new, status=moderation.decide_comment_status(work, of.record, new))
    )


def is_email(text: str) -> bool:
    """Return whether a text is an e-mail address that a review may have."""
    return bool(_parse_email(text))


def _build_review(
    work: UnitOfWork, of: Product, given: Mapping[str, Any], ip: str, agent: str, author: int = 0
) -> Comment:
    """Return a review that the shop takes, without an id. author: its account, 0 for none."""
    text = _parse_review_text(given.get("review"))
    email = _parse_email(given.get("reviewer_email"))
    name = sanitizing.sanitize_plain_text(given.get("reviewer") or "")
    _check_review_length(name, text)
    duplicate = work.tx.value(_DUPLICATE_REVIEW, post=of.id, name=name, email=email.lower(), content=text)
    if duplicate is not None:
        raise DuplicateReview(id=duplicate)
    kept = {"rating": _parse_stars(work, given.get("rating")), **_build_verified_meta(work, of.id, author, email)}
    _check_review(work, of.record, email=email, bought=VERIFIED in kept, stars=kept["rating"])
    return Comment(
        id=0,
        post=of.id,
        parent=0,
        author=author,
        author_name=name,
        author_email=email,
        author_url="",
        author_ip=ip,
        author_user_agent=sanitizing.sanitize_plain_text(agent),
        date=work.local_now,
        date_gmt=work.now,
        content=text,
        content_html=render_review_text(text),
        status=APPROVED,
        kept_status="",
        shelved_status="",
        type=REVIEW,
        meta=kept,
    )


def _store_review(work: UnitOfWork, review: Comment) -> Comment:
    new = msgspec.structs.replace(review, id=allocate_id(work.tx, "comment"))
    comment_model.STORE.insert(work.tx, new)
    work.note("comment", new.id, "created")
    if new.status == APPROVED:
        ratings.update_product_rating(work, new.post)
    return new


def update_review(work: UnitOfWork, old: Comment, given: Mapping[str, Any]) -> Comment:
    """Store the given members of a review and return its new state. Raises the errors of creation."""
    members: dict[str, Any] = {}
    if given.get("product_id"):
        of = product_model.get_product(work, given["product_id"])
        if of.is_variation:
            raise product_model.ProductNotFound(id=of.id)
        members["post"] = of.id
    if given.get("review") is not None:
        members["content"] = _parse_review_text(given["review"])
        members["content_html"] = render_review_text(members["content"])
    if given.get("reviewer") is not None:
        members["author_name"] = sanitizing.sanitize_plain_text(given["reviewer"])
    if given.get("reviewer_email") is not None:
        members["author_email"] = _parse_email(given["reviewer_email"])
    if given.get("rating") is not None:
        members["meta"] = {**old.meta, "rating": _parse_stars(work, given["rating"])}
    new = msgspec.structs.replace(old, **members)
    if (new.post, new.author_email) != (old.post, old.author_email):
        meta = {name: value for name, value in new.meta.items() if name != VERIFIED}
        meta |= _build_verified_meta(work, new.post, new.author, new.author_email)
        new = msgspec.structs.replace(new, meta=meta)
    _check_review_length(new.author_name, new.content)
    _check_changed_review(work, old, new)
    if given.get("status"):
        new = _apply_moderation(new, given["status"])
    if comment_model.STORE.update(work.tx, old, new):
        work.note("comment", new.id, "changed")
    if (new.status, new.post, ratings.get_review_rating(new)) != (old.status, old.post, ratings.get_review_rating(old)):
        ratings.update_product_rating(work, new.post)
    if new.post != old.post:
        ratings.update_product_rating(work, old.post)
    return new


def _check_changed_review(work: UnitOfWork, old: Comment, new: Comment) -> None:
    """Check the changes of a review: one that keeps its product and author may stay as it is."""
    stars = ratings.get_review_rating(new)
    if (new.post, new.author_email) == (old.post, old.author_email):
        if ratings.get_review_rating(old) and not stars:
            _require_review_stars(work, stars)
        return
    of = product_model.get_product(work, new.post)
    _check_review(work, of.record, email=new.author_email, bought=bool(new.meta.get(VERIFIED)), stars=stars)


def _check_review(work: UnitOfWork, record: Record, *, email: str, bought: bool, stars: int) -> None:
    """Check a review before it is stored. bought: whether its author bought the product; stars: 0 for none.

    Raises ReviewsClosed, ProductNotBought, ReviewRatingMissing.
    """
    if not review_settings.is_reviewing_enabled(work):
        raise ReviewsClosed(id=record.id, why="the shop has none (`shop_enable_reviews`)")
    if record.comment_status != "open":
        raise ReviewsClosed(id=record.id, why="its `reviews_allowed` is false")
    if settings.is_setting_on(work, "shop_review_rating_verification_required") and not bought:
        raise ProductNotBought(id=record.id, email=email)
    _require_review_stars(work, stars)


def _require_review_stars(work: UnitOfWork, stars: int) -> None:
    """Raise ReviewRatingMissing where a review needs a rating and has none."""
    # The initial setting requires ratings in forms only; one stored by the owner applies to everybody.
    if (
        not stars
        and review_settings.is_rating_enabled(work)
        and work.stored_option(_RATING_REQUIRED_OPTION) in ("yes", True, "1")
    ):
        raise ReviewRatingMissing


def _parse_stars(work: UnitOfWork, given: Any) -> int:
    """Return the rating of a review in stars; 0 where the shop has ratings disabled."""
    return abs(given or 0) if review_settings.is_rating_enabled(work) else 0


def _build_verified_meta(work: UnitOfWork, product_id: int, author: int, email: str) -> dict[str, bool]:
    """Return the meta of a review by a verified buyer: it stays true, whatever happens to the order."""
    return {VERIFIED: True} if purchases.has_bought_product(work, product_id, customer=author, email=email) else {}


def _apply_moderation(old: Comment, word: str) -> Comment:
    if word in ("unspam", "untrash"):
        return msgspec.structs.replace(old, status=old.kept_status or HOLD, kept_status="")
    status = _STATUS_BY_NAME[word]
    if status in (SPAM, TRASH) and status != old.status:
        return msgspec.structs.replace(old, status=status, kept_status=old.status)
    return msgspec.structs.replace(old, status=status)


def trash_review(work: UnitOfWork, old: Comment) -> Comment:
    """Move a review to the trash. Raises ReviewAlreadyTrashed."""
    if old.status == TRASH:
        raise ReviewAlreadyTrashed
    return update_review(work, old, {"status": "trash"})


def delete_review(work: UnitOfWork, old: Comment) -> None:
    """Delete a review for good."""
    comments.delete_comment(work, old)
    ratings.update_product_rating(work, old.post)


def _parse_review_text(value: Any) -> str:
    text = sanitizing.sanitize_comment(value or "").strip()
    if not text:
        raise ReviewContentInvalid
    return text


def _parse_email(value: Any) -> str:
    """Return an e-mail address, empty for an invalid one."""
    text = (value or "").strip()
    return text if _EMAIL_PATTERN.fullmatch(text) else ""


def _check_review_length(name: str, text: str) -> None:
    if len(name) > _MAX_NAME_LENGTH or len(text.encode("utf-8", "surrogatepass")) > _MAX_TEXT_BYTES:
        raise ReviewTooLong

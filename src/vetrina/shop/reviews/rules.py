"""Reviews of products: comments of their own type, with a rating, and their effect on the product's rating.

Not here: comments themselves (content/comments/rules.py). Rules: docs/rules/product_groups.md, 4 and 5: whatever
changes a product's rating updates it in the same transaction, a new review too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, func, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.comments import comment as table
from vetrina.content.comments import model as comment_model, moderation, rules as comments
from vetrina.content.comments.model import APPROVED, HOLD, SPAM, TRASH, Comment
from vetrina.content.text import sanitizing
from vetrina.content.text.output_filter import filter_rendering
from vetrina.content.text.paragraphs import add_paragraphs
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.customers import purchases
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.reviews import eligibility

REVIEW: Final = "review"
VERIFIED: Final = "verified"
STATUSES: Final = ("approved", "hold", "spam", "unspam", "trash", "untrash")

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
_APPROVED_COUNTS = Statement(
    select(table.c.post, func.count())
    .where(InList(table.c.post, "posts"), table.c.type == REVIEW, table.c.status == APPROVED)
    .group_by(table.c.post)
)
_APPROVED_META_BY_PRODUCT = Statement(
    select(table.c.meta).where(
        table.c.post == bindparam("post"), table.c.type == REVIEW, table.c.status == bindparam("status")
    )
)


def get_review(work: UnitOfWork, id: Any) -> Comment:
    """Return the review with an id. Raises ReviewNotFound."""
    work.uses("comment")
    found = comment_model.STORE.find(work.tx, id) if isinstance(id, int) else None
    if found is None or found.type != REVIEW:
        raise ReviewNotFound(id=id)
    return found


def get_review_rating(one: Comment) -> int:
    """Return the rating of a review in stars, 0 for none."""
    return int(one.meta.get("rating", 0))


def count_approved_reviews(work: UnitOfWork, products: Iterable[int]) -> dict[int, int]:
    """Return the number of approved reviews of some products, rated or not; products without any are left out."""
    work.uses("comment")
    if not eligibility.is_reviewing_enabled(work):
        return {}
    return {row[0]: row[1] for row in work.tx.all(_APPROVED_COUNTS, posts=encode_list(products))}


def render_review_text(text: str) -> str:
    """Return the text of a review as HTML."""
    return filter_rendering(text, add_paragraphs(text))


def create_review(work: UnitOfWork, given: Mapping[str, Any], ip: str = "", agent: str = "") -> Comment:
    """Store a new review.

    Raises ProductNotFound, ReviewContentInvalid, DuplicateReview, ReviewTooLong, and the errors of `check_review`.
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
    eligibility.check_review(work, of.record, email=email, bought=VERIFIED in kept, stars=kept["rating"])
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
        update_product_rating(work, new.post)
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
    if (new.status, new.post, get_review_rating(new)) != (old.status, old.post, get_review_rating(old)):
        update_product_rating(work, new.post)
    if new.post != old.post:
        update_product_rating(work, old.post)
    return new


def _check_changed_review(work: UnitOfWork, old: Comment, new: Comment) -> None:
    """Check the changes of a review: one that keeps its product and author may stay as it is."""
    stars = get_review_rating(new)
    if (new.post, new.author_email) == (old.post, old.author_email):
        if get_review_rating(old) and not stars:
            eligibility.require_review_stars(work, stars)
        return
    of = product_model.get_product(work, new.post)
    eligibility.check_review(work, of.record, email=new.author_email, bought=bool(new.meta.get(VERIFIED)), stars=stars)


def _parse_stars(work: UnitOfWork, given: Any) -> int:
    """Return the rating of a review in stars; 0 where the shop has ratings disabled."""
    return abs(given or 0) if eligibility.is_rating_enabled(work) else 0


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
    update_product_rating(work, old.post)


def update_product_rating(work: UnitOfWork, id: int, *, touch: bool = True) -> bool:
    """Recompute the rating of a product and return whether it changed; reviews without a rating do not count.

    touch: whether that is a modification of the product.
    """
    of = product_model.find_product(work, id)
    if of is None:
        return False
    rows = work.tx.all(_APPROVED_META_BY_PRODUCT, post=id, status=APPROVED)
    stars = [value for row in rows if (value := int(msgspec.json.decode(row[0]).get("rating", 0)))]
    average = (sum(stars) * 200 + len(stars)) // (2 * len(stars)) if stars else 0
    new = msgspec.structs.replace(of, rating=average, rating_count=len(stars))
    if not product_model.update_product_row(work, of, new):
        return False
    if touch:
        product_model.touch_products(work, new)
    return True


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

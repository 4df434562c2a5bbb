"""Comments of products that are reviews, as records of a shop."""

from __future__ import annotations

from typing import Any, Final

from vetrina.transfer.records import Record

from .product_terms import PRODUCT, REVIEWS

RATING: Final = "rating"  # the extra field with the stars
_VERIFIED: Final = "verified"
_RENAMED: Final = {
    "post": "product_id", "author_name": "reviewer", "author_email": "reviewer_email", "date": "date_created",
    "date_gmt": "date_created_gmt", "status": "status",
}  # fmt: skip


def is_review(post_type: str, type: str, is_rated: bool) -> bool:
    """Return whether a comment is a review. type: of the comment; those of old shops are told by their stars."""
    return post_type == PRODUCT and (type == "review" or (is_rated and type in ("", "comment")))


def is_review_record(post_type: str, comment: Record) -> bool:
    """Return whether the record of a comment is that of a review. post_type: of what it belongs to."""
    return is_review(post_type, str(comment.values["type"]), RATING in comment.values["meta"])


def build_review(comment: Record) -> Record:
    """Return the record of a review from that of a comment."""
    values: dict[str, Any] = {member: comment.values[name] for name, member in _RENAMED.items()}
    meta = dict(comment.values["meta"])
    values |= {
        "review": comment.values["content"]["raw"], "rating": meta.pop(RATING, 0),
        "verified": str(meta.pop(_VERIFIED, "")) == "1", "meta": meta,
    }  # fmt: skip
    return Record(REVIEWS, comment.id, values)

"""Reviews of products, with their stars, states and authors' data as they were; the products' ratings follow."""

from __future__ import annotations

from typing import Any

import msgspec

from vetrina.backends.id_sequences import claim_id
from vetrina.content.comments import model as comment_model
from vetrina.content.comments.model import APPROVED, Comment
from vetrina.content.text import sanitizing
from vetrina.shop.products import model as product_model
from vetrina.shop.reviews import ratings, rules as reviews
from vetrina.shop.reviews.ratings import REVIEW
from vetrina.shop.reviews.rules import VERIFIED
from vetrina.transfer.target.addresses import rewrite_addresses
from vetrina.transfer.target.comments import choose_comment_id, choose_comment_status
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped
from vetrina.transfer.target.journal import COMMENT, RECORD
from vetrina.transfer.target.member_values import read_flag, read_number
from vetrina.transfer.target.outcome import Written


def write_review(one: IncomingRecord) -> Written:
    """Write a review. Raises ReferenceMissing, RecordSkipped."""
    work = one.work
    of = product_model.find_product(work, one.require(RECORD, one.values.get("product_id"), "product"))
    if of is None or of.is_variation:
        raise RecordSkipped("its product is not here any more")
    # It may have come among the comments.
    id = one.target or one.journal.find_target(work.tx, COMMENT, str(one.record.id))
    old = comment_model.STORE.find(work.tx, id) if id else None
    text = sanitizing.sanitize_comment(rewrite_addresses(one, one.get_text("review"))).strip()
    date, date_gmt = one.read_dates("date_created") or ((old.date, old.date_gmt) if old else (work.local_now, work.now))
    meta: dict[str, Any] = {"rating": max(0, read_number(one.values.get("rating")))}
    if read_flag(one.values.get("verified")):
        meta[VERIFIED] = True
    new = Comment(
        id=old.id if old else choose_comment_id(one), post=of.id, parent=0, author=old.author if old else 0,
        author_name=sanitizing.sanitize_plain_text(one.get_text("reviewer")),
        author_email=one.get_text("reviewer_email"), author_url="", author_ip=old.author_ip if old else "",
        author_user_agent=old.author_user_agent if old else "", date=date, date_gmt=date_gmt, content=text,
        content_html=reviews.render_review_text(text), type=REVIEW, meta=meta,
        **choose_comment_status(one, of.record.status == "trash"),
    )  # fmt: skip
    if old is None:
        new = msgspec.structs.replace(new, id=claim_id(work.tx, new.id, "comment"))
        comment_model.STORE.insert(work.tx, new)
        work.note("comment", new.id, "created")
    elif comment_model.STORE.update(work.tx, old, new):
        work.note("comment", new.id, "changed")
    for product in {of.id, old.post if old else of.id}:
        if APPROVED in (new.status, old.status if old else ""):
            ratings.update_product_rating(work, product, touch=False)
    return Written(new.id)

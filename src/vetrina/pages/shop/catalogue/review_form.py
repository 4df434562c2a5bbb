"""The form with which a visitor reviews a product, and what is done with it.

It stands on pages that are kept for all visitors, so it proves itself by where it comes from; a field that people do
not see catches programs. What a review needs: shop/reviews/rules.py. Rules: docs/rules/catalogue_pages.md, 5.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.blocks.block_context import BlockContext
from vetrina.content.comments.model import APPROVED
from vetrina.content.comments.moderation import CommentDuplicate, CommentFlood
from vetrina.content.records import permalinks, visibility
from vetrina.core.phrases import Phrases
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError
from vetrina.pages.forms import (
    PageForm,
    RefusedForm,
    SubmittedForm,
    get_fault,
    get_sent,
    redirect_with_notice,
    render_form,
    render_hidden,
    render_input,
    render_refusal,
    render_textarea,
    render_trap,
)
from vetrina.pages.markup import Html, render_button, render_element, render_link
from vetrina.pages.page_request import PageRequest
from vetrina.rest.call import Response
from vetrina.rest.coercion import coerce_integer
from vetrina.shop.blocks.shown_product_views import find_shown_product
from vetrina.shop.products import model as product_model, product_types
from vetrina.shop.products.model import Product
from vetrina.shop.reviews import review_settings, rules as reviews
from vetrina.shop.reviews.rules import DuplicateReview, ProductNotBought, ReviewsClosed
from vetrina.shop.settings import rules as settings

_PHRASES: Final = Phrases("vetrina.pages.shop.catalogue")
FORM: Final = "product-review"
_TRAP: Final = "website"  # a field that people do not see
_REGISTRATION: Final = "comment_registration"  # the option that only lets accounts write
_HELD, _SHOWN = "review-held", "review-shown"


def render_review_form(page: PageRequest, place: BlockContext) -> str:
    """Return the form of a review; what to do first, where the visitor may not write one."""
    shown, work, language = find_shown_product(place), page.work, page.language
    if shown is None or shown.product.record.comment_status != "open":
        return ""
    if not review_settings.is_reviewing_enabled(work):
        return ""
    if work.stored_option(_REGISTRATION) and page.session is None:
        link = render_link(f"{work.origin}/admin/sign-in", _PHRASES.translate(language, "Sign in to write a review."))
        return render_element("p", link, class_="shop-review-note")
    title = _PHRASES.translate(language, "Write a review")
    fields: list[str] = [render_refusal(page, FORM), render_hidden("product", shown.id)]
    if settings.is_setting_on(work, "shop_review_rating_verification_required"):
        note = _PHRASES.translate(language, "Only those who bought this product may review it, with the same address.")
        fields.append(render_element("p", note))
    if review_settings.is_rating_enabled(work):
        fields.append(_render_stars(page))
    fields.append(render_textarea(page, FORM, "review", _PHRASES.translate(language, "Your review"), rows=6,
                                  required=True, maxlength=20_000))  # fmt: skip
    if page.session is None:
        fields += [
            render_input(page, FORM, "author", _PHRASES.translate(language, "Name"), required=True,
                         autocomplete="name", maxlength=245),
            render_input(page, FORM, "email", _PHRASES.translate(language, "E-mail"), type="email", required=True,
                         autocomplete="email", maxlength=100,
                         hint=_PHRASES.translate(language, "It is not published.")),
        ]  # fmt: skip
    fields += [
        render_trap(page, FORM, _TRAP),
        render_button(_PHRASES.translate(language, "Send the review"), class_="wp-element-button"),
    ]
    return render_element(
        "div", render_element("h3", title, id="write-a-review"),
        render_form(page, FORM, *fields, kept=True, aria_labelledby="write-a-review", class_="shop-review-form"),
        class_="wp-block-shop-product-review-form",
    )  # fmt: skip


def _render_stars(page: PageRequest) -> Html:
    """Return the choice of stars, as buttons of which one is chosen."""
    language, chosen = page.language, get_sent(page, FORM, "rating")
    required, fault = _needs_stars(page.work), get_fault(page, FORM, "rating")
    choices = []
    for stars in range(1, 6):
        text = (
            _PHRASES.translate(language, "1 star")
            if stars == 1
            else _PHRASES.translate(language, "{count} stars", count=stars)
        )
        box = render_element(
            "input", type="radio", name="rating", value=stars, required=required, checked=chosen == str(stars)
        )
        choices.append(render_element("label", box, " ", text))
    return render_element(
        "fieldset", render_element("legend", _PHRASES.translate(language, "Your rating")), *choices,
        render_element("p", fault, class_="form-error") if fault else "", class_="shop-review-stars",
    )  # fmt: skip


def _needs_stars(work: UnitOfWork) -> bool:
    return review_settings.is_rating_enabled(work) and settings.is_setting_on(work, "shop_review_rating_required")


# -- what is sent


def handle_review(sent: SubmittedForm) -> Response | RefusedForm:
    """Store a review as the comments' rules say, and lead back to the product."""
    with sent.context.open_work(sent.request, sent.user, False) as work:
        work.language = sent.language
        product = _find_product(work, sent)
        if product is None:
            return RefusedForm(FORM, _PHRASES.translate(sent.language, "There is no such product."), status=404)
        address = permalinks.build_permalink(work, product_types.PRODUCT, product.record, ())
        if sent.get(_TRAP):
            # Who fills it in learns nothing.
            return redirect_with_notice(f"{address}#reviews", _HELD)
        if work.stored_option(_REGISTRATION) and not sent.user:
            return RefusedForm(FORM, _PHRASES.translate(sent.language, "Sign in to write a review."), status=401)
        faults = _find_faults(work, sent)
        if faults:
            message = _PHRASES.translate(sent.language, "Something is missing; see below.")
            return RefusedForm(FORM, message, faults=faults)
        try:
            review = reviews.create_visitor_review(
                work, product, sent.user, _build_members(sent), sent.request.remote or "",
                sent.request.headers.get("user-agent", ""),
            )  # fmt: skip
        except ApiError as error:
            return RefusedForm(FORM, _explain_refusal(sent.language, error), status=_find_status(error))
    notice = _SHOWN if review.status == APPROVED else _HELD
    return redirect_with_notice(f"{address}#reviews", notice)


def _find_product(work: UnitOfWork, sent: SubmittedForm) -> Product | None:
    id = coerce_integer(sent.get("product")) or 0
    found = product_model.find_product(work, id)
    if found is None or found.is_variation or found.record.password:
        return None
    return found if visibility.may_view_record(work, product_types.PRODUCT, found.record) else None


def _find_faults(work: UnitOfWork, sent: SubmittedForm) -> dict[str, str]:
    """Return what is wrong with the fields of a review."""
    language, faults = sent.language, {}
    if not sent.get("review"):
        faults["review"] = _PHRASES.translate(language, "Write what you think of the product.")
    stars = coerce_integer(sent.get("rating")) or 0
    if sent.get("rating") and not 1 <= stars <= 5:
        faults["rating"] = _PHRASES.translate(language, "Choose from 1 to 5 stars.")
    elif not stars and _needs_stars(work):
        faults["rating"] = _PHRASES.translate(language, "Choose how many stars you give.")
    if not sent.user and work.option("require_name_email"):
        if not sent.get("author"):
            faults["author"] = _PHRASES.translate(language, "Tell your name.")
        if not reviews.is_email(sent.get("email")):
            faults["email"] = _PHRASES.translate(language, "Write a valid e-mail address.")
    return faults


def _build_members(sent: SubmittedForm) -> dict[str, object]:
    user: User = sent.user
    return {
        "review": sent.get("review"),
        "rating": coerce_integer(sent.get("rating")) or 0,
        "reviewer": user.name if user else sent.get("author"),
        "reviewer_email": user.email if user else sent.get("email"),
    }


def _explain_refusal(language: str, error: ApiError) -> str:
    """Return why the rules refused a review, to a visitor."""
    match error:
        case ReviewsClosed():
            return _PHRASES.translate(language, "This product takes no reviews.")
        case ProductNotBought():
            return _PHRASES.translate(
                language, "Only those who bought this product may review it, with the same address."
            )
        case DuplicateReview() | CommentDuplicate():
            return _PHRASES.translate(language, "You sent this review already.")
        case CommentFlood():
            return _PHRASES.translate(language, "You write too fast; wait a little and send it again.")
    return _PHRASES.translate(language, "This review cannot be stored: it may be too long, or have no text.")


def _find_status(error: ApiError) -> int:
    match error:
        case ReviewsClosed() | ProductNotBought():
            return 403
        case DuplicateReview() | CommentDuplicate():
            return 409
        case CommentFlood():
            return 429
    return 400


FORMS: Final = {FORM: PageForm(handle_review, kept=True)}
BLOCKS: Final = {"shop/product-review-form": render_review_form}

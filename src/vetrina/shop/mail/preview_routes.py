"""Previews of the shop's mails (`shop-admin-email`): subject, mail, test mail, drafts of settings.

Not here: rendering (shop/mail/rendering.py). `preview` is this server's own, in place of a page of the administration.
"""

from __future__ import annotations

import re
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import Failure, Fault
from vetrina.rest.call import Result
from vetrina.rest.fields import Field, Integer, Object, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.mail import drafts as mail_drafts, mails, outbox, rendering as mail_rendering
from vetrina.shop.orders.model import OrderNotFound
from vetrina.shop.permissions import require_view_permission

_CLASS: Final = re.compile(r"(?i)^[a-z]{1,20}_email_")
_EMAIL: Final = "/shop-admin-email/settings/email"
_MAX_DRAFT_LENGTH: Final = 20_000  # characters of a draft setting
# Class names whose words are in another order than the mail's id.
_MAIL_ALIASES: Final = {"customer_partially_refunded_order": "customer_refunded_order"}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the preview routes of the shop's mails."""
    type: dict[str, Field] = {"type": String("Name of the mail.", required=True, check=_validate_mail_type)}
    order: dict[str, Field] = {
        "order": Integer("Number of an order to show; one that is made up when left out.", minimum=1, null="keep")
    }
    email = String("Address to which the mail is sent.", required=True, format="email")
    said = Object(properties={"message": String("What was done.")})
    draft: dict[str, Field] = {
        "key": String("Name of the setting.", required=True, check=_validate_draft_key),
        "value": String("What is tried.", required=True, max_length=_MAX_DRAFT_LENGTH),
    }
    return (
        Route(
            READ,
            f"{_EMAIL}/preview-subject",
            _preview_subject,
            type,
            require_view_permission,
            answers=Object(properties={"subject": String()}),
        ),
        Route(
            READ,
            f"{_EMAIL}/preview",
            _preview_mail,
            {**type, **order},
            require_view_permission,
            errors=(OrderNotFound,),
            answers=Object(properties={"subject": String(), "html": String(), "text": String()}),
        ),
        Route(
            WRITE,
            f"{_EMAIL}/send-preview",
            _send_preview,
            {**type, "email": email},
            require_view_permission,
            status=200,
            answers=said,
        ),
        Route(WRITE, f"{_EMAIL}/save-transient", _save_draft, draft, require_view_permission, status=200, answers=said),
    )


def _parse_mail_id(type: object) -> str:
    """Return the id of a mail from its id or a class name as pages send it: `WC_Email_New_Order` is `new_order`."""
    id = _CLASS.sub("", type).lower() if isinstance(type, str) else ""
    return _MAIL_ALIASES.get(id, id)


def _validate_mail_type(value: Any, name: str, context: Any) -> Fault | None:
    if _parse_mail_id(value) in mails.MAIL_TYPES_BY_ID:
        return None
    return Fault("shop_rest_invalid_email_type", "Invalid email type.", {"status": Failure.INVALID})


def _validate_draft_key(value: Any, name: str, context: Any) -> Fault | None:
    if value in mail_drafts.DRAFT_KEYS:
        return None
    return Fault("shop_rest_not_allowed_key", "No preview shows a setting of that name.", {"status": Failure.INVALID})


def _preview_subject(call: Call) -> Result:
    """Preview the subject of one of the shop's mails."""
    work = call.work
    work.mark_time_dependent()
    return Result(
        {
            "subject": mail_rendering.preview_subject(
                work, _parse_mail_id(call.args["type"]), mail_drafts.load_drafts(work)
            )
        }
    )


def _preview_mail(call: Call) -> Result:
    """Preview one of the shop's mails, with an order of the shop or a sample order."""
    work = call.work
    work.mark_time_dependent()
    drafts, number = mail_drafts.load_drafts(work), int(call.args.get("order") or 0)
    made = mail_rendering.preview_mail(work, _parse_mail_id(call.args["type"]), number, drafts)
    return Result({"subject": made.subject, "html": made.html, "text": made.text})


def _send_preview(call: Call) -> Result:
    """Send one of the shop's mails as a test, with a sample order."""
    to = call.args["email"]
    outbox.enqueue_mail(call.work, _parse_mail_id(call.args["type"]), 0, [to], {"preview": True})
    return Result({"message": f"Test email sent to {to}."})


def _save_draft(call: Call) -> Result:
    """Try a setting for an hour: previews use it, mails do not."""
    mail_drafts.save_draft(call.work, call.args["key"], call.args["value"])
    return Result({"message": f"Transient saved for key {call.args['key']}."})


ROUTE_BUILDERS: Final = {"shop-admin-email": (build_routes,)}

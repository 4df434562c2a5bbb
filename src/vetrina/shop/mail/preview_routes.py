"""Previews of the shop's mails (`shop-admin-email`): subject, mail, a test mail, and settings that are only tried.

Not here: how a mail is made (shop/mail/rendering.py). Rules: the recordings of the shop's side namespaces;
`preview` is this server's own, in the place of a page of the administration.
"""

from __future__ import annotations

import re
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import Fault
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Field, Integer, Object, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.shop.mail import drafts as mail_drafts
from vetrina.shop.mail import mails, outbox
from vetrina.shop.mail import rendering as mail_rendering
from vetrina.shop.orders.model import OrderUnknown
from vetrina.shop.rights import CannotView, require

__all__ = ["ROOMS", "routes"]

_CLASS: Final = re.compile(r"(?i)^[a-z]{1,20}_email_")
_EMAIL: Final = "/shop-admin-email/settings/email"
_LONGEST: Final = 20_000  # characters of a setting that is tried
# Classes whose names say the same in another order than the mails' own.
_OTHER_NAMES: Final = {"customer_partially_refunded_order": "customer_refunded_order"}


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes that show mails before they are sent."""
    type: dict[str, Field] = {"type": String("Name of the mail.", required=True, check=_is_mail)}
    order: dict[str, Field] = {
        "order": Integer("Number of an order to show; one that is made up when left out.", minimum=1, null="keep")
    }
    email = String("Address to which the mail is sent.", required=True, format="email")
    said = Object(properties={"message": String("What was done.")})
    draft: dict[str, Field] = {
        "key": String("Name of the setting.", required=True, check=_is_key),
        "value": String("What is tried.", required=True, max_length=_LONGEST),
    }
    return (
        Route(READ, f"{_EMAIL}/preview-subject", _subject, type, _views,
              answers=Object(properties={"subject": String()})),
        Route(READ, f"{_EMAIL}/preview", _preview, {**type, **order}, _views, errors=(OrderUnknown,),
              answers=Object(properties={"subject": String(), "html": String(), "text": String()})),
        Route(WRITE, f"{_EMAIL}/send-preview", _send, {**type, "email": email}, _views, status=200, answers=said),
        Route(WRITE, f"{_EMAIL}/save-transient", _keep, draft, _views, status=200, answers=said),
    )  # fmt: skip


def _id_of(type: object) -> str:
    """Return the id of a mail that is named by it, or by what pages call it: `WC_Email_New_Order` is `new_order`."""
    id = _CLASS.sub("", type).lower() if isinstance(type, str) else ""
    return _OTHER_NAMES.get(id, id)


def _is_mail(value: Any, name: str, asked: Any) -> Fault | None:
    if _id_of(value) in mails.BY_ID:
        return None
    return Fault("shop_rest_invalid_email_type", "Invalid email type.", {"status": 400})


def _is_key(value: Any, name: str, asked: Any) -> Fault | None:
    if value in mail_drafts.KEYS:
        return None
    return Fault("shop_rest_not_allowed_key", "No preview shows a setting of that name.", {"status": 400})


def _views(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotView)


def _subject(call: Call) -> Result:
    """Preview the subject of one of the shop's mails."""
    work: Work = call.work
    work.passes()
    return Result({"subject": mail_rendering.subject_of(work, _id_of(call.args["type"]), mail_drafts.held(work))})


def _preview(call: Call) -> Result:
    """Preview one of the shop's mails, with an order of the shop or one that is made up."""
    work: Work = call.work
    work.passes()
    drafts, number = mail_drafts.held(work), int(call.args.get("order") or 0)
    made = mail_rendering.preview(work, _id_of(call.args["type"]), number, drafts)
    return Result({"subject": made.subject, "html": made.html, "text": made.text})


def _send(call: Call) -> Result:
    """Send one of the shop's mails to try it, with an order that is made up."""
    to = call.args["email"]
    outbox.put(call.work, _id_of(call.args["type"]), 0, [to], {"preview": True})
    return Result({"message": f"Test email sent to {to}."})


def _keep(call: Call) -> Result:
    """Try a setting for an hour: previews show it, mails do not."""
    mail_drafts.keep(call.work, call.args["key"], call.args["value"])
    return Result({"message": f"Transient saved for key {call.args['key']}."})


ROOMS: Final = {"shop-admin-email": (routes,)}

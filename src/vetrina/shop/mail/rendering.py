"""A mail as it goes out: subject, text and HTML, made of its template, the shop's settings and what it is about.

Not here: when it is sent (shop/mail/outbox.py), the words (shop/mail/texts.py), what an order looks like in it
(shop/mail/order_data.py). Rules: the settings of the groups `email` and `email_<id>`; what is empty there is what the
program says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.core.unit_of_work import Work
from vetrina.shop.mail import (
    appearance,
    mails,
    order_data,
    sample_order,
)
from vetrina.shop.mail import (
    templates as mail_templates,
)
from vetrina.shop.mail import (
    texts as mail_texts,
)
from vetrina.shop.mail.formatting import Format
from vetrina.shop.mail.order_data import Parts
from vetrina.shop.mail.outbox import address_list
from vetrina.shop.mail.texts import Say
from vetrina.shop.orders import model as order_model
from vetrina.shop.settings import rules as settings

__all__ = ["Written", "preview", "subject_of", "written"]

_PLAIN: Final = "plain"
_ACCOUNTS: Final = frozenset({"customer_new_account", "customer_reset_password"})
_REFUNDED: Final = "customer_refunded_order"
_INVOICE: Final = "customer_invoice"


class Written(NamedTuple):
    """A mail. html: empty for one of plain text alone."""

    subject: str
    text: str
    html: str = ""
    cc: Sequence[str] = ()
    bcc: Sequence[str] = ()


def written(
    work: Work, kind: str, about: int, data: Mapping[str, Any], language: str, subject: str = ""
) -> Written | None:
    """Return a mail of the outbox, None where what it is about is not there any more; members: as outbox.put has."""
    if data.get("preview"):
        return preview(work, kind)
    work = _reading(work, language)
    parts = account = None
    if kind in _ACCOUNTS:
        account = users.by_id(work.tx, about)
    elif kind in mails.BY_ID:
        found = order_model.by_id(work, about)
        parts = order_data.parts_of(work, found) if found is not None else None
    if kind in mails.BY_ID and parts is None and account is None:
        return None
    return _made(work, kind, parts, account, data, {}, subject)


def preview(work: Work, kind: str, number: int = 0, drafts: Mapping[str, str] | None = None) -> Written:
    """Return a mail as it would look. number: of an order, 0 for one that is made up; drafts: settings that are tried.

    Nobody gets a copy of it. Raises OrderUnknown.
    """
    found = order_model.existing(work, number) if number else None
    work = _reading(work, found.language if found is not None and not _is_to_shop(kind) else "")
    parts = order_data.parts_of(work, found) if found is not None else sample_order.parts(work)
    data = sample_order.data(work, parts)
    return _made(work, kind, parts, sample_order.account(parts), data, drafts or {}, "")._replace(cc=(), bcc=())


def subject_of(work: Work, kind: str, drafts: Mapping[str, str]) -> str:
    """Return the subject of a mail about an order that is made up."""
    work = _reading(work, "")
    parts = sample_order.parts(work)
    data = sample_order.data(work, parts)
    form = Format(work, work.language, parts.order.currency)
    return _one_line(_setting(work, kind, "subject", parts, data, drafts, _names(work, parts, form)))


def _is_to_shop(kind: str) -> bool:
    return kind not in mails.BY_ID or mails.BY_ID[kind].to_shop


def _reading(work: Work, language: str) -> Work:
    """Return a work in the language of who reads a mail; a language that the site has no more is its own."""
    profile = work.frame.profile
    known = language if language in profile.languages else profile.default_language
    return Work(work.frame, work.tx, work.user, root=work.root, origin=work.origin, language=known)


def _made(
    work: Work, kind: str, parts: Parts | None, account: User | None, data: Mapping[str, Any],
    drafts: Mapping[str, str], subject: str,
) -> Written:  # fmt: skip
    say = mail_texts.words(work.language)
    form = Format(work, work.language, parts.order.currency if parts is not None else "")
    known = _names(work, parts, form)
    subject = _one_line(subject or _setting(work, kind, "subject", parts, data, drafts, known))
    site = known["{site_title}"]
    told = _told(work, kind, say, form, parts, account, data, site)
    added = appearance.with_names(_own(work, kind, "additional_content", drafts), known)
    look = appearance.look(work, drafts)
    given = {
        **told, "say": say, "kind": kind, "language": work.language, "direction": form.direction, "subject": subject,
        "heading": _setting(work, kind, "heading", parts, data, drafts, known), "look": look,
        "site": {"title": site, "address": known["{site_url}"]}, "to_shop": _is_to_shop(kind),
    }  # fmt: skip

    def made(ending: str) -> str:
        as_shown = appearance.as_html if ending == "html" else appearance.as_text
        own = {
            "additional": as_shown(added),
            "footer": as_shown(look["footer"]),
            "note": as_shown(str(data.get("note") or "")),
        }
        if ending == "html":
            own = {name: Markup(text) for name, text in own.items()}
        return mail_templates.render(
            work.frame.folder, f"{kind}.{ending}", {**given, **own, "payment": _payment(told, ending)}
        )

    is_plain = _own(work, kind, "email_type", drafts) == _PLAIN
    return Written(
        subject, made("txt"), "" if is_plain else made("html"),
        address_list(_own(work, kind, "cc", drafts)), address_list(_own(work, kind, "bcc", drafts)),
    )  # fmt: skip


def _told(
    work: Work, kind: str, say: Say, form: Format, parts: Parts | None, account: User | None, data: Mapping[str, Any],
    site: str,
) -> dict[str, Any]:  # fmt: skip
    """Return what the template of a mail is given of what it is about."""
    out: dict[str, Any] = {"order": None, "refund": {}, "account": {}, "stock": {}, "intro": "", "greeting": ""}
    if kind not in mails.BY_ID:
        stock = {name: str(value) for name, value in data.items()}
        return {**out, "stock": stock, "intro": say(f"{kind}.intro", **stock)}
    name = ""
    if kind in _ACCOUNTS and account is not None:
        name = account.first_name or account.login
        out["account"] = {
            "login": account.login,
            "email": account.email,
            "reset_address": str(data.get("address") or ""),
        }
        out["intro"] = say(f"{kind}.intro", site=site, login=account.login)
    elif parts is not None:
        shown = order_data.show_order(work, parts, say, form)
        name = shown["first_name"]
        out["order"] = shown
        if kind == _REFUNDED:
            out["refund"] = order_data.refund_shown(parts, int(data.get("refund") or 0), form)
            which = "full" if data.get("whole") else "partial"
            amount = out["refund"].get("amount") or form.amount(parts.order.total)
            out["intro"] = say(f"{kind}.{which}", number=shown["number"], amount=amount)
        elif kind == _INVOICE and shown["needs_payment"]:
            out["intro"] = say(f"{kind}.pay", site=site)
        else:
            out["intro"] = say(f"{kind}.intro", number=shown["number"], name=shown["name"], date=shown["date"])
    out["greeting"] = say("hello", name=name) if name else say("hello_nobody")
    return out


def _payment(told: Mapping[str, Any], ending: str) -> dict[str, Any]:
    """Return how an order is paid; instructions: as markup or as text."""
    found: Mapping[str, Any] = told["order"]["payment"] if told["order"] else {}
    if not found:
        return {"instructions": "", "accounts": [], "send_to": []}
    instructions = str(found["instructions"])
    return {**found, "instructions": Markup(instructions) if ending == "html" else appearance.as_text(instructions)}


# -- settings


def _names(work: Work, parts: Parts | None, form: Format) -> dict[str, str]:
    known = appearance.names(work)
    if parts is not None:
        known |= {"{order_number}": str(parts.order.id), "{order_date}": form.day(parts.order.created)}
    return known


def _own(work: Work, kind: str, name: str, drafts: Mapping[str, str]) -> str:
    """Return what is set about a mail, or tried; empty where nothing is, or cannot be."""
    if kind not in mails.BY_ID:
        return ""
    group = settings.group(f"email_{kind}")
    one = group.settings.get(name)
    tried = drafts.get(f"shop_{kind}_{name}")
    return str((settings.value_of(work, group, one) if tried is None else tried) or "") if one is not None else ""


def _setting(
    work: Work, kind: str, name: str, parts: Parts | None, data: Mapping[str, Any], drafts: Mapping[str, str],
    known: Mapping[str, str],
) -> str:  # fmt: skip
    """Return the subject or the heading of a mail; name: subject, heading."""
    say, which = mail_texts.words(work.language), name
    if kind == _REFUNDED:
        which = f"{name}_full" if data.get("whole") else f"{name}_partial"
    elif kind == _INVOICE and parts is not None and not order_data.is_payable(parts.order):
        which = f"{name}_paid"
    written = _own(work, kind, which, drafts)
    if not written:
        if not mail_texts.has(f"{kind}.{which}"):
            return ""
        written = say(
            f"{kind}.{which}", **{"site": known["{site_title}"], **{one: str(value) for one, value in data.items()}}
        )
    return appearance.plain_with_names(written, known)


def _one_line(text: str) -> str:
    return " ".join(text.split())

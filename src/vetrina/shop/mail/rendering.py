"""Rendering of mails: subject, text and HTML, from the template, the shop's settings and the mail's subject.

Not here: when it is sent (shop/mail/outbox.py), built-in texts (shop/mail/texts.py), data of an order
(shop/mail/order_data.py). Settings are in the groups `email` and `email_<id>`; where one is empty, the built-in text is
used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from vetrina.access.passwords.reset import LinkOccasion
from vetrina.access.users import rules as users
from vetrina.core.text_catalog import Translator
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.shop.mail import appearance, mails, order_data, sample_order, templates as mail_templates
from vetrina.shop.mail.formatting import MailFormatter
from vetrina.shop.mail.order_data import OrderMailContext
from vetrina.shop.mail.outbox import parse_addresses
from vetrina.shop.mail.texts import MAIL_TEXTS
from vetrina.shop.orders import model as order_model
from vetrina.shop.settings import rules as settings

_PLAIN: Final = "plain"
_RESET_MAIL: Final = "customer_reset_password"
_ACCOUNT_MAILS: Final = frozenset({"customer_new_account", _RESET_MAIL})
_REFUND_MAIL: Final = "customer_refunded_order"
_INVOICE_MAIL: Final = "customer_invoice"


class RenderedMail(NamedTuple):
    """A rendered mail. html: empty for plain text alone."""

    subject: str
    text: str
    html: str = ""
    cc: Sequence[str] = ()
    bcc: Sequence[str] = ()


def render_mail(
    work: UnitOfWork, kind: str, about: int, data: Mapping[str, Any], language: str, subject: str = ""
) -> RenderedMail | None:
    """Render a mail of the outbox, None where its subject does not exist any more; arguments: as for `enqueue_mail`."""
    if data.get("preview"):
        return preview_mail(work, kind)
    work = _switch_language(work, language)
    parts = account = None
    if kind in _ACCOUNT_MAILS:
        account = users.find_user(work.tx, about)
    elif kind in mails.MAIL_TYPES_BY_ID:
        order = order_model.find_order(work, about)
        parts = order_data.load_mail_context(work, order) if order is not None else None
    if kind in mails.MAIL_TYPES_BY_ID and parts is None and account is None:
        return None
    return _compose_mail(work, kind, parts, account, data, {}, subject)


def preview_mail(work: UnitOfWork, kind: str, number: int = 0, drafts: Mapping[str, str] | None = None) -> RenderedMail:
    """Render a preview. number: id of an order, 0 for a sample order; drafts: draft settings.

    It has no copy recipients. Raises OrderNotFound.
    """
    order = order_model.get_order(work, number) if number else None
    work = _switch_language(work, order.language if order is not None and not _is_to_shop(kind) else "")
    parts = order_data.load_mail_context(work, order) if order is not None else sample_order.build_sample_order(work)
    data = sample_order.build_sample_data(work, parts)
    return _compose_mail(work, kind, parts, sample_order.build_sample_account(parts), data, drafts or {}, "")._replace(
        cc=(), bcc=()
    )


def preview_subject(work: UnitOfWork, kind: str, drafts: Mapping[str, str]) -> str:
    """Return the subject of a mail about a sample order."""
    work = _switch_language(work, "")
    parts = sample_order.build_sample_order(work)
    data = sample_order.build_sample_data(work, parts)
    form = MailFormatter(work, work.language, parts.order.currency)
    return _collapse_whitespace(
        _render_setting(work, kind, "subject", parts, data, drafts, _build_placeholders(work, parts, form))
    )


def _is_to_shop(kind: str) -> bool:
    return kind not in mails.MAIL_TYPES_BY_ID or mails.MAIL_TYPES_BY_ID[kind].to_shop


def _switch_language(work: UnitOfWork, language: str) -> UnitOfWork:
    """Return a unit of work in the reader's language; the site's own where it does not have that language any more."""
    profile = work.site.profile
    known = language if language in profile.languages else profile.default_language
    return UnitOfWork(work.site, work.tx, work.user, root=work.root, origin=work.origin, language=known)


def _compose_mail(
    work: UnitOfWork, kind: str, parts: OrderMailContext | None, account: User | None, data: Mapping[str, Any],
    drafts: Mapping[str, str], subject: str,
) -> RenderedMail:  # fmt: skip
    say = MAIL_TEXTS.build_translator(work.site.folder, work.language)
    form = MailFormatter(work, work.language, parts.order.currency if parts is not None else "")
    known = _build_placeholders(work, parts, form)
    subject = _collapse_whitespace(subject or _render_setting(work, kind, "subject", parts, data, drafts, known))
    site = known["{site_title}"]
    template_data = _build_template_data(work, kind, say, form, parts, account, data, site)
    added = appearance.replace_placeholders(_get_mail_setting(work, kind, "additional_content", drafts), known)
    look = appearance.build_mail_style(work, drafts)
    given = {
        **template_data, "say": say, "kind": kind, "language": work.language, "direction": form.direction,
        "subject": subject, "heading": _render_setting(work, kind, "heading", parts, data, drafts, known), "look": look,
        "site": {"title": site, "address": known["{site_url}"]}, "to_shop": _is_to_shop(kind),
    }  # fmt: skip

    def made(ending: str) -> str:
        as_shown = appearance.render_mail_html if ending == "html" else appearance.convert_html_to_text
        own = {
            "additional": as_shown(added),
            "footer": as_shown(look["footer"]),
            "note": as_shown(str(data.get("note") or "")),
        }
        if ending == "html":
            own = {name: Markup(text) for name, text in own.items()}
        return mail_templates.render_template(
            work.site.folder,
            f"{kind}.{ending}",
            {**given, **own, "payment": _build_payment_data(template_data, ending)},
        )

    is_plain = _get_mail_setting(work, kind, "email_type", drafts) == _PLAIN
    return RenderedMail(
        subject,
        made("txt"),
        "" if is_plain else made("html"),
        parse_addresses(_get_mail_setting(work, kind, "cc", drafts)),
        parse_addresses(_get_mail_setting(work, kind, "bcc", drafts)),
    )


def _build_template_data(
    work: UnitOfWork,
    kind: str,
    say: Translator,
    form: MailFormatter,
    parts: OrderMailContext | None,
    account: User | None,
    data: Mapping[str, Any],
    site: str,
) -> dict[str, Any]:
    """Return the template data of a mail's subject."""
    out: dict[str, Any] = {"order": None, "refund": {}, "account": {}, "stock": {}, "intro": "", "greeting": ""}
    if kind not in mails.MAIL_TYPES_BY_ID:
        stock = {name: str(value) for name, value in data.items()}
        return {**out, "stock": stock, "intro": say(f"{kind}.intro", **stock)}
    name = ""
    if kind in _ACCOUNT_MAILS and account is not None:
        name = account.first_name or account.login
        out["account"] = {
            "login": account.login,
            "email": account.email,
            "reset_address": str(data.get("address") or ""),
            "has_password": data.get("occasion") != LinkOccasion.NEW_ACCOUNT,
        }
        known = kind == _RESET_MAIL and data.get("occasion") == LinkOccasion.REGISTERED_AGAIN
        out["intro"] = say(f"{kind}.{'known' if known else 'intro'}", site=site, login=account.login)
    elif parts is not None:
        shown = order_data.serialize_order(work, parts, say, form)
        name = shown["first_name"]
        out["order"] = shown
        if kind == _REFUND_MAIL:
            out["refund"] = order_data.serialize_refund(parts, int(data.get("refund") or 0), form)
            which = "full" if data.get("whole") else "partial"
            amount = out["refund"].get("amount") or form.format_amount(parts.order.total)
            out["intro"] = say(f"{kind}.{which}", number=shown["number"], amount=amount)
        elif kind == _INVOICE_MAIL and shown["needs_payment"]:
            out["intro"] = say(f"{kind}.pay", site=site)
        else:
            out["intro"] = say(f"{kind}.intro", number=shown["number"], name=shown["name"], date=shown["date"])
    out["greeting"] = say("hello", name=name) if name else say("hello_nobody")
    return out


def _build_payment_data(template_data: Mapping[str, Any], ending: str) -> dict[str, Any]:
    """Return the payment instructions as template data; ending: `html` for markup, else plain text."""
    found: Mapping[str, Any] = template_data["order"]["payment"] if template_data["order"] else {}
    if not found:
        return {"instructions": "", "accounts": [], "send_to": []}
    instructions = str(found["instructions"])
    return {
        **found,
        "instructions": Markup(instructions) if ending == "html" else appearance.convert_html_to_text(instructions),
    }


# -- settings


def _build_placeholders(work: UnitOfWork, parts: OrderMailContext | None, form: MailFormatter) -> dict[str, str]:
    known = appearance.build_placeholders(work)
    if parts is not None:
        known |= {"{order_number}": parts.order.shown_number, "{order_date}": form.format_day(parts.order.created)}
    return known


def _get_mail_setting(work: UnitOfWork, kind: str, name: str, drafts: Mapping[str, str]) -> str:
    """Return a setting of a mail, or its draft; empty where it has none."""
    if kind not in mails.MAIL_TYPES_BY_ID:
        return ""
    group = settings.get_setting_group(f"email_{kind}")
    one = group.settings.get(name)
    tried = drafts.get(f"shop_{kind}_{name}")
    return (
        str((settings.get_setting_value(work, group, one) if tried is None else tried) or "") if one is not None else ""
    )


def _render_setting(
    work: UnitOfWork,
    kind: str,
    name: str,
    parts: OrderMailContext | None,
    data: Mapping[str, Any],
    drafts: Mapping[str, str],
    known: Mapping[str, str],
) -> str:
    """Return the subject or the heading of a mail; name: subject, heading."""
    say, which = MAIL_TEXTS.build_translator(work.site.folder, work.language), name
    if kind == _REFUND_MAIL:
        which = f"{name}_full" if data.get("whole") else f"{name}_partial"
    elif kind == _INVOICE_MAIL and parts is not None and not order_data.is_payable(parts.order):
        which = f"{name}_paid"
    written = _get_mail_setting(work, kind, which, drafts)
    if not written:
        if f"{kind}.{which}" not in MAIL_TEXTS.english:
            return ""
        written = say(
            f"{kind}.{which}", **{"site": known["{site_title}"], **{one: str(value) for one, value in data.items()}}
        )
    return appearance.replace_plain_placeholders(written, known)


def _collapse_whitespace(text: str) -> str:
    return " ".join(text.split())

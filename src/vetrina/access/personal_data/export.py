"""A copy of what is stored about a person: a ZIP with a JSON file for each place, and a page for people.

What is in it, each module says (core/account_part.py). The texts of records and the files of media are published or the
site's; the copy names them. Rules: docs/rules/personal_data.md, 3.
"""

from __future__ import annotations

import html
import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from vetrina.access.account_mails.sending import enqueue_account_mail
from vetrina.access.passkeys import rules as passkeys
from vetrina.access.personal_data import rules, store
from vetrina.access.personal_data.model import PersonalDataRequest, RequestState
from vetrina.access.registration import confirmed_emails
from vetrina.access.sessions import rules as sessions
from vetrina.access.users import rules as users
from vetrina.core.account_part import DataSection, DataSubject, list_account_parts
from vetrina.core.background_work import ExternalTask
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.json_text import serialize_json
from vetrina.kernel.times import format_iso

_FIRST_ZIP_YEAR: Final = (1980, 1, 1, 0, 0, 0)  # of the files inside: the same data makes the same bytes
_STYLE: Final = (
    "body{font:1rem/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%;margin:0 0 1.5rem}"
    "th,td{border:1px solid #ccc;padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "th{width:14rem}"
)


def collect_personal_data(work: UnitOfWork, subject: DataSubject) -> list[DataSection]:
    """Return what is stored about a person, by where it is; places without anything are left out."""
    user = users.find_user(work.tx, subject.account) if subject.account else None
    sections = (
        [_describe_account(work, user), _describe_sessions(work, user), _describe_passkeys(work, user)]
        if user is not None
        else []
    )
    for part in list_account_parts(work.site):
        sections += part.export(work, subject)
    return [one for one in sections if one.items]


def build_archive(title: str, subject: DataSubject, sections: Sequence[DataSection], language: str) -> bytes:
    """Return the bytes of the ZIP. title: of the site."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in sections:
            _add_file(archive, f"{one.name}.json", serialize_json(list(one.items)))
        _add_file(archive, "index.html", _render_page(title, subject, sections, language).encode())
    return out.getvalue()


def _prepare_export(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], bytes] | None:
    one = store.STORE.find(work.tx, arguments["request"])
    if one is None or one.state != RequestState.CONFIRMED:
        return None
    subject = build_subject(work, one)
    title, language, sections = str(work.option("title")), one.language, collect_personal_data(work, subject)
    return lambda: build_archive(title, subject, sections, language)


def _save_export(work: UnitOfWork, arguments: Mapping[str, Any], content: bytes) -> None:
    one = store.STORE.find(work.tx, arguments["request"])
    if one is None or one.state != RequestState.CONFIRMED:
        return
    store.save_file(work.tx, one.id, content)
    rules.finish_request(work, one)
    enqueue_account_mail(work, "export_ready", one.id, one.language)


EXPORT_TASK: Final = ExternalTask(_prepare_export, _save_export)


def build_subject(work: UnitOfWork, one: PersonalDataRequest) -> DataSubject:
    """Return whom a request is about."""
    user = users.find_user(work.tx, one.account) if one.account else None
    if user is None:
        return DataSubject(0, one.email)
    return DataSubject(user.id, user.email, user.login, confirmed_emails.has_confirmed_email(work, user))


def _describe_account(work: UnitOfWork, user: User) -> DataSection:
    shown = ("id", "login", "email", "name", "first_name", "last_name", "nickname", "url", "description", "locale")
    item: dict[str, Any] = {name: getattr(user, name) for name in shown}
    item |= {
        "slug": user.slug, "roles": list(user.roles), "registered_gmt": format_iso(user.registered),
        "email_confirmed": confirmed_emails.has_confirmed_email(work, user), "meta": user.meta,
    }  # fmt: skip
    return DataSection("account", "Account", [item])


def _describe_sessions(work: UnitOfWork, user: User) -> DataSection:
    items = [
        {
            "kind": one.kind, "name": one.name, "created_gmt": format_iso(one.created), "address": one.address,
            "last_used_gmt": format_iso(one.last_used), "device": one.agent,
        }
        for one in sessions.list_sessions(work, user.id)
    ]  # fmt: skip
    return DataSection("sessions", "Sessions", items)


def _describe_passkeys(work: UnitOfWork, user: User) -> DataSection:
    items = [
        {
            "name": one.name,
            "created_gmt": format_iso(one.created),
            "last_used_gmt": format_iso(one.last_used) if one.last_used is not None else None,
        }
        for one in passkeys.list_passkeys(work, user)
    ]
    return DataSection("passkeys", "Passkeys", items)


def _add_file(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _FIRST_ZIP_YEAR), content, zipfile.ZIP_DEFLATED)


def _render_page(title: str, subject: DataSubject, sections: Sequence[DataSection], language: str) -> str:
    head = html.escape(f"{title}: {subject.email}")
    links = "".join(
        f'<li><a href="#{one.name}">{html.escape(one.title)}</a> ({len(one.items)})</li>' for one in sections
    )
    parts = "".join(_render_section(one) for one in sections)
    return (
        f'<!doctype html><html lang="{html.escape(language)}"><head><meta charset="utf-8"><title>{head}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{head}</h1><ul>{links}</ul>{parts}</body></html>"
    )


def _render_section(one: DataSection) -> str:
    tables = "".join(f"<table>{_render_rows(item)}</table>" for item in one.items)
    return f'<h2 id="{one.name}">{html.escape(one.title)}</h2>{tables}'


def _render_rows(item: Mapping[str, Any]) -> str:
    return "".join(
        f"<tr><th>{html.escape(str(name))}</th><td>{html.escape(_format_value(value))}</td></tr>"
        for name, value in item.items()
    )


def _format_value(value: Any) -> str:
    return value if isinstance(value, str) else serialize_json(value).decode()

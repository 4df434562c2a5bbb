"""What the site sends about itself when it registers: URLs, names, versions, creation date.

Server paths and tracking ids are left out; a connection does not need them.
Not here: registering (connector/connection/registration.py). Rules: docs/rules/connector_registration.md, 3.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import func, select

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account as account_table
from vetrina.backends.tables.records import record
from vetrina.connector import stored_values
from vetrina.connector.identity import rules as identity
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.times import format_iso
from vetrina.media.attachments import store as attachment_store

VERSION: Final = "6.19.12"
PACKAGES: Final = {"connection": VERSION, "sync": "4.24.1"}
# In the order in which they began to use the connection.
PLUGINS: Final = (("shop-payments", "Payments"), ("shop", "Shop"))

_FIRST_ACCOUNTS: Final = Statement(select(*users.USER_COLUMNS).order_by(account_table.c.registered, account_table.c.id))
_FIRST_RECORD: Final = Statement(select(func.min(record.c.date_gmt)).where(record.c.status == "publish"))


def build_introduction(
    work: UnitOfWork, account: User, first: str, second: str, source: str, plugin: str
) -> dict[str, Any]:
    """Return the data sent with the two secrets of a registration. source, plugin: what started it."""
    profile = work.site.profile
    body: dict[str, Any] = {
        "siteurl": stored_values.build_home_address(work),
        "home": stored_values.build_home_address(work),
        "gmt_offset": work.zone.offset(work.now) / 3600,
        "timezone_string": work.option("timezone"),
        "site_name": work.option("title"),
        "secret_1": first,
        "secret_2": second,
        "site_lang": profile.default_language,
        "timeout": 30,
        "stats_id": None,
        "state": account.id,
        "site_created": find_creation_date(work),
        "api_root": work.public_root,
        "connector_version": VERSION,
        "current_user_email": account.email,
        "package_versions": PACKAGES,
        "active_connected_plugins": {slug: {"name": name} for slug, name in PLUGINS},
    }
    if plugin in dict(PLUGINS):
        body["connect_plugin"] = plugin
    if source:
        body["from"] = source
    if before := stored_values.get_value(work, "persistent_blog_id"):
        body |= {"persistent_blog_id": before, "url_secret": identity.create_url_secret(work)}
    return body


def find_creation_date(work: UnitOfWork) -> str:
    """Return the creation date of the site: that of its first administrator or first published record, if older."""
    work.uses("user")
    roles = work.site.roles
    found = (users.row_to_user(row, roles) for row in work.tx.all(_FIRST_ACCOUNTS))
    admin = next((user.registered for user in found if user.can("manage_options")), None)
    moments = [moment for moment in (admin, work.tx.value(_FIRST_RECORD)) if moment]
    return format_iso(min(moments)).replace("T", " ") if moments else ""


def find_site_icon(work: UnitOfWork) -> str:
    """Return the URL of the site icon, empty where it has none."""
    number = work.option("site_icon")
    media = attachment_store.find_media_file(work.tx, number) if number else None
    return attachment_store.build_file_url(work, media.file) if media is not None and media.kind == "image" else ""

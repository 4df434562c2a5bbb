"""`vetrina mail`: previews of a shop's mails."""

from __future__ import annotations

import re
from pathlib import Path

import click

from vetrina.access.account_mails.texts import ACCOUNT_MAIL_TEXTS
from vetrina.access.passwords.reset_mail import RESET_MAIL_TEXTS
from vetrina.cli.text_tables import format_table
from vetrina.content.comments.mails import COMMENT_MAIL_TEXTS
from vetrina.core.text_catalog import format_catalog
from vetrina.kernel.errors import ApiError
from vetrina.shop.mail import mails, rendering as mail_rendering, stock_mails
from vetrina.shop.mail.texts import MAIL_TEXTS

from .site_folder import open_site_folder, site_option

_MAIL_NAMES = (*mails.MAIL_TYPES_BY_ID, *stock_mails.STOCK_MAILS)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_MAIL_NAMESPACE = "shop-admin-email"


@click.group("mail")
def command() -> None:
    """Look at the mails of a shop."""


@command.command("list")
def list_mails() -> None:
    """List the mails that a shop sends."""
    rows = [(mail.id, "shop" if mail.to_shop else "customer", mail.description) for mail in mails.MAIL_TYPES]
    click.echo(format_table(("name", "to", "what it tells"), rows))


@command.command("catalog")
@click.argument("language")
@site_option
def write_catalog(language: str, folder: Path) -> None:
    """Write the texts of mails as a PO file, with the translations into LANGUAGE that there are.

    LANGUAGE is a code such as nl or pt-br. Saved as languages/vetrina-mails-nl.po in the site's folder, the file counts
    from the next mail on.
    """
    if not _LANGUAGE.fullmatch(language):
        raise click.BadParameter("must be a code of a language, such as nl or pt-br", param_hint="LANGUAGE")
    english: dict[str, str] = {}
    translated: dict[str, str] = {}
    with open_site_folder(folder) as site:
        for one in (MAIL_TEXTS, RESET_MAIL_TEXTS, ACCOUNT_MAIL_TEXTS, COMMENT_MAIL_TEXTS):
            english |= one.english
            translated |= one.list_translations(site.folder, language)
    click.echo(format_catalog(english, translated, language), nl=False)


@command.command("preview")
@click.argument("name", type=click.Choice(_MAIL_NAMES), metavar="NAME")
@site_option
@click.option("--order", "number", type=click.IntRange(min=1), help="An order; one that is made up when left out.")
@click.option("--html", "form", flag_value="html", help="Write the HTML alone.")
@click.option("--text", "form", flag_value="text", help="Write the plain text alone.")
def preview_mail(name: str, folder: Path, number: int | None, form: str | None) -> None:
    """Write a mail as it would be sent, templates of the site included; nothing is sent.

    NAME is one that `vetrina mail list` lists. Without --html or --text the subject and the text are written.
    """
    with open_site_folder(folder) as site, site.work(read=True) as work:
        if _MAIL_NAMESPACE not in site.index.namespaces:
            raise click.ClickException("this site has no shop, so it sends no such mails")
        try:
            made = mail_rendering.preview_mail(work, name, number or 0)
        except ApiError as error:
            raise click.ClickException(error.text) from error
    if form == "html":
        if not made.html:
            raise click.ClickException(f"{name} is sent as plain text alone, as its settings say")
        click.echo(made.html)
    else:
        click.echo(made.text if form == "text" else f"Subject: {made.subject}\n\n{made.text}", nl=False)

"""`vetrina translate`: translation jobs for the operator: create, list, export to files, import."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetrina.cli.text_tables import format_table
from vetrina.kernel.times import format_iso

from .site_folder import open_site_folder, site_option

if TYPE_CHECKING:
    from vetrina.core.unit_of_work import UnitOfWork
    from vetrina.core.user import User


_HEADING = ("job", "id", "what", "from", "into", "state", "translator", "deadline", "title")


@click.group("translate")
def command() -> None:
    """Create translation jobs, list them, write their files, import translated files."""


@command.command("create")
@click.argument("items", nargs=-1, required=True, metavar="TYPE:ID...")
@site_option
@click.option("--into", "languages", multiple=True, required=True, metavar="LANGUAGE", help="May be repeated.")
@click.option("--to", "recipient", default="", help="`local`, a service, or a translator's login.")
@click.option("--deadline", default="", metavar="YYYY-MM-DD", help="The last day.")
@click.option("--batch", default="", help="What the jobs are called together; made of the date when left out.")
@click.option("--note", default="", help="What translators should know.")
@click.option("--as", "login", default="", metavar="LOGIN", help="Who asks; the first administrator when left out.")
def create_translation_jobs(
    items: tuple[str, ...], folder: Path, languages: tuple[str, ...], recipient: str, deadline: str, batch: str,
    note: str, login: str,
) -> None:  # fmt: skip
    """Create jobs for items to translate: `post_page:120`, `tax_category:14`, `string:5`."""
    from vetrina.multilingual.jobs import requests as job_requests
    from vetrina.multilingual.jobs.schema import parse_day_end

    named = [_parse_item(text) for text in items]
    last = parse_day_end(deadline) if deadline else None
    if deadline and last is None:
        raise click.UsageError(f"--deadline {deadline!r}: write a day as YYYY-MM-DD")
    with open_site_folder(folder) as site, site.work(read=True) as work:
        unknown = [code for code in languages if code not in work.site.profile.languages]
        if unknown:
            raise click.UsageError(f"--into {unknown[0]!r}: the site has {', '.join(work.site.profile.languages)}")
        user = _get_acting_account(work, login)
    with open_site_folder(folder) as site, site.work(user) as work:
        made = job_requests.create_requested_jobs(
            work, named, languages, job_requests.resolve_recipient(work, recipient),
            deadline=work.zone.to_gmt(last) if last is not None else 0, batch_name=batch, note=note,
        )  # fmt: skip
    for job in made:
        click.echo(f"{job.number}\t{job.element_type} {job.element} into {job.target_language}: {job.title}")


@command.command("list")
@site_option
@click.option("--status", "statuses", multiple=True, type=int, metavar="N", help="Only jobs in this state.")
@click.option("--into", "language", default="", metavar="LANGUAGE", help="Only jobs into this language.")
@click.option("--outdated", is_flag=True, help="Only translations whose source has changed since.")
@click.option("--most", type=click.IntRange(1), default=100, show_default=True, metavar="N", help="At most so many.")
def list_translation_jobs(folder: Path, statuses: tuple[int, ...], language: str, outdated: bool, most: int) -> None:
    """List the newest job of each item and language, the latest first."""
    from vetrina.multilingual.jobs import listing as job_listing, summary as job_summary
    from vetrina.multilingual.jobs.listing import TranslationJobFilters
    from vetrina.multilingual.jobs.states import NAMES

    filters = TranslationJobFilters(
        statuses=statuses or None, target_languages=(language,) if language else (),
        needs_update=True if outdated else None, limit=most,
    )  # fmt: skip
    with open_site_folder(folder) as site, site.work(read=True) as work:
        found, total = job_listing.list_jobs(work, filters)
        rows = [
            (str(one.job.number), str(one.job.rid), f"{one.job.element_type} {one.job.element}",
             one.job.source_language, one.job.target_language,
             NAMES[one.job.state] + (", needs update" if one.job.needs_update else ""), one.translator_name or "-",
             format_iso(work.zone.to_local(one.job.deadline))[:10] if one.job.deadline else "-", one.job.title)
            for one in job_summary.build_job_views(work, found)
        ]  # fmt: skip
    click.echo(format_table(_HEADING, rows))
    if total > len(rows):
        click.echo(f"{total - len(rows)} more; --most shows them.", err=True)


@command.command("export")
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="JOB...")
@site_option
@click.option("--output", "-o", "target", type=click.Path(path_type=Path), help="A file, or a folder for several.")
@click.option("--memory", is_flag=True, help="Fill in what earlier translations lend.")
@click.option("--segments", is_flag=True, help="Tell the sentences of each text apart too.")
def export_translation_jobs(
    numbers: tuple[int, ...], folder: Path, target: Path | None, memory: bool, segments: bool
) -> None:
    """Write the XLIFF files of jobs, `job-N.xliff` each, or one to standard output."""
    from vetrina.multilingual.jobs import file_exchange, rules as jobs

    with open_site_folder(folder) as site, site.work(read=True) as work:
        texts = {
            number: file_exchange.render_job_file(work, jobs.get_job(work, number), memory=memory, segmented=segments)
            for number in numbers
        }
    if target is None and len(texts) == 1:
        click.echo(next(iter(texts.values())))
        return
    if target is not None and len(texts) == 1 and not target.is_dir():
        target.write_text(texts[numbers[0]], encoding="utf-8")
        return
    place = target or Path()
    place.mkdir(parents=True, exist_ok=True)
    for number, text in texts.items():
        path = place / f"job-{number}.xliff"
        path.write_text(text, encoding="utf-8")
        click.echo(str(path))


@command.command("deliver")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True), metavar="FILE...")
@site_option
@click.option("--unfinished", is_flag=True, help="Keep what is there, and leave the jobs open.")
@click.option("--as", "login", default="", metavar="LOGIN", help="Who translated; the first administrator by default.")
def deliver_translations(files: tuple[Path, ...], folder: Path, unfinished: bool, login: str) -> None:
    """Import translated XLIFF files; each names its job, and is applied by itself."""
    from vetrina.kernel.errors import ApiError
    from vetrina.multilingual.services import dispatch
    from vetrina.multilingual.xliff import reader as xliff_reader

    failed = False
    with open_site_folder(folder) as site:
        with site.work(read=True) as work:
            user = _get_acting_account(work, login)
        for path in files:
            content = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
            try:
                with site.work(user) as work:
                    job, _ = xliff_reader.parse_job_file(work, content)
                    xliff_reader.require_job_right(work, job)
                    done = dispatch.fill_job(work, job, content, complete=not unfinished)
            except ApiError as error:
                click.echo(f"{path}: {error}", err=True)
                failed = True
                continue
            became = (
                "is kept"
                if unfinished
                else f"is done: {done.element_type} {done.element} has number {done.translation}"
            )
            click.echo(f"{path}: job {done.number} {became} in {done.target_language}")
    if failed:
        raise SystemExit(1)


@command.command("translator")
@click.argument("login")
@click.argument("source")
@click.argument("target")
@site_option
def add_translator_pair(login: str, source: str, target: str, folder: Path) -> None:
    """Let an account translate from one language into another."""
    from vetrina.multilingual.jobs import translators as job_translators

    from .users import get_account

    with open_site_folder(folder) as site, site.work() as work:
        known = work.site.profile.languages
        for code in (source, target):
            if code not in known:
                raise click.UsageError(f"{code!r}: the site has {', '.join(known)}")
        job_translators.grant_language_pair(work, get_account(work, login), source, target)
    click.echo(f"{login} translates from {source} into {target}.")


def _parse_item(text: str) -> dict[str, object]:
    type, _, id = text.rpartition(":")
    if not type or not (id.isascii() and id.isdecimal()):
        raise click.UsageError(f"{text!r} is no TYPE:ID, such as post_page:120 or tax_category:14")
    return {"type": type, "id": int(id)}


def _get_acting_account(work: UnitOfWork, login: str) -> User:
    """Return the account that acts: the named one, or the first administrator."""
    from vetrina.multilingual.jobs import translators as job_translators

    from .users import get_account

    if login:
        return get_account(work, login)
    people = [user for user in job_translators.list_managers(work) if "administrator" in user.roles]
    if not people:
        raise click.UsageError("the site has no administrator; name an account with --as")
    return people[0]

"""`vetrina translate`: translation jobs for whoever runs the machine: made, listed, written to files, filled."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetrina.cli.text_tables import aligned
from vetrina.kernel.times import iso

from .site_folder import opened, site_option

if TYPE_CHECKING:
    from vetrina.access.users.model import User
    from vetrina.core.unit_of_work import Work

__all__ = ["command"]

_HEADING = ("job", "id", "what", "from", "into", "state", "translator", "deadline", "title")


@click.group("translate")
def command() -> None:
    """Make translation jobs, list them, write their files, take filled files back."""


@command.command("create")
@click.argument("items", nargs=-1, required=True, metavar="TYPE:ID...")
@site_option
@click.option("--into", "languages", multiple=True, required=True, metavar="LANGUAGE", help="May be repeated.")
@click.option("--to", "recipient", default="", help="`local`, a service, or a translator's login.")
@click.option("--deadline", default="", metavar="YYYY-MM-DD", help="The last day.")
@click.option("--batch", default="", help="What the jobs are called together; made of the date when left out.")
@click.option("--note", default="", help="What translators should know.")
@click.option("--as", "login", default="", metavar="LOGIN", help="Who asks; the first administrator when left out.")
def create(
    items: tuple[str, ...], folder: Path, languages: tuple[str, ...], recipient: str, deadline: str, batch: str,
    note: str, login: str,
) -> None:  # fmt: skip
    """Send things to be translated: `post_page:120`, `tax_category:14`, `string:5`."""
    from vetrina.multilingual.jobs import requests as job_requests
    from vetrina.multilingual.jobs.schema import day_end

    named = [_item(text) for text in items]
    last = day_end(deadline) if deadline else None
    if deadline and last is None:
        raise click.UsageError(f"--deadline {deadline!r}: write a day as YYYY-MM-DD")
    with opened(folder) as site, site.work(read=True) as work:
        unknown = [code for code in languages if code not in work.frame.profile.languages]
        if unknown:
            raise click.UsageError(f"--into {unknown[0]!r}: the site has {', '.join(work.frame.profile.languages)}")
        user = _account(work, login)
    with opened(folder) as site, site.work(user) as work:
        made = job_requests.sent(
            work, named, languages, job_requests.recipient(work, recipient),
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
def listed(folder: Path, statuses: tuple[int, ...], language: str, outdated: bool, most: int) -> None:
    """List the newest job of each thing and language, the latest first."""
    from vetrina.multilingual.jobs import listing as job_listing
    from vetrina.multilingual.jobs import summary as job_summary
    from vetrina.multilingual.jobs.listing import Filters
    from vetrina.multilingual.jobs.states import NAMES

    filters = Filters(
        statuses=statuses or None, target_languages=(language,) if language else (),
        needs_update=True if outdated else None, limit=most,
    )  # fmt: skip
    with opened(folder) as site, site.work(read=True) as work:
        found, total = job_listing.found(work, filters)
        rows = [
            (str(one.job.number), str(one.job.rid), f"{one.job.element_type} {one.job.element}",
             one.job.source_language, one.job.target_language,
             NAMES[one.job.state] + (", needs update" if one.job.needs_update else ""), one.translator_name or "-",
             iso(work.zone.to_local(one.job.deadline))[:10] if one.job.deadline else "-", one.job.title)
            for one in job_summary.seen(work, found)
        ]  # fmt: skip
    click.echo(aligned(_HEADING, rows))
    if total > len(rows):
        click.echo(f"{total - len(rows)} more; --most shows them.", err=True)


@command.command("export")
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="JOB...")
@site_option
@click.option("--output", "-o", "target", type=click.Path(path_type=Path), help="A file, or a folder for several.")
@click.option("--memory", is_flag=True, help="Fill in what earlier translations lend.")
@click.option("--segments", is_flag=True, help="Tell the sentences of each text apart too.")
def export(numbers: tuple[int, ...], folder: Path, target: Path | None, memory: bool, segments: bool) -> None:
    """Write the XLIFF files of jobs, `job-N.xliff` each, or one to standard output."""
    from vetrina.multilingual.jobs import file_exchange
    from vetrina.multilingual.jobs import rules as jobs

    with opened(folder) as site, site.work(read=True) as work:
        texts = {
            number: file_exchange.written(work, jobs.existing(work, number), memory=memory, segmented=segments)
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
def deliver(files: tuple[Path, ...], folder: Path, unfinished: bool, login: str) -> None:
    """Take filled XLIFF files back; each says of which job it is, and is applied by itself."""
    from vetrina.kernel.errors import ApiError
    from vetrina.multilingual.services import dispatch
    from vetrina.multilingual.xliff import reader as xliff_reader

    failed = False
    with opened(folder) as site:
        with site.work(read=True) as work:
            user = _account(work, login)
        for path in files:
            content = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
            try:
                with site.work(user) as work:
                    job, _ = xliff_reader.of_job(work, content)
                    xliff_reader.require_right(work, job)
                    done = dispatch.fill(work, job, content, complete=not unfinished)
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
def translator(login: str, source: str, target: str, folder: Path) -> None:
    """Let an account translate from one language into another."""
    from vetrina.multilingual.jobs import translators as job_translators

    from .users import account

    with opened(folder) as site, site.work() as work:
        known = work.frame.profile.languages
        for code in (source, target):
            if code not in known:
                raise click.UsageError(f"{code!r}: the site has {', '.join(known)}")
        job_translators.give_pair(work, account(work, login), source, target)
    click.echo(f"{login} translates from {source} into {target}.")


def _item(text: str) -> dict[str, object]:
    type, _, id = text.rpartition(":")
    if not type or not (id.isascii() and id.isdecimal()):
        raise click.UsageError(f"{text!r} is no TYPE:ID, such as post_page:120 or tax_category:14")
    return {"type": type, "id": int(id)}


def _account(work: Work, login: str) -> User:
    """Return the account that acts: the named one, or the first administrator."""
    from vetrina.multilingual.jobs import translators as job_translators

    from .users import account

    if login:
        return account(work, login)
    people = [user for user in job_translators.all_managers(work) if "administrator" in user.roles]
    if not people:
        raise click.UsageError("the site has no administrator; name an account with --as")
    return people[0]

"""`vetrina import`: another site comes in, from its address, a file, or a folder of `vetrina export`."""

from __future__ import annotations

import json
import signal
import sys
import tomllib
from pathlib import Path

import click

from vetrina.profile_checks import convert_sound_profile
from vetrina.settings import SettingsError
from vetrina.transfer.importing import ImportImpossible, import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.products_csv.source import ProductFileSource
from vetrina.transfer.records import SkippedRecord, Source, SourceError
from vetrina.transfer.report import ImportReport
from vetrina.transfer.source_profile import build_source_profile, format_profile
from vetrina.transfer.sources.wxr.source import ExportFileSource

from .import_progress import ProgressLine
from .site_folder import open_site_folder, replace_text, site_option, unwind_on_sigterm
from .source_access import add_credential_options, add_pace_options, is_address, open_source, read_credentials

_TABLE = ".csv"  # the ending of files of products


def _split_authors(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    pairs = [value.partition("=") for value in values]
    for (old, sign, new), value in zip(pairs, values, strict=True):
        if not (old and sign and new):
            raise click.BadParameter(f"{value!r} is no pair; write OLD=NEW, the login there and the login here")
    return {old: new for old, _, new in pairs}


@click.command("import")
@click.argument("source", metavar="SOURCE")
@site_option
@click.option("--keep-ids/--map-ids", default=None, help="Keep ids, or give new ones; kept by default if it is empty.")
@click.option(
    "--map-author",
    "authors",
    multiple=True,
    metavar="OLD=NEW",
    callback=_split_authors,
    help="The account here that stands for an author there, by logins; may be repeated.",
)
@click.option("--author", metavar="LOGIN", default="", help="The account here that gets everything.")
@click.option(
    "--files",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The folder of the old site's uploads, instead of fetching what an export file names.",
)
@click.option("--no-files", is_flag=True, help="Leave the files of the library out; a later import can bring them.")
@click.option("--revisions", is_flag=True, help="Bring earlier states of texts, too; one more request for each record.")
@add_pace_options
@add_credential_options()
@click.option("--dry-run", is_flag=True, help="Tell what would come, and write nothing.")
@click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.json",
    help="Where the report is written, as JSON.",
)
@click.option(
    "--profile-out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.toml",
    help="Write a profile with the types, taxonomies and fields of SOURCE, and bring in nothing.",
)
def command(
    source: str, folder: Path, keep_ids: bool | None, authors: dict[str, str], author: str, files: Path | None,
    no_files: bool, revisions: bool, allow_private: bool, parallel: int, rate: float, login: str | None,
    auth_file: Path | None, dry_run: bool, report_file: Path | None, profile_out: Path | None,
) -> None:  # fmt: skip
    """Bring in another site: SOURCE is its address, its export file (WXR), or a folder of `vetrina export`.

    A file that ends with .csv is one of products, in the columns that other shops write.

    It may be interrupted: the next run goes on, and one after that brings only what has changed. The site may be
    served meanwhile. An address is read with an account, or gives only what is public.
    """
    if files is not None and no_files:
        raise click.UsageError("--files says where files are, --no-files that none come; leave one of them out")
    is_file = not is_address(source) and Path(source).is_file()
    if files is not None and not is_file:
        raise click.UsageError("--files belongs to an export file; the library of an address or folder comes with it")
    if revisions and not is_address(source):
        raise click.UsageError("--revisions belongs to an address; files and folders have none")
    options = ImportOptions(keep_ids, dry_run, not no_files, author, authors)
    unread: list[SkippedRecord] = []
    progress, report = ProgressLine(), ImportReport()

    def open_it() -> Source:
        if is_file:
            of_file = ProductFileSource if Path(source).suffix.lower() == _TABLE else ExportFileSource
            return of_file(Path(source), files, allow_private)
        return open_source(
            source, read_credentials("", login, auth_file), allow_private=allow_private, parallel=parallel, rate=rate,
            report_skipped=unread.append, revisions=revisions,
        )  # fmt: skip

    try:
        if profile_out is not None:
            _write_profile(open_it(), profile_out)
            return
        with open_site_folder(folder) as site, unwind_on_sigterm():
            import_records(site, open_it(), options, progress.show, unread, report)
    except (SourceError, ImportImpossible) as error:
        progress.end()
        _tell_report(report, report_file)
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        progress.end()
        _tell_report(report, report_file)
        click.echo("Interrupted. What came so far is here; run it again, and it goes on.", err=True)
        sys.exit(128 + signal.SIGINT)
    finally:
        progress.end()
    _tell_report(report, report_file)


def _tell_report(report: ImportReport, file: Path | None) -> None:
    """Print what an import did, unless it did not begin. file: where it is written as JSON, too."""
    if report.resources or report.finished:
        click.echo(report.to_text())
    if file is not None:
        text = json.dumps(report.to_json(), ensure_ascii=False, indent=2)
        replace_text(file, f"{text}\n", 0o644)


def _write_profile(source: Source, path: Path) -> None:
    """Write the profile that a source asks for, and tell what in it is still to be mended. Raises SourceError."""
    values = build_source_profile(source)
    text = f"# What {values['title']} has; edit it before a site is made of it.\n{format_profile(values)}"
    replace_text(path, text, 0o644)
    counts = (f"{len(values.get(name, {}))} {name}" for name in ("types", "taxonomies"))
    click.echo(f"{path} has {' and '.join(counts)} of its own.")
    try:
        convert_sound_profile(tomllib.loads(text), str(path), text=text)
    except SettingsError as error:
        click.echo(f"Mend this before it is served:\n{error}")
        return
    click.echo(f"Make a site of it: vetrina init --profile {path} --empty --url https://new.example")

"""`vetrina import`: another site comes in, from its address, its export file, or a folder of `vetrina export`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from vetrina.transfer.importing import ImportImpossible, import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.records import SkippedRecord, Source, SourceError
from vetrina.transfer.sources.wxr.source import ExportFileSource

from .import_progress import ProgressLine
from .site_folder import open_site_folder, replace_text, site_option, unwind_on_sigterm
from .source_access import add_credential_options, add_pace_options, is_address, open_source, read_credentials


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
def command(
    source: str, folder: Path, keep_ids: bool | None, authors: dict[str, str], author: str, files: Path | None,
    no_files: bool, allow_private: bool, parallel: int, rate: float, login: str | None, auth_file: Path | None,
    dry_run: bool, report_file: Path | None,
) -> None:  # fmt: skip
    """Bring in another site: SOURCE is its address, its export file (WXR), or a folder of `vetrina export`.

    It may be interrupted: the next run goes on, and one after that brings only what has changed. The site may be
    served meanwhile. An address is read with an account, or gives only what is public.
    """
    if files is not None and no_files:
        raise click.UsageError("--files says where files are, --no-files that none come; leave one of them out")
    is_file = not is_address(source) and Path(source).is_file()
    if files is not None and not is_file:
        raise click.UsageError("--files belongs to an export file; the library of an address or folder comes with it")
    options = ImportOptions(keep_ids, dry_run, not no_files, author, authors)
    unread: list[SkippedRecord] = []
    progress = ProgressLine()
    with open_site_folder(folder) as site, unwind_on_sigterm():
        try:
            opened: Source = (
                ExportFileSource(Path(source), files, allow_private)
                if is_file
                else open_source(
                    source, read_credentials("", login, auth_file), allow_private=allow_private, parallel=parallel,
                    rate=rate, report_skipped=unread.append,
                )
            )  # fmt: skip
            report = import_records(site, opened, options, progress.show, unread)
        except (SourceError, ImportImpossible) as error:
            raise click.ClickException(str(error)) from None
        finally:
            progress.end()
    click.echo(report.to_text())
    if report_file is not None:
        text = json.dumps(report.to_json(), ensure_ascii=False, indent=2)
        replace_text(report_file, f"{text}\n", 0o644)

"""`vetrina import`: another site comes in from its export file."""

from __future__ import annotations

import json
from pathlib import Path

import click

from vetrina.transfer.importing import ImportImpossible, import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.records import SourceError
from vetrina.transfer.sources.wxr.source import ExportFileSource

from .import_progress import ProgressLine
from .site_folder import open_site_folder, replace_text, site_option, unwind_on_sigterm


def _split_authors(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    pairs = [value.partition("=") for value in values]
    for (old, sign, new), value in zip(pairs, values, strict=True):
        if not (old and sign and new):
            raise click.BadParameter(f"{value!r} is no pair; write OLD=NEW, the login there and the login here")
    return {old: new for old, _, new in pairs}


@click.command("import")
@click.argument("source", metavar="FILE.xml", type=click.Path(exists=True, dir_okay=False, path_type=Path))
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
    help="The folder of the old site's uploads, instead of fetching them.",
)
@click.option("--no-files", is_flag=True, help="Leave the files of the library out; a later import can bring them.")
@click.option("--allow-private", is_flag=True, help="Fetch files from the private network too.")
@click.option("--dry-run", is_flag=True, help="Tell what would come, and write nothing.")
@click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.json",
    help="Where the report is written, as JSON.",
)
def command(
    source: Path, folder: Path, keep_ids: bool | None, authors: dict[str, str], author: str, files: Path | None,
    no_files: bool, allow_private: bool, dry_run: bool, report_file: Path | None,
) -> None:  # fmt: skip
    """Bring in the site that FILE.xml, an export (WXR), holds.

    It may be interrupted: the next run goes on, and one after that brings only what has changed. The site may be
    served meanwhile.
    """
    if files is not None and no_files:
        raise click.UsageError("--files says where files are, --no-files that none come; leave one of them out")
    options = ImportOptions(keep_ids, dry_run, not no_files, author, authors)
    progress = ProgressLine()
    with open_site_folder(folder) as site, unwind_on_sigterm():
        try:
            report = import_records(site, ExportFileSource(source, files, allow_private), options, progress.show)
        except (SourceError, ImportImpossible) as error:
            raise click.ClickException(str(error)) from None
        finally:
            progress.end()
    click.echo(report.to_text())
    if report_file is not None:
        text = json.dumps(report.to_json(), ensure_ascii=False, indent=2)
        replace_text(report_file, f"{text}\n", 0o644)

"""`vetrina export`: a whole site as the JSON of its interface, one file a record, in a folder."""

from __future__ import annotations

from pathlib import Path

import click

from vetrina.transfer.comparable_source import ComparableSource
from vetrina.transfer.folder_export import CannotExport, ExportTotals, export_to_folder
from vetrina.transfer.records import SkippedRecord, SourceError
from vetrina.transfer.sources.address.site_source import SiteSource

from .backup import ThrottledProgress, progress_option
from .site_connection import LocalConnection
from .site_folder import open_site_folder, site_option
from .source_access import (
    add_credential_options,
    add_pace_options,
    is_address,
    open_source,
    read_credentials,
    tell_skipped,
)


@click.command("export")
@click.argument("places", nargs=-1, required=True, metavar="[ADDRESS] TARGET")
@site_option
@add_pace_options
@add_credential_options()
@progress_option
def command(
    places: tuple[str, ...],
    folder: Path,
    login: str | None,
    auth_file: Path | None,
    allow_private: bool,
    parallel: int,
    rate: float,
    progress: bool | None,
) -> None:
    """Write a whole site into the folder TARGET: the JSON of its interface, one file a record, its library beside.

    The site is that of --site, or the one at ADDRESS, read over its interface. Members have neutral names and stand in
    one order: an unchanged site is written in the same bytes, and only the files of what changed are touched, so that
    TARGET can be a repository. `vetrina compare` reads it.
    """
    if len(places) > 2 or (len(places) == 2 and not is_address(places[0])) or is_address(places[-1]):
        raise click.UsageError("name the folder to write, and before it the address of a site if it isn't --site's")
    target = Path(places[-1])
    skipped: list[SkippedRecord] = []

    def report(one: SkippedRecord) -> None:
        skipped.append(one)
        tell_skipped(one)

    try:
        if len(places) == 2:
            source = open_source(
                places[0], read_credentials("", login, auth_file), allow_private=allow_private, parallel=parallel,
                rate=rate, report_skipped=report,
            )  # fmt: skip
            totals = _export(source, target, progress)
        else:
            with open_site_folder(folder) as site:
                source = SiteSource(LocalConnection(site), report_skipped=report)
                totals = _export(source, target, progress)
    except (SourceError, CannotExport) as error:
        raise click.ClickException(str(error)) from error
    _tell_totals(source, target, totals, len(skipped))


def _export(source: ComparableSource, target: Path, progress: bool | None) -> ExportTotals:
    """Write a source into a folder. Raises SourceError, CannotExport."""
    show = ThrottledProgress(progress)

    def tell(resource: str, done: int, total: int | None) -> None:
        show(f"{resource}: {done}" if total is None else f"{resource}: {done} of {total}")

    totals = export_to_folder(source, target, tell=tell)
    show.finish()
    return totals


def _tell_totals(source: ComparableSource, target: Path, totals: ExportTotals, skipped: int) -> None:
    description = source.describe()
    click.echo(f"{totals.records} records of {description.title!r} are in {target}, with {totals.files} files.")
    click.echo(f"{totals.written} of them are new or changed, {totals.removed} files were removed.")
    if totals.missing:
        click.echo(f"{totals.missing} files of the library are not to be had.")
    if skipped:
        click.echo(f"{skipped} records could not be read; they are named above.")
    for path, reason in description.unreadable.items():
        click.echo(f"not shown: {path}: {reason}")

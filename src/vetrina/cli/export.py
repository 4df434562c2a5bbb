"""`vetrina export`: a site as the JSON of its interface, one file a record, as an export file, or its products."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from vetrina.transfer.comparable_source import ComparableSource
from vetrina.transfer.folder_export import CannotExport, ExportTotals, export_to_folder
from vetrina.transfer.products_csv.export import export_products
from vetrina.transfer.records import SkippedRecord, SourceError
from vetrina.transfer.sources.address.site_source import SiteSource
from vetrina.transfer.wxr_export.export import WxrTotals, export_to_wxr

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

T = TypeVar("T")
_Tell = Callable[[str, int, int | None], None]


@click.command("export")
@click.argument("places", nargs=-1, metavar="[ADDRESS] [TARGET]")
@site_option
@click.option(
    "--products",
    "products_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.csv",
    help="Write the products alone instead, as a table that other shops read; there is no TARGET then.",
)
@click.option(
    "--wxr", "wxr_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.xml",
    help="Write an export file (WXR) instead, as other systems read it; there is no TARGET then.",
)  # fmt: skip
@add_pace_options
@add_credential_options()
@progress_option
def command(
    places: tuple[str, ...],
    folder: Path,
    products_file: Path | None,
    wxr_file: Path | None,
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
    addresses, targets = [one for one in places if is_address(one)], [one for one in places if not is_address(one)]
    files = [one for one in (products_file, wxr_file) if one is not None]
    if len(addresses) > 1 or (addresses and not is_address(places[0])) or len(targets) + len(files) != 1:
        raise click.UsageError("name the folder to write, or a file by --wxr or --products, and before it the address "
                               "of a site if it isn't --site's")  # fmt: skip
    skipped: list[SkippedRecord] = []

    def report(one: SkippedRecord) -> None:
        skipped.append(one)
        tell_skipped(one)

    def export(source: ComparableSource) -> None:
        if products_file is not None:
            rows = _run(lambda tell: export_products(source, products_file, tell=tell), progress)
            title = source.describe().title
            click.echo(f"{rows} products and variations of {title!r} are in {products_file}.")
        elif wxr_file is not None:
            _tell_file(source, wxr_file, _run(lambda tell: export_to_wxr(source, wxr_file, tell=tell), progress))
        else:
            target = Path(targets[0])
            totals = _run(lambda tell: export_to_folder(source, target, tell=tell), progress)
            _tell_totals(source, target, totals)

    try:
        if addresses:
            source = open_source(
                addresses[0], read_credentials("", login, auth_file), allow_private=allow_private, parallel=parallel,
                rate=rate, report_skipped=report,
            )  # fmt: skip
            export(source)
        else:
            with open_site_folder(folder) as site:
                source = SiteSource(LocalConnection(site), report_skipped=report)
                export(source)
    except (SourceError, CannotExport) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or 'the export'} can't be written: {error.strerror}") from error
    if skipped:
        click.echo(f"{len(skipped)} records could not be read; they are named above.")
    for path, reason in source.describe().unreadable.items():
        click.echo(f"not shown: {path}: {reason}")


def _run(write: Callable[[_Tell], T], progress: bool | None) -> T:
    """Return what `write` returns, with its progress shown. Raises SourceError, CannotExport."""
    show = ThrottledProgress(progress)

    def tell(resource: str, done: int, total: int | None) -> None:
        show(f"{resource}: {done}" if total is None else f"{resource}: {done} of {total}")

    totals = write(tell)
    show.finish()
    return totals


def _tell_totals(source: ComparableSource, target: Path, totals: ExportTotals) -> None:
    title = source.describe().title
    click.echo(f"{totals.records} records of {title!r} are in {target}, with {totals.files} files.")
    click.echo(f"{totals.written} of them are new or changed, {totals.removed} files were removed.")
    if totals.missing:
        click.echo(f"{totals.missing} files of the library are not to be had.")


def _tell_file(source: ComparableSource, path: Path, totals: WxrTotals) -> None:
    items = (f"{count} {type}" for type, count in totals.items.items())
    inside = (_count(totals.authors, "author"), _count(totals.terms, "term"), _count(totals.comments, "comment"))
    click.echo(f"{source.describe().title!r} is in {path}:")
    for line in filter(None, (", ".join(items), ", ".join(inside))):
        click.echo(f"  {line}")
    if totals.left_out:
        click.echo("An export file has no place for:")
    for one in totals.left_out:
        click.echo(f"  {one}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"

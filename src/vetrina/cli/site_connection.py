"""A site of this machine as the source of `vetrina export`: transfer/sources/own_site.py."""

from __future__ import annotations

import click

from vetrina.site import Site
from vetrina.transfer.records import SourceError
from vetrina.transfer.sources.own_site import OwnSiteConnection


class LocalConnection(OwnSiteConnection):
    """A site's interface, asked in this process. Raises ClickException where the site has no administrator."""

    def __init__(self, site: Site) -> None:
        try:
            super().__init__(site)
        except SourceError as error:
            raise click.ClickException(str(error)) from None

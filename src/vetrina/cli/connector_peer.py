"""`vetrina connector-peer`: a service that sites may register with, for tests and demonstrations."""

from __future__ import annotations

import logging
from pathlib import Path

import click

from vetrina.fake_service.mirror import SiteMirror
from vetrina.fake_service.service import FakeService

from .site_folder import unwind_on_sigterm


@click.command("connector-peer")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=int, default=9100, show_default=True, help="Port to listen on; 0 for a free one.")
@click.option(
    "--data", type=click.Path(path_type=Path), default="peer.sqlite", show_default=True, metavar="FILE",
    help="Where it keeps sites, tokens and mirrors.",
)  # fmt: skip
@click.option("--pull", type=float, default=2.0, show_default=True, help="Seconds between two pulls; 0: when told.")
def command(host: str, port: int, data: Path, pull: float) -> None:
    """Be the outside service of the connector, until Ctrl-C.

    A site whose profile has `connector.service_url` set to this URL registers here; its changes are pulled into FILE.
    `GET /sites` lists them; `POST /pull/ID` pulls one now, `GET /compare/ID` compares checksums, `POST /mend/ID`
    fetches what differs.
    """
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    mirror = SiteMirror(data)
    peer = FakeService(host, port, mirror, pull)
    click.echo(f"The peer answers at {peer.url}; set connector.service_url to it.")
    with unwind_on_sigterm():
        try:
            peer.run()
        except KeyboardInterrupt:
            pass
        finally:
            peer.puller.stop()
            peer.server.server_close()
            mirror.close()

"""What a running site tells its operators: whether it is ready, its figures, and which build it is.

How that is told: http/observability.py.
"""

from __future__ import annotations

import logging
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from vetrina import __version__
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind, TooManyGuesses
from vetrina.backends import database_schema
from vetrina.backends.database import Database
from vetrina.backends.site_folder import CannotOpenSite
from vetrina.core.user import NOBODY
from vetrina.http.metrics import Gauge
from vetrina.http.observability import Observability, build_observability
from vetrina.http.ops_endpoints import METRICS_PATH
from vetrina.kernel.keys import is_equal_secret
from vetrina.rest.call import Request
from vetrina.system.health.site_stats import compute_site_stats

if TYPE_CHECKING:
    from vetrina.site import Site

_LOG: Final = logging.getLogger("vetrina.site")


def build_site_observability(site: Site, run: Path | None) -> Observability:
    """Return what tells the operators of a site. run: the folder of the running server, None where there is none."""
    # All must pass for the site to be ready.
    checks = {
        "database": lambda: database_schema.find_revision(site.database),
        "migrations": lambda: _require_current(site.database),
        "files": site.files.check_reachable,
    }
    return build_observability(
        site.context.settings,
        run,
        checks,
        lambda: _iterate_gauges(site),
        _describe_build(site),
        lambda remote, given, token: _is_metrics_token(site, remote, given, token),
        site.replicas.describe,
    )


def _require_current(database: Database) -> None:
    found = database_schema.find_revision(database)
    if found != database_schema.HEAD_REVISION:
        raise CannotOpenSite(f"the database stands at {found}, this version needs {database_schema.HEAD_REVISION}")


def _iterate_gauges(site: Site) -> Iterator[Gauge]:
    """Yield the figures of the site for its metrics."""
    with site.work(read=True) as work:
        now = compute_site_stats(work)
    for state, count in now.jobs.items():
        yield Gauge("jobs", "Background jobs by state.", count, {"state": state})
    yield Gauge("jobs_late_seconds", "Seconds by which the oldest job that waits is late.", now.late)
    yield Gauge("search_lag_changes", "Changes that the search index has not read yet.", now.search_lag)
    yield Gauge("database_bytes", "Bytes of the database.", now.database)
    yield Gauge("uploads_bytes", "Bytes of uploaded files, without the sizes made of them.", now.uploads)
    for state, count in site.database.facts().items():
        yield Gauge("database_connections", "Connections of the answering process.", count, {"state": state})
    yield from site.replicas.iterate_gauges()


def _is_metrics_token(site: Site, remote: str, given: str, token: str) -> bool:
    """Return whether a text is the token of the metrics. Raises TooManyGuesses."""
    request = Request("GET", METRICS_PATH, origin=site.context.origin, remote=remote)
    try:
        with site.open_work(request, NOBODY, True) as work:
            return guess_limiter.matches_secret(work, SecretKind.METRICS, None, given, token)
    except TooManyGuesses:
        raise
    except Exception:
        # Operators need the metrics all the more while the database is unreachable.
        _LOG.exception("guesses at the token of the metrics are not counted")
        return is_equal_secret(given, token)


def _describe_build(site: Site) -> dict[str, str]:
    profile, python = site.context.profile.name, platform.python_version()
    return {"version": __version__, "profile": profile, "database": site.database.kind, "python": python}

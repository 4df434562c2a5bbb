"""What runs beside the answers, as the settings want it: ids, lines, metrics, limits of rate, health, the drain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vetrina.http import client_address
from vetrina.http.health import Health
from vetrina.http.metrics import Gauge, Metrics
from vetrina.http.ops_endpoints import LEAST_TOKEN, LOCAL, Operators
from vetrina.http.rate_limiter import Rates
from vetrina.http.request_trace import Ids, Observer, lines_wanted
from vetrina.http.shutdown import Draining
from vetrina.settings import Settings, SettingsError

__all__ = ["Upkeep", "upkeep"]


@dataclass(frozen=True)
class Upkeep:
    """observer, rates: None where the settings want none of it, so that requests pay nothing for it."""

    operators: Operators
    draining: Draining
    ids: Ids = field(default_factory=Ids)
    observer: Observer | None = None
    rates: Rates | None = None

    def close(self) -> None:
        """Say that the process stops, and let go of what is open."""
        self.draining.begin_here()
        self.operators.close()


def upkeep(
    settings: Settings,
    folder: Path | None,
    parts: Mapping[str, Callable[[], object]],
    gauges: Callable[[], Iterable[Gauge]],
    build: dict[str, str],
    proves: Callable[[str, str, str], bool],
) -> Upkeep:
    """Return the upkeep of a site.

    folder: of the server's run, which its workers share; None: each process counts for itself.
    parts: what readiness looks at (http/health.py). gauges, build: for the metrics.
    proves: (address of the caller, text, token) → whether the text is the token of the metrics; raises ApiError.
    Raises SettingsError.
    """
    if settings.metrics and settings.metrics != LOCAL and len(settings.metrics) < LEAST_TOKEN:
        raise SettingsError(f"metrics: a token has {LEAST_TOKEN} letters or more; or write {LOCAL!r}")
    if settings.health and not settings.health.startswith("/"):
        raise SettingsError(f"health: {settings.health!r} is no path; begin it with a stroke, or leave it empty")
    draining = Draining(folder)
    metrics = Metrics(folder, gauges, build) if settings.metrics else None
    lines = lines_wanted()
    limited = settings.rate_per_address or settings.rate_per_key
    return Upkeep(
        draining=draining,
        operators=Operators(
            Health(parts, draining.__bool__),
            settings.health,
            metrics,
            settings.metrics,
            lambda scope, text, token: proves(client_address.remote(scope, settings.trust_proxy), text, token),
        ),
        observer=Observer(metrics, lines) if metrics is not None or lines else None,
        rates=Rates(settings.rate_per_address, settings.rate_per_key, settings.secret, folder) if limited else None,
    )

"""What runs beside responses, by the settings: request ids, log lines, metrics, rate limits, health, shutdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vetrina.http import client_address
from vetrina.http.health import SiteHealth
from vetrina.http.metrics import Gauge, RequestMetrics
from vetrina.http.ops_endpoints import LOCAL, MIN_TOKEN_LENGTH, OpsEndpoints
from vetrina.http.rate_limiter import RateLimiter
from vetrina.http.request_trace import RequestIds, RequestObserver, is_request_log_enabled
from vetrina.http.shutdown import ShutdownFlag
from vetrina.settings import Settings, SettingsError


@dataclass(frozen=True)
class Observability:
    """observer, rate_limiter: None where the settings do not ask for it, so that requests pay nothing for it."""

    ops_endpoints: OpsEndpoints
    shutdown_flag: ShutdownFlag
    request_ids: RequestIds = field(default_factory=RequestIds)
    observer: RequestObserver | None = None
    rate_limiter: RateLimiter | None = None

    def close(self) -> None:
        """Mark this process as stopping, and close what is open."""
        self.shutdown_flag.begin_here()
        self.ops_endpoints.close()


def build_observability(
    settings: Settings,
    folder: Path | None,
    parts: Mapping[str, Callable[[], object]],
    gauges: Callable[[], Iterable[Gauge]],
    build: dict[str, str],
    check_token: Callable[[str, str, str], bool],
    describe_replicas: Callable[[], Mapping[str, str]] = dict,
) -> Observability:
    """Return the observability of a site.

    folder: of the server's run, which its workers share; None: each process counts for itself.
    parts: the checks of readiness, describe_replicas: what it tells beside them (http/health.py). gauges, build: for
    the metrics.
    check_token: (client address, text, token) → whether the text is the token of the metrics; raises ApiError.
    Raises SettingsError.
    """
    if settings.metrics and settings.metrics != LOCAL and len(settings.metrics) < MIN_TOKEN_LENGTH:
        raise SettingsError(f"metrics: a token has {MIN_TOKEN_LENGTH} letters or more; or write {LOCAL!r}")
    if settings.health and not settings.health.startswith("/"):
        raise SettingsError(f"health: {settings.health!r} is no path; begin it with a slash, or leave it empty")
    draining = ShutdownFlag(folder)
    metrics = RequestMetrics(folder, gauges, build) if settings.metrics else None
    lines = is_request_log_enabled()
    limited = settings.rate_per_address or settings.rate_per_key
    return Observability(
        shutdown_flag=draining,
        ops_endpoints=OpsEndpoints(
            SiteHealth(parts, draining.__bool__, describe_replicas),
            settings.health,
            metrics,
            settings.metrics,
            lambda scope, text, token: check_token(
                client_address.get_remote_address(scope, settings.trust_proxy), text, token
            ),
        ),
        observer=RequestObserver(metrics, lines) if metrics is not None or lines else None,
        rate_limiter=RateLimiter(settings.rate_per_address, settings.rate_per_key, settings.secret, folder)
        if limited
        else None,
    )

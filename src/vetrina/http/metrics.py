"""Request metrics, and the page from which Prometheus reads them.

Each worker writes its numbers into a mapped file in the server's run folder; the worker that is asked sums up all of
them, those of exited workers too, so that no counter ever decreases. Counting costs a microsecond a request; the
library that renders the page is imported on first use. What is counted: http/request_trace.py; who may read the page:
http/ops_endpoints.py.
"""

from __future__ import annotations

import json
import logging
import os
import uuid
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from vetrina.http.shared_memory import map_shared_memory

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric


_LOG = logging.getLogger("vetrina.metrics")
BUCKET_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
_SUM = len(BUCKET_BOUNDS) + 1  # cell of a series behind its counts; the last count is of requests above every bound
_WIDTH = _SUM + 1
_PROCESS, _IN_FLIGHT, _CACHED, _REFUSED, _FIRST = 0, 1, 2, 3, 4  # cells before the series
_MAX_SERIES: Final = 4096  # series of a process; further ones are counted together
_CELLS: Final = _FIRST + (_MAX_SERIES + 1) * _WIDTH
_OVERFLOW_SERIES: Final = ("OTHER", "(beyond)", 0)
_KNOWN_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

SeriesKey = tuple[str, str, int]  # method, template of the route, hundreds of the status


class Gauge(NamedTuple):
    """A current figure of the site. name: without the common prefix. help: one sentence."""

    name: str
    help: str
    value: float
    labels: dict[str, str] = {}


class RequestMetrics:
    """The counters of this process, and the page for all processes.

    folder: of the server's run; None: this process counts alone. gauges: returns the figures of the site.
    build: labels that identify the running version.
    """

    def __init__(self, folder: Path | None, gauges: Callable[[], Iterable[Gauge]], build: dict[str, str]) -> None:
        self._folder, self._gauges, self._build = folder, gauges, build
        self._stem = f"metrics-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        memory, _ = map_shared_memory(folder / self._stem if folder else None, _CELLS * 8)
        self._cells = memory.cast("d")
        self._cells[_PROCESS] = os.getpid()
        self._series: dict[SeriesKey, int] = {}

    def count_start(self) -> None:
        """Count the start of a request."""
        self._cells[_IN_FLIGHT] += 1

    def count_end(self, method: str, route: str, status: int, seconds: float, from_cache: bool, refused: bool) -> None:
        """Count the end of a request.

        route: its template, never its path. from_cache: whether it was answered from the cache;
        refused: whether it exceeded the rate limit.
        """
        cells = self._cells
        cells[_IN_FLIGHT] -= 1
        if from_cache:
            cells[_CACHED] += 1
        if refused:
            cells[_REFUSED] += 1
        series = method if method in _KNOWN_METHODS else "OTHER", route, status // 100
        at = self._series.get(series)
        if at is None:
            at = self._open_series(series)
        cells[at + bisect_left(BUCKET_BOUNDS, seconds)] += 1
        cells[at + _SUM] += seconds

    def _open_series(self, series: SeriesKey) -> int:
        """Return the cells of a new series; its name is written before anything is counted."""
        if len(self._series) >= _MAX_SERIES and series != _OVERFLOW_SERIES:
            return self._series.get(_OVERFLOW_SERIES) or self._open_series(_OVERFLOW_SERIES)
        at = _FIRST + len(self._series) * _WIDTH
        if self._folder is not None:
            with (self._folder / f"{self._stem}.names").open("a", encoding="utf-8") as names:
                names.write(json.dumps(series) + "\n")
        self._series[series] = at
        return at

    def render_page(self, accept: str) -> tuple[str, bytes]:
        """Return content type and text of the page; accept: the client's Accept header."""
        # Imported only where somebody reads the page.
        from prometheus_client.exposition import choose_encoder
        from prometheus_client.registry import CollectorRegistry

        registry = CollectorRegistry(auto_describe=False)
        registry.register(_MetricsCollector(list(self._iterate_metrics())))
        encode, kind = choose_encoder(accept)
        return kind, encode(registry)

    def _iterate_metrics(self) -> Iterator[Metric]:
        from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        heads, series = self._sum_processes()
        requests = CounterMetricFamily(
            "vetrina_requests", "Requests that were answered.", labels=("method", "route", "status")
        )
        taken: dict[tuple[str, str], list[float]] = {}
        for (method, route, hundred), cells in sorted(series.items()):
            requests.add_metric((method, route, f"{hundred}xx" if hundred else "none"), sum(cells[:_SUM]))
            sums = taken.setdefault((method, route), [0.0] * _WIDTH)
            taken[method, route] = [a + b for a, b in zip(sums, cells, strict=True)]
        yield requests
        seconds = HistogramMetricFamily(
            "vetrina_request_seconds", "Seconds from a request to the end of its answer.", labels=("method", "route")
        )
        for names, sums in taken.items():
            counted, buckets = 0.0, []
            for bound, count in zip((*map(str, BUCKET_BOUNDS), "+Inf"), sums[:_SUM], strict=True):
                counted += count
                buckets.append((bound, counted))
            seconds.add_metric(names, buckets, sums[_SUM])
        yield seconds
        for name, help, at in (
            ("vetrina_kept_answers", "Requests that a kept answer was good for.", _CACHED),
            ("vetrina_refused_requests", "Requests that were refused because too many came.", _REFUSED),
        ):
            yield CounterMetricFamily(name, help, value=sum(head[at] for head in heads))
        living = [head for head in heads if _is_alive(int(head[_PROCESS]))]
        yield GaugeMetricFamily("vetrina_workers", "Processes that answer.", value=len(living))
        at_hand = sum(head[_IN_FLIGHT] for head in living)
        yield GaugeMetricFamily("vetrina_requests_in_flight", "Requests that are at hand.", value=at_hand)
        build = GaugeMetricFamily("vetrina_build_info", "What runs; always 1.", labels=list(self._build))
        build.add_metric(list(self._build.values()), 1)
        yield build
        found: dict[str, GaugeMetricFamily] = {}
        for gauge in self._collect_gauges():
            family = found.get(gauge.name)
            if family is None:
                family = found[gauge.name] = GaugeMetricFamily(
                    f"vetrina_{gauge.name}", gauge.help, labels=list(gauge.labels)
                )
            family.add_metric(list(gauge.labels.values()), gauge.value)
        yield from found.values()

    def _collect_gauges(self) -> list[Gauge]:
        """Return the figures of the site, and whether it could provide them."""
        description = "Whether the database answers."
        try:
            return [Gauge("database_up", description, 1), *self._gauges()]
        except Exception as error:
            _LOG.warning("the figures of the site cannot be had: %s: %s", type(error).__name__, error)
            return [Gauge("database_up", description, 0)]

    def _sum_processes(self) -> tuple[list[list[float]], dict[SeriesKey, list[float]]]:
        """Return the cells before the series of each process, and the series of all processes summed up."""
        heads: list[list[float]] = []
        series: dict[SeriesKey, list[float]] = {}
        for cells, names in self._iterate_processes():
            heads.append([cells[at] for at in range(_FIRST)])
            for number, name in enumerate(names):
                at = _FIRST + number * _WIDTH
                sums = series.setdefault(name, [0.0] * _WIDTH)
                series[name] = [sums[one] + cells[at + one] for one in range(_WIDTH)]
        return heads, series

    def _iterate_processes(self) -> Iterator[tuple[Any, list[SeriesKey]]]:
        """Yield the cells of each process and the names of its series."""
        yield self._cells, list(self._series)
        for path in self._folder.glob("metrics-*.names") if self._folder else ():
            if path.stem != self._stem:
                lines = path.read_text(encoding="utf-8").split("\n")[:-1]
                cells = memoryview(path.with_suffix("").read_bytes()).cast("d")
                yield cells, [(method, route, hundred) for method, route, hundred in map(json.loads, lines)]


class _MetricsCollector:
    def __init__(self, metrics: list[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> list[Metric]:
        return self._metrics


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True

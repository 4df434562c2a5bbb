"""Requests of the site to itself: a record as the interface shows it, inside an open transaction; reads of a route."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

import orjson

from vetrina import modules
from vetrina.backends.database import Database
from vetrina.backends.transaction_retries import run_with_retries
from vetrina.core.site_context import RecordSerializer, SerializedRecord, SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.site_paths import get_base_path
from vetrina.rest import query_strings
from vetrina.rest.call import Request, Response
from vetrina.rest.dialects.dialect import Dialect, compile_dialects
from vetrina.rest.dispatcher import Dispatcher

_ORDERS_PATH: Final = "/shop/v3/orders"


def serialize_record(work: UnitOfWork, path: str) -> SerializedRecord | None:
    """Return a record as the interface shows it, where no site has the routes; they are built on first use."""
    return _load_record_serializer(work.site)(work, path)


def read_route(database: Database, site: SiteContext, request: Request, caller: User) -> Response:
    """Return the answer to a GET where no site has the routes."""
    return _load_reader(database, site).answer(request, caller)


@lru_cache(maxsize=1)
def _load_reader(database: Database, site: SiteContext) -> Dispatcher:
    @contextmanager
    def open_work(request: Request, caller: User, read: bool) -> Iterator[UnitOfWork]:
        with database.begin_read() as tx:
            yield UnitOfWork(
                site, tx, caller, root=request.root, origin=request.origin, language=request.language,
                budget=site.budget(request), precomputed=request.precomputed,
            )  # fmt: skip

    return Dispatcher(*modules.build_route_table(site), open_work, run_with_retries, site.profile.limits)


@lru_cache(maxsize=1)
def _load_record_serializer(site: SiteContext) -> RecordSerializer:
    table, index = modules.build_route_table(site)
    dispatcher = Dispatcher(table, index, _refuse_transaction, lambda answer: answer(), site.profile.limits)
    return build_record_serializer(
        dispatcher, compile_dialects(site.profile.dialects, index, get_base_path(site.settings.url))
    )


def _refuse_transaction(request: Request, caller: User, read: bool) -> Any:
    raise NotImplementedError("records are shown inside a transaction that is open already")


def build_record_serializer(dispatcher: Dispatcher, dialects: Iterable[Dialect | None]) -> RecordSerializer:
    """Return a serializer of records for an open transaction, in the dialect of the unit of work's root."""
    spoken = {dialect.prefix: dialect for dialect in dialects if dialect is not None}

    def show(work: UnitOfWork, path: str) -> SerializedRecord | None:
        dialect = spoken.get(work.root.rpartition("/")[2])
        space = dialect.names.path(_ORDERS_PATH) if dialect is not None else _ORDERS_PATH
        space = space.strip("/").partition("/")[0]
        if not path:
            return SerializedRecord(b"", space)
        path, _, query = path.partition("?")
        request = Request(
            "GET", path, work.root, work.origin, work.language, query=query_strings.parse_query(query), inner=True
        )
        answer = dispatcher.answer_within(request, work)
        if answer.failed:
            return None
        if dialect is None:
            return SerializedRecord(orjson.dumps(answer.body), space)
        return SerializedRecord(dialect.encode_body(request, dispatcher.locate(request)[2], answer.body)[0], space)

    return show

"""Requests of the site to itself: serializes a record as the interface does, inside an open transaction."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

import orjson

from vetrina import modules
from vetrina.core.site_context import RecordSerializer, SerializedRecord, SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.site_paths import get_base_path
from vetrina.rest import query_strings
from vetrina.rest.call import Request
from vetrina.rest.dialects.dialect import Dialect, compile_dialects
from vetrina.rest.dispatcher import Dispatcher

_ORDERS_PATH: Final = "/shop/v3/orders"


def serialize_record(work: UnitOfWork, path: str) -> SerializedRecord | None:
    """Return a record as the interface shows it, where no site has the routes; they are built on first use."""
    return _load_record_serializer(work.site)(work, path)


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

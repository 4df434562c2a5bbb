"""An S3 of the test run: moto's, in a thread of this process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["bucket", "store"]

_KEY = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}


def answer_one_at_a_time(app: Callable[..., Any]) -> Callable[..., Any]:
    """Return a WSGI application that answers one request after the other.

    An S3 takes a free name in one step; moto looks first whether it is free.
    """
    turn = threading.Lock()

    def answer(environ: Any, start_response: Any) -> Any:
        with turn:
            return app(environ, start_response)

    return answer


@contextmanager
def bucket() -> Iterator[str]:
    """Return the URL of a server with the bucket `site`; skipped where its packages are not installed."""
    server = pytest.importorskip("moto.server", reason="the store of objects is tried against moto")
    pytest.importorskip("obstore")
    boto3 = pytest.importorskip("boto3")
    running = server.ThreadedMotoServer(port=0, verbose=False)
    running.start()
    running._server.app = answer_one_at_a_time(running._server.app)
    try:
        _host, port = running.get_host_and_port()
        address = f"http://127.0.0.1:{port}"
        boto3.client("s3", endpoint_url=address, region_name="us-east-1", **_KEY).create_bucket(Bucket="site")
        yield address
    finally:
        running.stop()


def store(address: str, prefix: str) -> str:
    """Return the URL of a store below a prefix of the bucket, as the setting `media` takes it."""
    return f"s3://site/{prefix}?endpoint={address}&region=us-east-1&access_key_id=test&secret_access_key=test"

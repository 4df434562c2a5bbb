"""An S3 of the test run: moto's, in a thread of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

__all__ = ["bucket", "store"]

_KEY = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}


@contextmanager
def bucket() -> Iterator[str]:
    """Return the URL of a server with the bucket `site`; skipped where its packages are not installed."""
    server = pytest.importorskip("moto.server", reason="the store of objects is tried against moto")
    pytest.importorskip("obstore")
    boto3 = pytest.importorskip("boto3")
    running = server.ThreadedMotoServer(port=0, verbose=False)
    running.start()
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

"""A Python client of the interface, synchronous and asynchronous.

    with Client("https://example.org", ("admin", "an application password")) as client:
        for post in client.posts.list(per_page=100):
            print(post["title"]["rendered"])

It needs the extra `client` of this package, and nothing of the server. Guide: docs/python-client.md.
"""

try:
    import httpx2 as httpx2
except ImportError as error:
    raise ImportError("the client needs its HTTP library: pip install 'vetrina[client]'") from error

from vetrina.client.request_builders import Page

from .batch import AsyncBatch, Batch, Part
from .cart import Cart
from .client import AsyncClient, Client
from .collection import AsyncCollection, Collection
from .credentials import ApplicationPassword, ConsumerKey, Credentials, Session
from .errors import (
    ApiError,
    BatchFailed,
    Conflict,
    Forbidden,
    InvalidParameters,
    NoAnswer,
    NotFound,
    NotRun,
    NotSignedIn,
    NotUnderstood,
    ServerError,
    TooManyRequests,
    VetrinaError,
)
from .listing import AsyncListing, Listing
from .tokens import Tokens

__all__ = [
    "ApiError", "ApplicationPassword", "AsyncBatch", "AsyncClient", "AsyncCollection", "AsyncListing", "Batch",
    "BatchFailed", "Cart", "Client", "Collection", "Conflict", "ConsumerKey", "Credentials", "Forbidden",
    "InvalidParameters", "Listing", "NoAnswer", "NotFound", "NotRun", "NotSignedIn", "NotUnderstood", "Page", "Part",
    "ServerError", "Session", "Tokens", "TooManyRequests", "VetrinaError",
]  # fmt: skip

"""The client: a site's collections by name, everything else by path.

`Client` is synchronous, `AsyncClient` is awaited; both have the same methods. Calls: client/request_builders.py. The
shop, its reports and translation jobs: client/resource_groups.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2

from vetrina.client.request_builders import Asks
from vetrina.client.resource_groups import AsyncReports, AsyncShop, AsyncTranslations, Reports, Shop, Translations
from vetrina.client.transports import AsyncSender, Sender, Site

from .batch import AsyncBatch, Batch, limit_of
from .cart import Cart, cart_of
from .collection import AsyncCollection, Collection
from .credentials import ApplicationPassword, Credentials
from .exchange import Ask, Call, read_value
from .names import names
from .records import Account, Comment, Media, Post, Term
from .tokens import Tokens, sign_in_of, sign_out_of

__all__ = ["AsyncClient", "Client"]

_CMS: Final = "/cms/v2"


class Client:
    """A synchronous client of a site.

    address: URL of the site, as `https://example.org`, or of its API root. auth: login and application password, or
    other credentials; None for anonymous. dialect: `neutral` or `wordpress`. language: of reads, None for the default.
    timeout: seconds for each phase of a request. retries: how often a read is repeated after a connection error, or a
    response that asks to retry. longest_pause: seconds; a response that asks for a longer wait is an error at once.
    headers: sent with every request. environment: whether proxies from the environment are used. transport: of the HTTP
    library, for tests. Raises ValueError for an invalid URL or dialect.
    """

    def __init__(
        self, address: str, auth: Credentials | tuple[str, str] | None = None, *, dialect: str = "neutral",
        language: str | None = None, timeout: float = 30.0, retries: int = 2, longest_pause: float = 30.0,
        headers: Mapping[str, str] | None = None, environment: bool = True,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:  # fmt: skip
        site = _site(address, auth, dialect, language, timeout, retries, longest_pause, headers, environment)
        self._sender = Sender(site, transport)
        self._limit: int | None = None
        self.posts: Collection[Post] = self.collection(f"{_CMS}/posts")
        self.pages: Collection[Post] = self.collection(f"{_CMS}/pages")
        self.patterns: Collection[Post] = self.collection(f"{_CMS}/blocks")
        self.navigation: Collection[Post] = self.collection(f"{_CMS}/navigation")
        self.media: Collection[Media] = self.collection(f"{_CMS}/media")
        self.categories: Collection[Term] = self.collection(f"{_CMS}/categories")
        self.tags: Collection[Term] = self.collection(f"{_CMS}/tags")
        self.comments: Collection[Comment] = self.collection(f"{_CMS}/comments")
        self.users: Collection[Account] = self.collection(f"{_CMS}/users")
        self.menus: Collection[Term] = self.collection(f"{_CMS}/menus")
        self.menu_items: Collection[Any] = self.collection(f"{_CMS}/menu-items")
        self.translations = Translations(self._sender)
        self.shop = Shop(self.collection)
        self.reports = Reports(self._sender)

    def collection(self, path: str) -> Collection[Any]:
        """Return the collection at a path in neutral names, as `/cms/v2/intervento`."""
        return Collection(self._sender, Asks(_path(path), self._sender.site.names))

    def ask(
        self, method: str, path: str, body: Any = None, *, query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:  # fmt: skip
        """Send a request to a path in neutral names and return the JSON of the response. Raises VetrinaError."""
        return self._sender.send(_ask(method, path, body, query, headers))

    def index(self) -> dict[str, Any]:
        """Return the site's index: name, namespaces, routes, authentication methods."""
        return self._sender.send(_ask("GET", "/"))

    def sign_in(self, login: str, password: str, *, name: str = "", scopes: Iterable[str] = ()) -> Tokens:
        """Sign in with an account's own password; the tokens are the credentials from now on, and renew themselves.

        name: of this device, in the list of sessions. scopes: what for; empty for all that the account may do.
        """
        self._sender.use(None)
        tokens = Tokens("")
        tokens.take(self._sender.send(sign_in_of(login, password, name, scopes)))
        self._sender.use(tokens)
        return tokens

    def sign_out(self) -> None:
        """End the session of the tokens; the client is anonymous from now on."""
        tokens = self._sender.site.credentials
        if isinstance(tokens, Tokens):
            self._sender.send(sign_out_of(tokens))
        self._sender.use(None)

    def me(self) -> Account:
        """Return the account of the credentials. Raises NotSignedIn."""
        account: Account = self._sender.send(_ask("GET", f"{_CMS}/users/me", query={"context": "edit"}))
        return account

    def settings(self) -> dict[str, Any]:
        """Return the site's settings."""
        return self._sender.send(_ask("GET", f"{_CMS}/settings"))

    def change_settings(self, **values: Any) -> dict[str, Any]:
        """Change the given settings and return all."""
        return self._sender.send(_ask("POST", f"{_CMS}/settings", values))

    def search(self, text: str, **query: Any) -> Sequence[dict[str, Any]]:
        """Return the first page of a search over the site."""
        return self._sender.send(_ask("GET", f"{_CMS}/search", query={"search": text, **query}))

    def cart(self, token: str = "") -> Cart[dict[str, Any]]:
        """Return a visitor's cart: a new one, or that of a token."""
        return Cart(self._sender.send(cart_of(token)), self._sender.send)

    def batch(self, *, all_or_none: bool = False, keep_errors: bool = False, limit: int | None = None) -> Batch:
        """Return a batch, sent at the end of its block.

        all_or_none: nothing is run if a part is invalid. keep_errors: refused parts raise when their value is read, not
        at the end. limit: parts per request, None for the site's limit.
        """
        if limit is None:
            limit = self._limit
        if limit is None:
            limit = self._limit = self._sender.send(limit_of())
        return Batch(self._sender, limit, all_or_none, keep_errors)

    def close(self) -> None:
        """Close the connections."""
        self._sender.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient:
    """An asynchronous client of a site; the arguments are those of Client."""

    def __init__(
        self, address: str, auth: Credentials | tuple[str, str] | None = None, *, dialect: str = "neutral",
        language: str | None = None, timeout: float = 30.0, retries: int = 2, longest_pause: float = 30.0,
        headers: Mapping[str, str] | None = None, environment: bool = True,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:  # fmt: skip
        site = _site(address, auth, dialect, language, timeout, retries, longest_pause, headers, environment)
        self._sender = AsyncSender(site, transport)
        self._limit: int | None = None
        self.posts: AsyncCollection[Post] = self.collection(f"{_CMS}/posts")
        self.pages: AsyncCollection[Post] = self.collection(f"{_CMS}/pages")
        self.patterns: AsyncCollection[Post] = self.collection(f"{_CMS}/blocks")
        self.navigation: AsyncCollection[Post] = self.collection(f"{_CMS}/navigation")
        self.media: AsyncCollection[Media] = self.collection(f"{_CMS}/media")
        self.categories: AsyncCollection[Term] = self.collection(f"{_CMS}/categories")
        self.tags: AsyncCollection[Term] = self.collection(f"{_CMS}/tags")
        self.comments: AsyncCollection[Comment] = self.collection(f"{_CMS}/comments")
        self.users: AsyncCollection[Account] = self.collection(f"{_CMS}/users")
        self.menus: AsyncCollection[Term] = self.collection(f"{_CMS}/menus")
        self.menu_items: AsyncCollection[Any] = self.collection(f"{_CMS}/menu-items")
        self.translations = AsyncTranslations(self._sender)
        self.shop = AsyncShop(self.collection)
        self.reports = AsyncReports(self._sender)

    def collection(self, path: str) -> AsyncCollection[Any]:
        """Return the collection at a path in neutral names, as `/cms/v2/intervento`."""
        return AsyncCollection(self._sender, Asks(_path(path), self._sender.site.names))

    async def ask(
        self, method: str, path: str, body: Any = None, *, query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:  # fmt: skip
        """Send a request to a path in neutral names and return the JSON of the response. Raises VetrinaError."""
        return await self._sender.send(_ask(method, path, body, query, headers))

    async def index(self) -> dict[str, Any]:
        """Return the site's index: name, namespaces, routes, authentication methods."""
        return await self._sender.send(_ask("GET", "/"))

    async def sign_in(self, login: str, password: str, *, name: str = "", scopes: Iterable[str] = ()) -> Tokens:
        """Sign in with an account's own password; the tokens are the credentials from now on, and renew themselves.

        name: of this device, in the list of sessions. scopes: what for; empty for all that the account may do.
        """
        self._sender.use(None)
        tokens = Tokens("")
        tokens.take(await self._sender.send(sign_in_of(login, password, name, scopes)))
        self._sender.use(tokens)
        return tokens

    async def sign_out(self) -> None:
        """End the session of the tokens; the client is anonymous from now on."""
        tokens = self._sender.site.credentials
        if isinstance(tokens, Tokens):
            await self._sender.send(sign_out_of(tokens))
        self._sender.use(None)

    async def me(self) -> Account:
        """Return the account of the credentials. Raises NotSignedIn."""
        account: Account = await self._sender.send(_ask("GET", f"{_CMS}/users/me", query={"context": "edit"}))
        return account

    async def settings(self) -> dict[str, Any]:
        """Return the site's settings."""
        return await self._sender.send(_ask("GET", f"{_CMS}/settings"))

    async def change_settings(self, **values: Any) -> dict[str, Any]:
        """Change the given settings and return all."""
        return await self._sender.send(_ask("POST", f"{_CMS}/settings", values))

    async def search(self, text: str, **query: Any) -> Sequence[dict[str, Any]]:
        """Return the first page of a search over the site."""
        return await self._sender.send(_ask("GET", f"{_CMS}/search", query={"search": text, **query}))

    async def cart(self, token: str = "") -> Cart[Any]:
        """Return a visitor's cart, whose methods are awaited: a new one, or that of a token."""
        return Cart(await self._sender.send(cart_of(token)), self._sender.send)

    async def batch(
        self, *, all_or_none: bool = False, keep_errors: bool = False, limit: int | None = None
    ) -> AsyncBatch:
        """Return a batch, sent at the end of its block: `async with await client.batch() as batch`.

        all_or_none: nothing is run if a part is invalid. keep_errors: refused parts raise when their value is read, not
        at the end. limit: parts per request, None for the site's limit.
        """
        if limit is None:
            limit = self._limit
        if limit is None:
            limit = self._limit = await self._sender.send(limit_of())
        return AsyncBatch(self._sender, limit, all_or_none, keep_errors)

    async def close(self) -> None:
        """Close the connections."""
        await self._sender.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _ask(
    method: str, path: str, body: Any = None, query: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Ask[Any]:  # fmt: skip
    return Ask(Call(method.upper(), _path(path), query or {}, body, headers or {}), read_value)


def _path(path: str) -> str:
    if "?" in path or "#" in path:
        raise ValueError(f"{path!r} has more than a path; hand the parameters in as query={{…}}")
    return "/" + path.strip("/")


def _site(
    address: str, auth: Credentials | tuple[str, str] | None, dialect: str, language: str | None, timeout: float,
    retries: int, longest_pause: float, headers: Mapping[str, str] | None, environment: bool,
) -> Site:  # fmt: skip
    """Return the site for the arguments of a client. Raises ValueError."""
    spoken, parts = names(dialect), urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"{address!r} is no address of a site; write one such as https://example.org")
    if parts.username is not None:
        raise ValueError("an address holds no credentials; hand them in as auth=(login, application password)")
    root = address.rstrip("/")
    if root.rpartition("/")[2] != spoken.root:
        root = f"{root}/{spoken.root}"
    credentials = ApplicationPassword(*auth) if isinstance(auth, tuple) else auth
    return Site(root, spoken, credentials, language, timeout, retries, longest_pause, headers, environment)

"""Writes that take images by URL: these are fetched before the write's transaction.

Not here: fetching and storing (shop/products/image_sources.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import TooManyImages
from vetrina.media.uploads.rules import StoredUpload
from vetrina.rest.call import Request, Result
from vetrina.rest.derived_routes import RunRoute, derive_route
from vetrina.rest.route import Route
from vetrina.shop.products import image_sources

_MAX_IMAGES: Final = 25  # images fetched per write


def add_image_fetching(route: Route) -> Route:
    """Return a write route that accepts the URLs of images in `images` or `image`."""

    def around(call: Call, run: RunRoute) -> Result:
        kept: Mapping[str, StoredUpload] = call.prepared or {}
        args = call.args
        if isinstance(args.get("images"), list):
            args["images"] = [_store_image(call.work, one, kept) for one in args["images"]]
        if isinstance(args.get("image"), Mapping):
            args["image"] = _store_image(call.work, args["image"], kept)
        return run(call)

    return derive_route(
        route, around, prepare=_fetch_images, slow=True, decodes=_has_image_url,
        errors=(*route.errors, image_sources.ImageNotFetched, TooManyImages),
    )  # fmt: skip


def _has_image_url(request: Request) -> bool:
    """Return whether a request may contain an image URL; true where the name `src` could be escaped."""
    hidden = request.form or b"\\u" in request.body
    return bool(hidden) or b"src" in request.body or "src" in str(request.query)


def _store_image(work: UnitOfWork, image: Any, fetched: Mapping[str, StoredUpload]) -> Any:
    return image_sources.store_image(work, image, fetched) if isinstance(image, Mapping) else image


@contextmanager
def _fetch_images(call: Call) -> Iterator[dict[str, StoredUpload]]:
    """Fetch the images that a write gives by URL, each once."""
    work = call.work
    site, date = work.site, times.format_iso(work.site.zone.to_local(work.site.clock.now()))
    images = call.args.get("images") or ()
    given = [*(images if isinstance(images, list) else ()), call.args.get("image")]
    urls = [one["src"] for one in given if isinstance(one, Mapping) and one.get("src") and not one.get("id")]
    with ExitStack() as stack:
        yield {
            url: stack.enter_context(image_sources.fetch_image(site, url, date))
            for url in list(dict.fromkeys(urls))[:_MAX_IMAGES]
            if not image_sources.is_site_file(site, call.request.origin, url)
        }

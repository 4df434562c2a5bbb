"""Writes that take images by their addresses: these are fetched before the write's transaction.

Not here: fetching and storing (shop/products/image_sources.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import TooManyImages
from vetrina.media.uploads.rules import Kept
from vetrina.rest.call import Call, Request, Result
from vetrina.rest.derived_routes import Run, made_from
from vetrina.rest.route import Route
from vetrina.shop.products import image_sources

__all__ = ["taking_images"]

_MOST: Final = 25  # images that one write may have fetched


def taking_images(route: Route) -> Route:
    """Return a write that takes the addresses of images in `images` or `image`."""

    def around(call: Call, run: Run) -> Result:
        kept: Mapping[str, Kept] = call.prepared or {}
        args = call.args
        if isinstance(args.get("images"), list):
            args["images"] = [_stored(call.work, one, kept) for one in args["images"]]
        if isinstance(args.get("image"), Mapping):
            args["image"] = _stored(call.work, args["image"], kept)
        return run(call)

    return made_from(
        route, around, prepare=_fetched, slow=True, decodes=_names_addresses,
        errors=(*route.errors, image_sources.ImageNotFetched, TooManyImages),
    )  # fmt: skip


def _names_addresses(request: Request) -> bool:
    """Say whether a request may name an image by its address; one that hides the name does."""
    hidden = request.form or b"\\u" in request.body
    return bool(hidden) or b"src" in request.body or "src" in str(request.query)


def _stored(work: Work, image: Any, kept: Mapping[str, Kept]) -> Any:
    return image_sources.stored(work, image, kept) if isinstance(image, Mapping) else image


@contextmanager
def _fetched(call: Call) -> Iterator[dict[str, Kept]]:
    """Fetch the images that a write names by address, each once."""
    work: Work = call.work
    frame, date = work.frame, times.iso(work.frame.zone.to_local(work.frame.clock.now()))
    images = call.args.get("images") or ()
    asked = [*(images if isinstance(images, list) else ()), call.args.get("image")]
    urls = [one["src"] for one in asked if isinstance(one, Mapping) and one.get("src") and not one.get("id")]
    with ExitStack() as stack:
        yield {
            url: stack.enter_context(image_sources.fetched(frame, url, date))
            for url in list(dict.fromkeys(urls))[:_MOST]
            if not image_sources.is_own(frame, call.request.origin, url)
        }

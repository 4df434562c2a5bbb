"""Images as visitors see them: address, a small one, and the sizes that a browser may choose from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from vetrina.media.attachments import store as attachment_store
from vetrina.rest.fields import Field, Integer, String
from vetrina.shop.products import images as product_images
from vetrina.shop.products.images import Image

__all__ = ["FIELDS", "listed", "shown"]

_SMALL: Final = ("shop_thumbnail", "medium", "thumbnail")

FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the image.", readonly=True),
    "src": String("Address of the image.", format="uri", readonly=True),
    "thumbnail": String("Address of a small one.", format="uri", readonly=True),
    "srcset": String("Addresses by width, for browsers.", readonly=True),
    "sizes": String("Widths at which it is shown, for browsers.", readonly=True),
    "name": String("Name of the image.", readonly=True),
    "alt": String("What stands for it where it is not seen.", readonly=True),
}


def shown(work: Any, id: int, known: Mapping[int, Image]) -> dict[str, Any] | None:
    """Return an image, None where it is gone."""
    plain = product_images.shown(work, id, known)
    if plain is None:
        return None
    file = known[id][1]
    folder = file.file.rpartition("/")[0]
    sizes = {name: one for name, one in file.sizes.items() if one.width and one.file}
    src = plain["src"]
    addresses = {one.width: attachment_store.url(work, f"{folder}/{one.file}" if folder else one.file)
                 for one in sizes.values()}  # fmt: skip
    small = next((addresses[sizes[name].width] for name in _SMALL if name in sizes), src)
    sources = {file.width: src, **addresses} if file.width else {}
    return {
        "id": id,
        "src": src,
        "thumbnail": small,
        "srcset": ", ".join(f"{address} {width}w" for width, address in sources.items()) if addresses else "",
        "sizes": f"(max-width: {file.width}px) 100vw, {file.width}px" if addresses else "",
        "name": plain["name"],
        "alt": plain["alt"],
    }


def listed(work: Any, ids: Iterable[int], known: Mapping[int, Image]) -> list[dict[str, Any]]:
    """Return images in an order, without those that are gone."""
    return [image for id in ids if (image := shown(work, id, known)) is not None]

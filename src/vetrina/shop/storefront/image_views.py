"""Images for visitors: URL, thumbnail, and the sizes of `srcset`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from vetrina.media.attachments import store as attachment_store
from vetrina.rest.fields import Field, Integer, String
from vetrina.shop.products.images import ProductImage

_THUMBNAIL_SIZES: Final = ("shop_thumbnail", "medium", "thumbnail")

IMAGE_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the image.", readonly=True),
    "src": String("Address of the image.", format="uri", readonly=True),
    "thumbnail": String("Address of a small one.", format="uri", readonly=True),
    "srcset": String("Addresses by width, for browsers.", readonly=True),
    "sizes": String("Widths at which it is shown, for browsers.", readonly=True),
    "name": String("Name of the image.", readonly=True),
    "alt": String("What stands for it where it is not seen.", readonly=True),
}


def serialize_image(work: Any, id: int, known: Mapping[int, ProductImage]) -> dict[str, Any] | None:
    """Return an image, None where it does not exist any more."""
    found = known.get(id)
    if found is None:
        return None
    own, file = found
    folder = file.file.rpartition("/")[0]
    sizes = {name: one for name, one in file.sizes.items() if one.width and one.file}
    src = attachment_store.build_file_url(work, file.file)
    addresses = {one.width: attachment_store.build_file_url(work, f"{folder}/{one.file}" if folder else one.file)
                 for one in sizes.values()}  # fmt: skip
    small = next((addresses[sizes[name].width] for name in _THUMBNAIL_SIZES if name in sizes), src)
    sources = {file.width: src, **addresses} if file.width else {}
    return {
        "id": id,
        "src": src,
        "thumbnail": small,
        "srcset": ", ".join(f"{address} {width}w" for width, address in sources.items()) if addresses else "",
        "sizes": f"(max-width: {file.width}px) 100vw, {file.width}px" if addresses else "",
        "name": own.title,
        "alt": file.alt_text,
    }


def serialize_images(work: Any, ids: Iterable[int], known: Mapping[int, ProductImage]) -> list[dict[str, Any]]:
    """Return images in the given order, without those that do not exist any more."""
    return [image for id in ids if (image := serialize_image(work, id, known)) is not None]

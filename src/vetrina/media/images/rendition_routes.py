"""The routes that say in which sizes a picture can be had, and sign the URLs of others.

The URLs themselves: media/images/rendition_parameters.py. Rules: docs/rules/pictures.md, 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError, Failure
from vetrina.media.attachments.store import MediaFile
from vetrina.media.images import renditions
from vetrina.media.images.rendition_cuts import compute_rendition_cut
from vetrina.media.images.rendition_parameters import (
    AUTO_FORMAT,
    FITS,
    MAX_SIDE,
    PIXEL_RATIOS,
    TYPE_OF_FORMAT,
    RenditionParameters,
)
from vetrina.media.uploads.filetypes import EDITABLE_TYPES, TYPE_OF_EXTENSION
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Integer, Number, Object, String
from vetrina.rest.route import READ, WRITE, Route

_POINT = Object(
    "What stays in sight when the picture is cut, as shares of width and height.",
    properties={"x": Number(minimum=0, maximum=1), "y": Number(minimum=0, maximum=1)},
)
_SIZES = Object(
    properties={
        "url": String("Address of the picture, to which parameters are added.", format="uri"),
        "version": String("What `v` has to be, so that the answer may be kept for ever."),
        "width": Integer("Width of the picture; nothing is ever enlarged."),
        "height": Integer("Height of the picture."),
        "focal_point": _POINT,
        "widths": Array("What `w` and `h` may be without a signature.", items=Integer()),
        "formats": Array("What `format` may be.", items=String()),
        "srcset": Object(
            "A `srcset` of the whole picture in each format.", properties={name: String() for name in TYPE_OF_FORMAT}
        ),
    }
)
_SIGNED = Object(
    properties={
        "url": String("Address of the picture in this size.", format="uri"),
        "width": Integer(),
        "height": Integer(),
    }
)


class ImageHasNoRenditions(ApiError):
    """Only pictures that can be decoded have renditions."""

    failure, code = Failure.INVALID, "rest_no_rendition"
    message = "Files of the type {mime} have no other sizes."


def build_rendition_routes(
    item: str,
    require_read: Callable[[Call], None],
    require_edit: Callable[[Call], None],
    find_media: Callable[[Call], MediaFile],
    errors: tuple[type[ApiError], ...],
) -> tuple[Route, ...]:
    """Return the routes of one type of files. item: the path of one. errors: of reading it."""

    def show_sizes(call: Call) -> Result:
        """Tell in which sizes and formats a picture can be had."""
        return Result(_serialize_sizes(call, _require_image(find_media(call))))

    def sign_url(call: Call) -> Result:
        """Sign the address of a picture in any size."""
        return Result(_serialize_signed_url(call, _require_image(find_media(call))))

    id = Integer("Number of the attachment.", early=True, null="keep")
    return (
        Route(
            READ, f"{item}/renditions", show_sizes, {"id": id}, require_read, answers=_SIZES,
            errors=(*errors, ImageHasNoRenditions),
        ),
        Route(
            WRITE, f"{item}/renditions", sign_url, {"id": id, **_build_arguments()}, require_edit, answers=_SIGNED,
            status=200, read=True, errors=(*errors, ImageHasNoRenditions),
        ),
    )  # fmt: skip


def _build_arguments() -> dict[str, Field]:
    ratios = "|".join(f"{one:g}" for one in PIXEL_RATIOS)
    return {
        "w": Integer("Width in pixels; leave it out to let it follow.", minimum=1, maximum=MAX_SIDE),
        "h": Integer("Height in pixels; leave it out to let it follow.", minimum=1, maximum=MAX_SIDE),
        "fit": String("How the picture fills them.", enum=FITS, default="inside"),
        "format": String("Format; the picture's own if left out.", enum=(*TYPE_OF_FORMAT, AUTO_FORMAT)),
        "q": Integer("Quality of JPEG, WebP and AVIF.", minimum=1, maximum=95),
        "dpr": String(f"Pixels of the screen for each of the page: {ratios}.", enum=tuple(ratios.split("|"))),
    }


def _require_image(media: MediaFile) -> MediaFile:
    if TYPE_OF_EXTENSION.get(media.file.rpartition(".")[2].lower()) not in EDITABLE_TYPES or not media.width:
        raise ImageHasNoRenditions(mime=media.mime_type)
    return media


def _serialize_sizes(call: Call, media: MediaFile) -> dict[str, Any]:
    settings = call.work.site.profile.images.renditions
    url, version = renditions.build_own_url(call.work, media), renditions.compute_version(media)
    widths = [one for one in settings.widths if one <= media.width]
    return {
        "url": url,
        "version": version,
        "width": media.width,
        "height": media.height,
        "focal_point": renditions.get_focal_point(media)._asdict(),
        "widths": list(settings.widths),
        "formats": [*settings.formats, AUTO_FORMAT],
        "srcset": {
            format: ", ".join(f"{url}?w={width}&format={format}&v={version} {width}w" for width in widths)
            for format in settings.formats
        },
    }


def _serialize_signed_url(call: Call, media: MediaFile) -> dict[str, Any]:
    args = call.args
    wanted = RenditionParameters(
        args.get("w") or 0, args.get("h") or 0, args["fit"], args.get("format") or "", args.get("q") or 0,
        float(args.get("dpr") or 1),
    )  # fmt: skip
    if not (wanted.width or wanted.height or wanted.format):
        wanted = wanted._replace(width=min(media.width, MAX_SIDE))
    query = renditions.build_rendition_query(media, wanted, call.work.site.settings.secret)
    cut = compute_rendition_cut(media.size, wanted, renditions.get_focal_point(media))
    return {
        "url": f"{renditions.build_own_url(call.work, media)}?{urlencode(query)}",
        "width": cut.canvas.width,
        "height": cut.canvas.height,
    }

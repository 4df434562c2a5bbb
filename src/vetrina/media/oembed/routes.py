"""oEmbed, both ways: the site's own records for other sites, and other sites' pages for those who write here.

Rules: interface.md, "oEmbed"; facts of the interface, "oEmbed".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from xml.sax.saxutils import escape

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Refused
from vetrina.media.oembed import consumer as oembed_consumer
from vetrina.media.oembed import provider as oembed_provider
from vetrina.rest.call import Answer, Call, Request, Result
from vetrina.rest.coercion import number
from vetrina.rest.fields import AnyOf, Boolean, Integer, Number, Object, String, Untyped
from vetrina.rest.route import READ, Route

__all__ = ["routes"]

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_WIDTH = 600  # pixels
_TALLEST = 1000  # pixels
_PIXELS = AnyOf("Pixels, as its provider writes them.", (Integer(), String()))
_EMBED = Object(
    properties={
        "version": AnyOf("1.0.", (String(), Number())),
        "type": String("Kind of the embed: rich, photo, video or link."),
        "title": String(),
        "author_name": String(),
        "author_url": String(),
        "provider_name": String(),
        "provider_url": String(),
        "html": AnyOf("Markup that shows it; false where none of it may stand in a page.", (String(), Boolean())),
        "width": _PIXELS,
        "height": _PIXELS,
        "thumbnail_url": String(),
        "thumbnail_width": _PIXELS,
        "thumbnail_height": _PIXELS,
    }
)


class InvalidUrl(ApiError):
    """The address names nothing that can be embedded."""

    status, code = 404, "oembed_invalid_url"
    message = "This address names nothing that could be embedded."


class CannotEmbed(Refused):
    """Only those who write may have this server ask others."""

    code = "rest_forbidden"
    message = "You may not ask for embeds of other sites; that needs the right to write."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of oEmbed."""
    url = String("Address of the resource for which to give embed data.", format="uri", required=True)
    return (
        Route(
            READ,
            "/oembed/1.0/embed",
            _embed,
            {
                "url": url,
                "format": Untyped("Form of the answer, `json` or `xml`.", default="json"),
                "maxwidth": Untyped("Widest that the embed may be, in pixels.", default=_WIDTH),
            },
            errors=(InvalidUrl,),
            form=_as_xml,
            answers=_EMBED,
            kinds=("text/xml",),
        ),
        Route(
            READ,
            "/oembed/1.0/proxy",
            _proxied,
            {
                "url": url,
                "format": String("Format in which the other site is asked.", enum=("json", "xml"), default="json"),
                "maxwidth": Integer("Widest that the embed may be, in pixels.", default=_WIDTH, lenient=True),
                "maxheight": Integer("Tallest that the embed may be, in pixels.", lenient=True),
                "discover": Boolean("Whether to ask pages of sites that are not listed.", default=True),
            },
            _may_write,
            slow=True,
            prepare=_asked,
            errors=(InvalidUrl, CannotEmbed),
            answers=_EMBED,
        ),
    )


def _may_write(call: Call) -> None:
    """Those who write posts (`edit_posts`)."""
    user = call.work.user
    if not user.can("edit_posts"):
        raise CannotEmbed(bool(user))


def _embed(call: Call) -> Result:
    """Tell how a record of this site is embedded elsewhere."""
    height = _pixels(call.request.raw("maxheight"))
    found = oembed_provider.of_address(call.work, call.args["url"], _pixels(call.args["maxwidth"]), height)
    if found is None:
        raise InvalidUrl
    return Result(found)


def _asked(call: Call) -> AbstractContextManager[dict[str, Any] | None]:
    """Ask the other site, where the address is not one of this site; no transaction waits for it."""
    work: Work = call.work
    address, width = call.args["url"], _pixels(call.args["maxwidth"])
    if address.startswith(f"{work.origin}/") or oembed_provider.of_address(work, address, width) is not None:
        return nullcontext()
    height = _pixels(call.args.get("maxheight")) or min(_TALLEST, -(-width * 3 // 2))
    return _asking(work.frame.outbound, address, width, height, call.args["discover"])


@contextmanager
def _asking(outbound: Any, address: str, width: int, height: int, discover: bool) -> Iterator[dict[str, Any] | None]:
    yield oembed_consumer.of_page(outbound, address, max_width=width, max_height=height, discover=discover)


def _proxied(call: Call) -> Result:
    """Ask another site how one of its pages is embedded here."""
    height = _pixels(call.args.get("maxheight"))
    found = (
        oembed_provider.of_address(call.work, call.args["url"], _pixels(call.args["maxwidth"]), height) or call.prepared
    )
    if found is None:
        raise InvalidUrl
    return Result(found)


def _pixels(value: Any) -> int:
    """Return the whole number that a width says, without its sign; words say 0."""
    return min(abs(int(number(value) or 0)), 100_000)


def _as_xml(request: Request, answer: Answer) -> None:
    """Write the answer in XML where that is asked for."""
    if request.raw("format") == "xml":
        text = f'<?xml version="1.0"?>\n<oembed>{_xml(answer.body)}</oembed>\n'
        answer.bare = ("text/xml; charset=UTF-8", text.encode())


def _xml(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(f"<{name}>{_xml(item)}</{name}>" for name, item in value.items())
    if isinstance(value, list):
        return "".join(f"<oembed>{_xml(item)}</oembed>" for item in value)
    return "" if value is None else escape(_NOT_IN_XML.sub("", str(value)))

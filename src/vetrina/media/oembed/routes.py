"""oEmbed in both directions: the site's own records for other sites, and other sites' pages for authors here.

Rules: docs/rules/oembed.md, 1, 5 and 6.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from html import escape
from typing import Any

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.kernel.xml_characters import FORBIDDEN_IN_XML
from vetrina.media.oembed import consumer as oembed_consumer, provider as oembed_provider
from vetrina.rest.call import Request, Response, Result, defer
from vetrina.rest.coercion import coerce_number
from vetrina.rest.fields import AnyOf, Boolean, Integer, Number, Object, String, Untyped
from vetrina.rest.response_fields import build_optional_fields
from vetrina.rest.route import READ, Route

_DEFAULT_WIDTH = 600  # pixels
_MAX_HEIGHT = 1000  # pixels
_PIXELS = AnyOf("Pixels, as its provider writes them.", (Integer(), String()))
# What providers of other sites leave out stays so.
_EMBED = Object(
    properties=build_optional_fields({
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
    }),
)  # fmt: skip


class InvalidEmbedUrl(ApiError):
    """The URL names nothing that can be embedded."""

    failure, code = Failure.NOT_FOUND, "oembed_invalid_url"
    message = "This address names nothing that could be embedded."


class CannotRequestEmbed(PermissionDenied):
    """Only users who may write posts can have this server request embeds."""

    code = "rest_forbidden"
    message = "You may not ask for embeds of other sites; that needs the right to write."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the oEmbed routes."""
    url = String("Address of the resource for which to give embed data.", format="uri", required=True)
    return (
        Route(
            READ, "/oembed/1.0/embed", _read_embed,
            {
                "url": url,
                "format": Untyped("Form of the answer, `json` or `xml`.", default="json"),
                "maxwidth": Untyped("Widest that the embed may be, in pixels.", default=_DEFAULT_WIDTH),
            },
            errors=(InvalidEmbedUrl,), form=_encode_answer_as_xml, answers=_EMBED, kinds=("text/xml",),
        ),
        Route(
            READ, "/oembed/1.0/proxy", _proxy_embed,
            {
                "url": url,
                "format": String("Format in which the other site is asked.", enum=("json", "xml"), default="json"),
                "maxwidth": Integer("Widest that the embed may be, in pixels.", default=_DEFAULT_WIDTH, lenient=True),
                "maxheight": Integer("Tallest that the embed may be, in pixels.", lenient=True),
                "discover": Boolean("Whether to ask pages of sites that are not listed.", default=True),
            },
            _require_write_permission, slow=True, prepare=_prepare_foreign_embed,
            errors=(InvalidEmbedUrl, CannotRequestEmbed), answers=_EMBED,
        ),
    )  # fmt: skip


def _require_write_permission(call: Call) -> None:
    """Those who write posts (`edit_posts`)."""
    user = call.work.user
    if not user.can_somewhere("edit_posts"):
        raise CannotRequestEmbed(bool(user))


def _read_embed(call: Call) -> Result:
    """Return the embed data of a record of this site."""
    height = _parse_pixels(call.request.raw("maxheight"))
    found = oembed_provider.build_embed_data(call.work, call.args["url"], _parse_pixels(call.args["maxwidth"]), height)
    if found is None:
        raise InvalidEmbedUrl
    return Result(found)


def _prepare_foreign_embed(call: Call) -> AbstractContextManager[dict[str, Any] | None]:
    """Fetch the embed data of a URL of another site; no transaction is open meanwhile."""
    work = call.work
    address, width = call.args["url"], _parse_pixels(call.args["maxwidth"])
    if address.startswith(f"{work.origin}/") or oembed_provider.build_embed_data(work, address, width) is not None:
        return nullcontext()
    height = _parse_pixels(call.args.get("maxheight")) or min(_MAX_HEIGHT, -(-width * 3 // 2))
    return defer(
        oembed_consumer.fetch_page_embed, work.site.outbound, address, max_width=width, max_height=height,
        discover=call.args["discover"],
    )  # fmt: skip


def _proxy_embed(call: Call) -> Result:
    """Return the embed data of a page of another site."""
    height = _parse_pixels(call.args.get("maxheight"))
    found = (
        oembed_provider.build_embed_data(call.work, call.args["url"], _parse_pixels(call.args["maxwidth"]), height)
        or call.prepared
    )
    if found is None:
        raise InvalidEmbedUrl
    return Result(found)


def _parse_pixels(value: Any) -> int:
    """Return the whole number in a width, without its sign; 0 for text."""
    return min(abs(int(coerce_number(value) or 0)), 100_000)


def _encode_answer_as_xml(request: Request, answer: Response) -> None:
    """Encode the response as XML if requested."""
    if request.raw("format") == "xml":
        text = f'<?xml version="1.0"?>\n<oembed>{_render_xml(answer.body)}</oembed>\n'
        answer.raw_content = ("text/xml; charset=UTF-8", text.encode())


def _render_xml(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(f"<{name}>{_render_xml(item)}</{name}>" for name, item in value.items())
    if isinstance(value, list):
        return "".join(f"<oembed>{_render_xml(item)}</oembed>" for item in value)
    return "" if value is None else escape(FORBIDDEN_IN_XML.sub("", str(value)), quote=False)

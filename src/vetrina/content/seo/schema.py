"""The member `seo` of records and terms, and the argument that writes it. Rules: docs/rules/seo.md, 1 and 3."""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.seo.computed import ComputedSeo
from vetrina.content.seo.fields import MAX_LENGTHS, SeoFields
from vetrina.rest.fields import EDIT, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import Free

_WRITTEN: Final[dict[str, Field]] = {
    "title": String("Title for search engines, in place of the computed one.", max_length=MAX_LENGTHS["title"]),
    "description": String("Description for search engines.", max_length=MAX_LENGTHS["description"]),
    "canonical": String(
        "Address under which it is to be found: a path of this site or an http(s) URL; empty for its own.",
        max_length=MAX_LENGTHS["canonical"],
    ),
    "noindex": Boolean("Whether search engines are not to show it."),
    "nofollow": Boolean("Whether search engines are not to follow its links."),
    "image": Integer("Number of the image that stands for it where it is shared, 0 for the featured one.", minimum=0),
    "og_title": String("Title where it is shared; empty for the other one.", max_length=MAX_LENGTHS["og_title"]),
    "og_description": String("Description where it is shared, likewise.", max_length=MAX_LENGTHS["og_description"]),
}
_TEXTS: Final = {"title": String(), "description": String()}
_COMPUTED: Final = Object(
    "What a page says in its head: what was written, and what follows where nothing was.",
    properties={
        **_TEXTS,
        "canonical": String(nullable=True),
        "robots": String("As in the meta element of that name."),
        "og": Object("Properties `og:…` by their names, `image` and its parts only where there is one.",
                     additional=Object(extra={"type": ["string", "integer"]})),
        "twitter": Object("Names `twitter:…`.", additional=String()),
        "json_ld": Array("Objects for `application/ld+json`.", items=Free("Terms of schema.org.")),
    },
    readonly=True,
)  # fmt: skip

SEO_FIELD: Final = Object(
    "What search engines and social networks are told.", properties={**_WRITTEN, "computed": _COMPUTED},
    context=(VIEW, EDIT),
)  # fmt: skip


def build_seo_argument(declared: bool) -> Object:
    """Return the argument that writes the member. declared: whether the index names it."""
    return Object(
        "What search engines and social networks are told; members that are not sent stay, empty texts follow again.",
        properties=_WRITTEN, early=True, null="keep", written=declared,
    )  # fmt: skip


def serialize_seo(written: SeoFields, computed: ComputedSeo) -> dict[str, Any]:
    """Return the value of the member."""
    return {
        **{name: getattr(written, name) for name in _WRITTEN},
        "computed": {
            "title": computed.title,
            "description": computed.description,
            "canonical": computed.canonical or None,
            "robots": computed.robots,
            "og": computed.open_graph,
            "twitter": computed.twitter,
            "json_ld": computed.json_ld,
        },
    }

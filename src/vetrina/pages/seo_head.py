"""The elements of a page's head for search engines and social networks. Rules: docs/rules/seo.md, 4 and 5."""

from __future__ import annotations

import json

from vetrina.content.seo.computed import ComputedSeo

from .markup import Html, render_element


def render_seo_elements(seo: ComputedSeo) -> list[Html]:
    """Return the elements beside title and canonical address: description, robots, what is shared, schema.org."""
    out = [render_element("meta", name="description", content=seo.description)] if seo.description else []
    if seo.robots != "index, follow":
        out.append(render_element("meta", name="robots", content=seo.robots))
    out += [render_element("meta", property=f"og:{name}", content=str(value)) for name, value in seo.open_graph.items()]
    out += [render_element("meta", name=f"twitter:{name}", content=value) for name, value in seo.twitter.items()]
    return out + [render_json_ld(one) for one in seo.json_ld]


def render_json_ld(data: object) -> Html:
    """Return an object of schema.org as an element."""
    # A data block, which no policy of scripts concerns. Its text is no markup: what could end it is written otherwise.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Html(f'<script type="application/ld+json">{text}</script>')

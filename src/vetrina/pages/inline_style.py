"""The style of the pages: one small sheet, inside every page, and the policy that allows nothing else.

Light or dark is the reader's choice. Text has a contrast of 7 to 1 against its ground, links 4.5 to 1 and borders of
fields 3 to 1 (tests/pages/test_style.py computes them). Rules: WCAG 2.2, level AA; Content Security Policy 3.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import Final

# ground, text, quiet text, links, borders, error
LIGHT_COLORS: Final = ("#ffffff", "#1b1b1f", "#4a4a55", "#0b4fb3", "#767680", "#a3121f")
DARK_COLORS: Final = ("#131316", "#ececf0", "#b9b9c4", "#8fbcff", "#8a8a96", "#ff9aa2")
_COLOR_NAMES: Final = ("ground", "text", "quiet", "links", "border", "error")


def _format_colors(values: tuple[str, ...]) -> str:
    return ";".join(f"--{name}:{value}" for name, value in zip(_COLOR_NAMES, values, strict=True))


STYLE_SHEET: Final = (
    f":root{{{_format_colors(LIGHT_COLORS)};color-scheme:light dark}}"
    f"@media(prefers-color-scheme:dark){{:root{{{_format_colors(DARK_COLORS)}}}}}"
    "*{box-sizing:border-box}"
    "body{margin:0;background:var(--ground);color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif;"
    "overflow-wrap:break-word}"
    "body>header,main,body>footer{max-width:44rem;margin:0 auto;padding:1rem}"
    "main{min-height:60vh}"
    "h1,h2,h3,h4,h5,h6{font-family:inherit;font-weight:700}h2{font-size:1.5em}h3{font-size:1.17em}"
    "h1,h2,h3{line-height:1.25;margin:1.5em 0 .5em}h1{font-size:1.9rem;margin-top:.5em}"
    "a{color:var(--links)}:focus-visible{outline:3px solid var(--links);outline-offset:2px}"
    ".skip{position:absolute;left:-999rem}.skip:focus{left:1rem;top:1rem;padding:.5rem 1rem;background:var(--ground)}"
    ".site{font-weight:700;font-size:1.2rem}.site a{color:inherit;text-decoration:none}"
    "nav ul,.plain{list-style:none;padding:0;margin:.5rem 0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}"
    "nav a{display:inline-block;padding:.25rem 0}[aria-current]{font-weight:700}"
    ".quiet{color:var(--quiet);font-size:.95rem}.error{color:var(--error);font-weight:600}"
    "article+article{border-top:1px solid var(--border);margin-top:2rem;padding-top:.5rem}"
    "img,video,iframe,table,pre{max-width:100%}img,video{height:auto}pre{overflow:auto}"
    "figure{margin:1.5rem 0}figcaption{color:var(--quiet);font-size:.9rem}"
    "blockquote{margin:1.5rem 0;padding-left:1rem;border-left:4px solid var(--border)}"
    "table{border-collapse:collapse}td,th{border:1px solid var(--border);padding:.3rem .6rem}"
    "form{margin:1rem 0}label{display:block;font-weight:600}"
    "input:not([type=hidden]){width:100%;max-width:24rem;font:inherit;padding:.5rem;color:inherit;"
    "background:var(--ground);border:1px solid var(--border);border-radius:.25rem}"
    "button{font:inherit;padding:.5rem 1.25rem;margin:.25rem .75rem .25rem 0;border-radius:.25rem;cursor:pointer;"
    "border:1px solid var(--links);background:var(--ground);color:var(--links)}"
    "button.first{background:var(--links);color:var(--ground)}"
    ".providers ul{list-style:none;padding:0}.providers li{margin:.5rem 0}"
    "a.provider{display:inline-block;padding:.5rem 1.25rem;border:1px solid var(--links);border-radius:.25rem;"
    "text-decoration:none}"
    "code{font-family:ui-monospace,monospace}.key{font-size:1.25rem;user-select:all}"
    "body>footer{border-top:1px solid var(--border);margin-top:2rem}"
    ".screen-reader-text{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}"
)


def build_hash_source(text: str) -> str:
    """Return the policy source of a style or script: the digest of its text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_STYLE_SOURCE: Final = build_hash_source(STYLE_SHEET)


def build_content_policy(
    *,
    content: bool = False,
    forms: str = "",
    script: str = "",
    framed: bool = False,
    style: str = "",
    scripts: str = "",
) -> str:
    """Return the Content-Security-Policy of a page: nothing but its own style sheet and forms to this site.

    content: it shows authored content: images, media and frames, inline styles, the style sheet of the site; never
    scripts. style: the text of a further style element.
    forms: further origins that a form may lead to. script: the text of the page's own script.
    scripts: the URL of a folder whose scripts it may load, which may ask the site itself for more.
    framed: whether pages of other sites may embed it.
    """
    parts = ["default-src 'none'", f"style-src {_STYLE_SOURCE}", "img-src data:"]
    if style:
        parts[1] += f" {build_hash_source(style)}"
    if content:
        parts[1] += " 'self'"
        parts[2] = "img-src 'self' https: http: data:"
        parts += ["style-src-attr 'unsafe-inline'", "media-src 'self' https: http:", "font-src 'self'"]
        parts += ["frame-src https:"]
    if script:
        parts.append(f"script-src {build_hash_source(script)}")
    if scripts:
        parts += [f"script-src {scripts}", "connect-src 'self'"]
    parts += [f"form-action 'self'{forms and ' ' + forms}", "base-uri 'none'"]
    parts.append(f"frame-ancestors {'*' if framed else chr(39) + 'none' + chr(39)}")
    return "; ".join(parts)

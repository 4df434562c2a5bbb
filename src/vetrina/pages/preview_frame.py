"""The empty page in which the editor previews markup that somebody wrote, with its scripts, apart from everything else.

A frame that is written into has the policy of the page around it, which runs no inline script. This one has a policy of
its own: its scripts run, in an origin that is nobody's, without requests and without anything of other sites. The
front end sends the markup by `postMessage` (admin/src/editor/preview-frame.tsx) and hears how large it is and what was
refused.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from vetrina.pages.page_context import HTML_TYPE, PageContext, build_bytes_response
from vetrina.rest.call import Request, Response

_CONTENT: Final = b"""<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<title></title>
<style>html, body { margin: 0; } body { position: absolute; width: 100%; }</style>
<script>
'use strict';
(() => {
    const tell = (message) => parent.postMessage(message, '*');
    const tellSize = () => tell({ action: 'resize', height: document.body.getBoundingClientRect().height });
    addEventListener('securitypolicyviolation', ({ blockedURI }) => tell({ action: 'refused', address: blockedURI }));
    addEventListener('message', ({ source, data }) => {
        if (source !== parent || data?.action !== 'show') {
            return;
        }
        document.documentElement.lang = data.language;
        document.title = data.title;
        document.body.className = data.className;
        document.querySelectorAll('style[data-given]').forEach((one) => one.remove());
        for (const text of data.styles) {
            const style = document.createElement('style');
            style.dataset.given = '';
            style.textContent = text;
            document.head.append(style);
        }
        document.body.innerHTML = data.html;
        // Scripts that come as markup are not run; these are.
        for (const found of document.body.querySelectorAll('script')) {
            const script = document.createElement('script');
            for (const { name, value } of found.attributes) {
                script.setAttribute(name, value);
            }
            script.textContent = found.textContent;
            found.replaceWith(script);
        }
        tellSize();
    });
    addEventListener('DOMContentLoaded', () => {
        new ResizeObserver(tellSize).observe(document.body);
        tell({ action: 'ready' });
    });
})();
</script>
</head>
<body></body>
</html>
"""


def handle_preview_frame(context: PageContext, request: Request) -> Response:
    """Show the empty page; there is nothing in it that only some may see."""
    # The origin of a sandboxed page is none, so that 'self' would mean nothing in it.
    known = [urlsplit(url) for url in (request.origin, context.site.settings.media_url) if url]
    files = " ".join(dict.fromkeys(f"{one.scheme}://{one.netloc}" for one in known))
    policy = "; ".join((
        "default-src 'none'",
        "script-src 'unsafe-inline'",
        "style-src 'unsafe-inline'",
        f"img-src {files} data: blob:",
        f"media-src {files} data: blob:",
        f"font-src {files} data:",
        "base-uri 'none'",
        "frame-ancestors 'self'",
        "sandbox allow-scripts allow-popups",
    ))  # fmt: skip
    return build_bytes_response(200, HTML_TYPE, _CONTENT, policy)

"""The public keys of access tokens, at the address where other servers look for them (RFC 8615).

The same over the interface: access/tokens/routes.py. Rules: docs/rules/tokens.md, 1.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.tokens import signing_keys
from vetrina.core.user import NOBODY
from vetrina.kernel.json_text import serialize_json
from vetrina.pages.inline_style import build_content_policy
from vetrina.pages.page_context import PageContext, build_bytes_response
from vetrina.rest.call import Request, Response

KEY_SET_PATH: Final = r"/\.well-known/jwks\.json"
_TYPE: Final = "application/jwk-set+json"
_HEADERS: Final = {"Cache-Control": signing_keys.KEYS_CACHE_CONTROL, "Access-Control-Allow-Origin": "*"}


def handle_key_set(context: PageContext, request: Request) -> Response:
    """Send the keys that verify access tokens."""
    with context.open_work(request, NOBODY, True) as work:
        keys = signing_keys.list_public_keys(work.tx)
    return build_bytes_response(200, _TYPE, serialize_json({"keys": keys}), build_content_policy(), headers=_HEADERS)

"""The yardstick: bare Starlette under the same server, answering the same bytes with the same headers from memory."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_BODY = Path(os.environ["BARE_BODY"]).read_bytes()


async def _answer(request: Request) -> Response:
    return Response(_BODY, media_type="application/json")


app = Starlette(routes=[Route("/{path:path}", _answer)])

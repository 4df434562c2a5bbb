"""The site's own scripts of public pages: small files, each under an address with its digest.

Pages work without them. A page names those that its blocks ask for, and its policy allows scripts of this folder and
nothing else. Rules: Content Security Policy 3.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Final

from vetrina.pages.compressed_files import build_file_response
from vetrina.pages.page_context import PageContext, build_text_response
from vetrina.rest.call import Request, Response

from .markup import Html, render_element

SCRIPT_PATH: Final = r"/scripts/[a-z-]+\.[0-9a-f]{20}\.js"
SCRIPT_FOLDER: Final = "/scripts/"
_FILES: Final = "script_files"
_TYPE: Final = "text/javascript; charset=utf-8"
_DIGEST_BYTES: Final = 10


@cache
def load_script(name: str) -> tuple[bytes, str]:
    """Return the content of a script and its digest. Raises FileNotFoundError."""
    content = (files(__package__) / _FILES / f"{name}.js").read_bytes()
    return content, blake2b(content, digest_size=_DIGEST_BYTES).hexdigest()


def render_script_element(origin: str, name: str) -> Html:
    """Return the element that loads a script after the page."""
    return render_element("script", src=f"{origin}{SCRIPT_FOLDER}{name}.{load_script(name)[1]}.js", defer=True)


def handle_script(context: PageContext, request: Request) -> Response:
    """Send a script. An address of before leads to the script of now, which nobody may keep."""
    name, version, _ = request.path.removeprefix(SCRIPT_FOLDER).split(".")
    try:
        content, current = load_script(name)
    except FileNotFoundError:
        return build_text_response(404, "There is no such script.\n")
    return build_file_response(request, _TYPE, content, named=True, current=version == current)

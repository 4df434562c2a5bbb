"""Relative addresses in rendered content as absolute ones, since pages of other origins show it.

Attributes that hold an address are completed; fragments of the same page stay. Text is never changed, nor what is in a
comment. Rules: docs/rules/content_forms.md, 7; RFC 3986, 5.2.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final
from urllib.parse import urljoin

from vetrina.content.text.tag_attributes import MARKUP_TOKEN, read_tag, replace_value

_NAMES: Final = ("href", "src", "poster", "srcset", "cite", "data")
# The value of an attribute that is no absolute address; it begins with a fixed character, which is found fast.
_VALUE: Final = re.compile(r"=\s*[\"']?\s*(?![\"'\s>#]|[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_LONGEST_NAME: Final = max(map(len, _NAMES))
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)
_IGNORED: Final = re.compile(r"[\x00-\x20]+")  # by browsers, before a scheme and in it
_CANDIDATE: Final = re.compile(r"((?:^|,)\s*)([^\s,]\S*[^\s,]|[^\s,])")  # what begins one of a `srcset`


def has_relative_addresses(html: str) -> bool:
    """Return whether a text may have relative addresses; nearly all have none, and are not looked at any closer."""
    for found in _VALUE.finditer(html):
        at = found.start()
        name = html[max(0, at - _LONGEST_NAME) : at].lower()
        if name.endswith(_NAMES) or name[-1:].isspace():
            return True
    return False


def make_addresses_absolute(html: str, page: str) -> str:
    """Return markup whose relative addresses are absolute; page: the absolute URL that they are relative to."""
    if not has_relative_addresses(html):
        return html
    return MARKUP_TOKEN.sub(lambda found: _complete_tag(found[0], page), html)


def _complete_tag(token: str, page: str) -> str:
    tag = read_tag(token, 0) if has_relative_addresses(token) else None
    if tag is None or tag.closing:
        return token
    for attribute in reversed(tag.attributes):
        value = (attribute.value or "").strip()
        if attribute.name not in _NAMES or not value:
            continue
        if attribute.name == "srcset":
            new = _CANDIDATE.sub(lambda one: one[1] + _complete_address(one[2], page), value)
        else:
            new = _complete_address(value, page)
        if new != value:
            token = replace_value(token, attribute, new)
    return token


def _complete_address(address: str, page: str) -> str:
    # As a browser reads it: a scheme may be written with entities.
    if not address or _SCHEME.match(_IGNORED.sub("", unescape(address))):
        return address
    try:
        return urljoin(page, address)
    except ValueError:
        return address

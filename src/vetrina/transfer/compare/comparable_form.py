"""Records in the form in which they are compared: without what must differ from site to site.

Left out: links, what follows from other members, hashes, numbers that a site gives its own rows. Addresses of the site
are replaced by a word. When records were changed is compared only if that is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson

# Members, at any depth, that say where a record is or follow from others.
_LEFT_OUT: Final = frozenset({
    "_embedded", "_links", "avatar_urls", "capabilities", "cart_hash", "class_list", "extra_capabilities",
    "generated_slug", "guid", "link", "method_description", "method_title", "payment_url", "permalink",
    "permalink_template", "settings_url",
})  # fmt: skip
_CHANGE_TIMES: Final = frozenset({"date_modified", "date_modified_gmt", "modified", "modified_gmt"})
# Lists whose entries have numbers that only their site knows.
_NUMBERED_LINES: Final = frozenset({"coupon_lines", "fee_lines", "line_items", "shipping_lines", "tax_lines"})
_META_MEMBERS: Final = frozenset({"id", "key", "value", "display_key", "display_value"})
_OPTION_MEMBERS: Final = frozenset({"default", "type", "value"})  # of an option of the shop, beside its label
_ENCODED_MEMBERS: Final = frozenset({"encoded", "hash"})  # of a widget's settings: one site's text and its signature
_SITE: Final = "{site}"
_UPLOADS: Final = "{uploads}"


class ComparableForm:
    """Brings the records of one side into the form that is compared.

    urls: of the site (SourceDescription). change_times: whether the times of changes are compared, too.
    """

    def __init__(self, urls: Iterable[str], *, change_times: bool = False) -> None:
        self._left_out = _LEFT_OUT if change_times else _LEFT_OUT | _CHANGE_TIMES
        self._words = _list_replacements(urls)
        addresses = "|".join(map(re.escape, sorted(self._words, key=len, reverse=True)))
        # Not where a longer host or another port follows.
        self._urls = re.compile(rf"(?:{addresses})(?![\w-]|\.\w|:\d)") if addresses else None

    def convert(self, value: Any, name: str = "") -> Any:
        """Return a value in the form that is compared; name: of the member that holds it."""
        if isinstance(value, str):
            return self._replace_urls(value)
        if isinstance(value, Mapping):
            if value.keys() >= _OPTION_MEMBERS:
                return {"value": self.convert(value["value"], name)}
            if value.keys() >= _ENCODED_MEMBERS:
                value = {key: item for key, item in value.items() if key not in _ENCODED_MEMBERS}
            return {key: self.convert(item, key) for key, item in value.items() if key not in self._left_out}
        if isinstance(value, list):
            items = [self.convert(item, name) for item in value]
            if name in _NUMBERED_LINES:
                return [_drop_id(item) for item in items]
            if items and all(_is_meta(item) for item in value):
                return sorted((_drop_id(item) for item in items), key=_write_sorted)
            return items
        return value

    def _replace_urls(self, text: str) -> str:
        if self._urls is None or not text or "http" not in text:
            return text
        return self._urls.sub(lambda found: self._words[found[0]], text)


def _list_replacements(urls: Iterable[str]) -> dict[str, str]:
    """Return the addresses of a site in each way of writing them, and the words in their place."""
    site, *others = [*urls] or [""]
    found: dict[str, str] = {}
    for url in (site, *others):
        if not url:
            continue
        word = _UPLOADS if url.startswith(f"{site}/") else _SITE
        rest = url.partition("://")[2]
        for scheme in ("https", "http"):
            whole = f"{scheme}://{rest}"
            found[whole] = found[whole.replace("/", "\\/")] = word
            found[whole.replace(":", "%3A").replace("/", "%2F")] = word
    return found


def _is_meta(item: Any) -> bool:
    return isinstance(item, Mapping) and {"key", "value"} <= item.keys() <= _META_MEMBERS


def _write_sorted(item: Any) -> bytes:
    return orjson.dumps(item, option=orjson.OPT_SORT_KEYS)


def _drop_id(item: Any) -> Any:
    return {name: value for name, value in item.items() if name != "id"} if isinstance(item, Mapping) else item

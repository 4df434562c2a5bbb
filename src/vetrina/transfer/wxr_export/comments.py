"""Comments in an export file: what each is called there, and with which word its state is written.

Not here: which comments a record has (transfer/wxr_export/comment_spool.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.rest.dialects.names import DialectNames
from vetrina.transfer.sources.wxr.extension_fields import COMMENT_MEMBERS

from .extra_fields import select_members, select_own_fields, write_fields
from .xml_text import read_text, write_cdata, write_date, write_element

_STATUSES: Final = {"approved": "1", "hold": "0"}


def write_comment(names: DialectNames, values: Mapping[str, Any]) -> str:
    """Return the element of a comment, which stands in that of its record."""
    status = str(values.get("status") or "")
    texts = {
        "author": values.get("author_name"), "author_email": values.get("author_email"),
        "author_url": values.get("author_url"), "author_IP": values.get("author_ip"),
        "date": write_date(values.get("date")), "date_gmt": write_date(values.get("date_gmt")),
        "content": read_text(values.get("content")), "approved": _STATUSES.get(status, status),
        "type": values.get("type") or "comment",
    }  # fmt: skip
    fields = [*select_own_fields(values), *select_members(values, COMMENT_MEMBERS)]
    return "".join([
        "<wp:comment>", write_element("wp:comment_id", values.get("id") or 0),
        *(write_cdata(f"wp:comment_{name}", str(text or "")) for name, text in texts.items()),
        write_element("wp:comment_parent", values.get("parent") or 0),
        write_element("wp:comment_user_id", values.get("author") or 0),
        *write_fields("commentmeta", names, fields), "</wp:comment>",
    ])  # fmt: skip

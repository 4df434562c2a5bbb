"""Extra fields in which export files have what their elements have no place for.

Languages: the fields that the multilingual layer of the original reads when a file comes in. Other members of a record:
one field of our own, which others ignore.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from vetrina.rest.dialects.names import load_name_pairs

DIALECT: Final = "wordpress"  # whose names export files have
OWN_MEMBERS: Final = "_vetrina_members"  # an array of members that the interface has and a file has no element for
RECORD_MEMBERS: Final = ("seo",)
TERM_MEMBERS: Final = ("slug", "seo", "locations", "auto_add", "attribute")
COMMENT_MEMBERS: Final = ("author_user_agent",)


class LanguageFields(NamedTuple):
    """Names of the fields. code: of the language. group: any text, the same for the translations of each other.

    source: code of the language that it was translated from.
    """

    code: str
    group: str
    source: str


@cache
def get_language_fields() -> LanguageFields:
    """Return the names of the fields with the language of a record or term."""
    layer = load_name_pairs(DIALECT).namespaces["mlang/v1"].partition("/")[0]
    return LanguageFields(*(f"_{layer}_import_{name}" for name in (
        "language_code", "translation_group", "source_language_code",
    )))  # fmt: skip

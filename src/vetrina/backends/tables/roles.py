"""The table of roles: those that were made or changed over the interface.

What the profile says of roles is not stored. Rules: access/roles/rules.py.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Table

from vetrina.backends.tables.metadata import METADATA, TEXT

# `capabilities`, `types`, `languages`: JSON lists of names; the latter two are empty where the capabilities count for
# all records.
role = Table(
    "role",
    METADATA,
    Column("name", TEXT, primary_key=True),
    Column("label", TEXT, nullable=False),
    Column("capabilities", TEXT, nullable=False),
    Column("types", TEXT, nullable=False),
    Column("languages", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("modified", BigInteger, nullable=False),
)

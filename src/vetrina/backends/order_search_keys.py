"""An index with what orders are found by, in which PostgreSQL looks for words that are too short for trigrams.

All orders have to be looked at for such a word. The entries of this index are a fifth as wide as the rows, and say
which statuses the orders have, too. Where a text is too long for it, the orders themselves are read. On SQLite the
index of trigrams holds the texts (backends/order_search_index.py).
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import select, text

from vetrina.backends.tables.orders import shop_order

from .database import Statement, Transaction

# In the words of the declaration, by which PostgreSQL recognizes it. An entry has 2,704 bytes at most.
_SHORT: Final = "octet_length(shop_order.search_key) <= 2000"
_LONG: Final = "octet_length(shop_order.search_key) > 2000"
HAS_KEY: Final = text(_SHORT)
CREATE_KEY_INDEXES: Final = (
    f"CREATE INDEX shop_order_keys ON shop_order (id) INCLUDE (search_key, status) WHERE {_SHORT}",
    f"CREATE INDEX shop_order_long_key ON shop_order (id) WHERE {_LONG}",
)
_LONG_KEY: Final = Statement(select(shop_order.c.id).where(text(_LONG)).limit(1))


def has_all_keys(tx: Transaction) -> bool:
    """Return whether the index holds what all orders are found by."""
    return tx.value(_LONG_KEY) is None

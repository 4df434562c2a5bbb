"""Fixed statistics for SQLite's query planner: those of a site with a hundred thousand records.

Without statistics the planner takes every index of three columns for selective and scans all records of a type where a
handful was named. Real statistics (ANALYZE) would make plans depend on when they were gathered, and a new site has
nothing to gather. PostgreSQL gathers its own.
"""

from __future__ import annotations

# table, index (None for the table itself), then: rows, and how many share the first one, two, three … columns.
_STATISTICS: tuple[tuple[str, str | None, str], ...] = (
    ("record", None, "100000"),
    ("record", "record_by_date", "100000 50000 25000 20000 1 1 1"),
    ("record", "record_by_id", "100000 50000 25000 20000 1 1"),
    ("record", "record_by_modified", "100000 50000 25000 20000 1 1"),
    ("record", "record_by_title", "100000 50000 25000 20000 1 1"),
    ("record", "record_by_order", "100000 50000 25000 20000 2000 1"),
    ("record", "record_by_author", "100000 50000 25000 20000 2000 1 1"),
    ("record", "record_by_slug", "100000 50000 1 1 1 1"),
    ("record", "record_by_group", "100000 50000 25000 20000 2 1"),
    ("record", "record_by_parent", "100000 50000 20 5"),
    ("record", "record_in_parent", "100000 50000 25000 20000 20000 1"),
    ("record", "sqlite_autoindex_record_1", "100000 2 1"),
    ("record", "record_sticky", "10 5 5 5 1 1"),
    ("record", "record_by_format", "1000 500 500 500 100 1"),
    ("record", "record_by_featured", "10000 2"),
    ("record", "record_due", "10 1"),
    ("record", "record_protected", "100 50"),
    ("record_term", "sqlite_autoindex_record_term_1", "200000 2 1"),
    ("record_term", "record_term_by_term", "200000 1000 1000 900 800 1 1"),
    ("field_value", "field_value", "300000 3 1 1"),
    ("field_value", "field_value_by_value", "300000 150000 50000 25000 20000 1000 1"),
    ("field_value", "field_value_by_date", "300000 150000 50000 1000 900 800 1 1"),
    ("searchable", None, "100000"),
    ("search_entry", "sqlite_autoindex_search_entry_1", "100000 1"),
    ("revision", "revision_by_parent", "500000 5 1 1"),
    ("term", "sqlite_autoindex_term_1", "2000 1000 500 1"),
    ("term", "sqlite_autoindex_term_2", "2000 2 1"),
    ("term", "term_by_name", "2000 1000 500 1 1 1"),
    ("term", "term_by_parent", "2000 1000 20"),
    ("change", None, "1000000"),
    # Fewer than the records of a type, so that a list ordered by one of these is read along its index.
    ("product", None, "10000"),
    ("product", "product_by_sku", "10000 2 1"),
    ("product", "product_by_price", "10000 20 1"),
    ("product", "product_by_highest_price", "10000 20 1"),
    ("product", "product_by_sales", "10000 100 1"),
    ("product", "product_by_rating", "10000 100 50 1"),
    ("product", "product_by_stock", "10000 3000 1"),
    ("product", "product_by_global_id", "1000 1"),
    ("product", "product_on_sale", "1000 1"),
    ("product", "product_featured", "100 1"),
    ("product_link", "sqlite_autoindex_product_link_1", "20000 4 2 1"),
    ("product_link", "product_link_by_other", "20000 7000 2"),
    ("shop_meta", "shop_meta_by_owner", "50000 15000 5 1"),
    ("shop_meta", "shop_meta_by_name", "50000 15000 1000"),
    ("mlang_status", None, "100000"),
    ("mlang_status", "sqlite_autoindex_mlang_status_1", "100000 10000 2 1"),
    ("mlang_status", "mlang_status_by_status", "100000 20000 2 1"),
    ("mlang_status", "mlang_status_by_sent", "100000 2 1 1 1 1"),
    ("mlang_status", "mlang_status_by_deadline", "100000 50 1 1 1 1"),
    ("mlang_status", "mlang_status_by_title", "100000 2 1 1"),
    ("mlang_status", "mlang_status_by_batch", "100000 100 1"),
    ("mlang_status", "mlang_status_by_translation", "100000 10000 2"),
    ("mlang_status", "mlang_status_by_service", "100000 50000 10000 1"),
    ("mlang_status", "mlang_status_by_editor", "100000 50000 10000 1 1"),
    ("mlang_status", "mlang_status_by_translator", "100000 5000 1 1 1"),
    ("mlang_status", "mlang_status_by_language", "100000 25000 20000 1 1 1"),
    ("mlang_status", "mlang_status_outdated", "5000 2500 1"),
    ("mlang_job", None, "200000"),
    ("mlang_job", "mlang_job_by_row", "200000 2 1"),
    ("mlang_job", "mlang_job_by_editor_job", "200000 50"),
    ("mlang_batch", None, "1000"),
    ("mlang_batch", "mlang_batch_by_name", "1000 2 1"),
    ("mlang_batch", "mlang_batch_by_service_number", "1000 10"),
    ("mlang_field", "sqlite_autoindex_mlang_field_1", "2000000 20 1"),
)


def _format_literal(text: str | None) -> str:
    return "NULL" if text is None else f"'{text}'"


STATEMENTS: tuple[str, ...] = (
    "ANALYZE",
    "DELETE FROM sqlite_stat1",
    *(
        f"INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ({_format_literal(table)}, "
        f"{_format_literal(index)}, {_format_literal(stat)})"
        for table, index, stat in _STATISTICS
    ),
)

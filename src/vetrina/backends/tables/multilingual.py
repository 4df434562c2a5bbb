"""Tables of translation: who translates what into which language, and the texts of translation jobs.

Languages and translation groups of records and terms are columns of their own tables (backends/tables/records.py).
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Table, UniqueConstraint

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT, build_partial_index

# Jobs sent together. `service_number`: the id at an agency, NULL for none.
mlang_batch = Table(
    "mlang_batch",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("name", TEXT, nullable=False),
    Column("name_key", TEXT, nullable=False),
    Column("service_number", NUMBER),
    Column("service_address", TEXT, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index("mlang_batch_by_name", "name_key", "id"),
    Index("mlang_batch_by_service_number", "service_number"),
)

# One row for each item and target language, with the state of its newest job; older jobs are history. `translation`:
# the id of the translation, 0 before it exists; `previous`: JSON, what a cancelled job restores.
mlang_status = Table(
    "mlang_status",
    METADATA,
    Column("rid", NUMBER, primary_key=True, autoincrement=False),
    Column("type", TEXT, nullable=False),
    Column("element_type", TEXT, nullable=False),
    Column("element", NUMBER, nullable=False),
    Column("source_language", TEXT, nullable=False),
    Column("target_language", TEXT, nullable=False),
    Column("translation", NUMBER, nullable=False),
    Column("job", NUMBER, nullable=False),
    Column("status", NUMBER, nullable=False),
    Column("needs_update", Boolean, nullable=False),
    Column("md5", TEXT, nullable=False),
    Column("service", TEXT, nullable=False),
    Column("service_number", NUMBER, nullable=False),
    Column("service_revision", NUMBER, nullable=False),
    Column("service_status", TEXT, nullable=False),
    Column("review", TEXT, nullable=False),
    Column("retries", NUMBER, nullable=False),
    Column("batch", NUMBER, nullable=False),
    Column("previous", TEXT, nullable=False),
    # Of the newest job, so that a list queries one table.
    Column("translator", NUMBER, nullable=False),
    Column("title", TEXT, nullable=False),
    Column("title_key", TEXT, nullable=False),
    Column("editor", TEXT, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("sent", BigInteger, nullable=False),
    Column("deadline", BigInteger, nullable=False),
    # Of the batch, whose name never changes.
    Column("batch_key", TEXT, nullable=False),
    UniqueConstraint("element_type", "element", "target_language", name="mlang_status_of_element"),
    Index("mlang_status_by_status", "status", "sent", "rid"),
    # With the columns that most filters combine with a date range, so that rows need not be read.
    Index("mlang_status_by_sent", "sent", "rid", "status", "target_language", "source_language"),
    Index("mlang_status_by_deadline", "deadline", "rid", "status", "target_language", "source_language"),
    Index("mlang_status_by_title", "title_key", "rid", "status"),
    Index("mlang_status_by_batch", "batch_key", "rid"),
    Index("mlang_status_by_translation", "element_type", "translation"),
    Index("mlang_status_by_service", "service", "status", "rid"),
    Index("mlang_status_by_editor", "editor", "status", "rid", "service"),
    Index("mlang_status_by_translator", "translator", "rid", "status", "service"),
    # With the columns that most filters use, so that counting reads the index alone.
    Index("mlang_status_by_language", "source_language", "target_language", "rid", "status", "sent"),
    build_partial_index("mlang_status_outdated", "status", "rid", where="needs_update", in_sqlite="needs_update = 1"),
)

# One request to translate. `revision`: NULL for the newest of its row; `service_data`: JSON stored by an editor.
mlang_job = Table(
    "mlang_job",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("rid", NUMBER, ForeignKey("mlang_status.rid", ondelete="CASCADE"), nullable=False),
    Column("revision", NUMBER),
    Column("translated", Boolean, nullable=False),
    Column("manager", NUMBER, nullable=False),
    Column("translator", NUMBER, nullable=False),
    Column("title", TEXT, nullable=False),
    Column("note", TEXT, nullable=False),
    Column("editor", TEXT, nullable=False),
    Column("editor_job", NUMBER, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("sent", BigInteger, nullable=False),
    Column("deadline", BigInteger, nullable=False),
    Column("edited", BigInteger, nullable=False),
    Column("completed", BigInteger, nullable=False),
    Column("words", NUMBER, nullable=False),
    Column("costs", NUMBER, nullable=False),
    Column("synchronised", NUMBER, nullable=False),
    Column("service_data", TEXT, nullable=False),
    Index("mlang_job_by_row", "rid", "id"),
    Index("mlang_job_by_editor_job", "editor_job"),
)

# The texts of a job, in order. `wanted`: whether it is to be translated, or only passed along for the import.
mlang_field = Table(
    "mlang_field",
    METADATA,
    Column("job", NUMBER, ForeignKey("mlang_job.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("position", NUMBER, primary_key=True, autoincrement=False),
    Column("name", TEXT, nullable=False),
    Column("label", TEXT, nullable=False),
    Column("wrap_tag", TEXT, nullable=False),
    Column("format", TEXT, nullable=False),
    Column("reused", TEXT, nullable=False),
    Column("wanted", Boolean, nullable=False),
    Column("source", TEXT, nullable=False),
    Column("target", TEXT, nullable=False),
    Column("finished", Boolean, nullable=False),
)

# Jobs of the built-in translation service: files received, and files filled in.
mlang_service_job = Table(
    "mlang_service_job",
    METADATA,
    Column("job", NUMBER, primary_key=True, autoincrement=False),
    Column("state", TEXT, nullable=False),
    Column("sent", TEXT, nullable=False),
    Column("filled", TEXT, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("received", BigInteger, nullable=False),
    Index("mlang_service_job_by_state", "state", "job"),
)

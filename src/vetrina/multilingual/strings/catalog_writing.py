"""Writing the site's own catalog files, of translations that differ from shipped ones; some files per call.

Files are written while no transaction is open; a lock prevents two calls from writing at once. Not here: names and
folders of files (multilingual/strings/catalog_files.py), their form (multilingual/strings/catalogs.py).
Rules: docs/rules/strings.md, 4.
"""

from __future__ import annotations

import time

from sqlalchemy import bindparam, select, update

from vetrina.access.users.text_rules import language_to_locale
from vetrina.backends.database import Statement
from vetrina.backends.tables.strings import mlang_catalog_file, mlang_string, mlang_string_translation
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.services import locks as service_locks
from vetrina.multilingual.strings import catalog_files, catalogs, rules as strings, translations as string_translations
from vetrina.multilingual.strings.catalog_import import FINISHED, IMPORTED, OpenUnitOfWork
from vetrina.multilingual.strings.states import COMPLETE

_LOCK, _LOCK_SECONDS = "pre_generate_mo_files", 300
_MOST_WRITTEN, _WRITE_SECONDS = 20, 5.0

_FINISH = Statement(
    update(mlang_catalog_file)
    .where(mlang_catalog_file.c.state == IMPORTED, mlang_catalog_file.c.domain == bindparam("of"))
    .values(state=FINISHED)
)


_PAIRS = Statement(
    select(mlang_string.c.domain, mlang_string_translation.c.language)
    .distinct()
    .join_from(mlang_string_translation, mlang_string, mlang_string.c.id == mlang_string_translation.c.string)
    .where(mlang_string_translation.c.fresh)
    .order_by(mlang_string.c.domain, mlang_string_translation.c.language)
)


_OWN_TRANSLATIONS = Statement(
    select(mlang_string_translation.c.string)
    .join_from(mlang_string_translation, mlang_string, mlang_string.c.id == mlang_string_translation.c.string)
    .where(
        mlang_string.c.domain == bindparam("domain"),
        mlang_string_translation.c.language == bindparam("code"),
        mlang_string_translation.c.status == COMPLETE,
        mlang_string_translation.c.value.is_not(None),
    )
    .order_by(mlang_string_translation.c.string)
)


_CLEAR_FRESH = Statement(
    update(mlang_string_translation)
    .where(
        mlang_string_translation.c.fresh,
        mlang_string_translation.c.changed < bindparam("before_it"),
        mlang_string_translation.c.language == bindparam("code"),
        mlang_string_translation.c.string.in_(
            select(mlang_string.c.id).where(mlang_string.c.domain == bindparam("of"))
        ),
    )
    .values(fresh=False)
)


def write_catalog_files(site: SiteContext, open: OpenUnitOfWork) -> int:
    """Write files of the site's own translations, as many as fit into one call, and return how many are left.

    Raises CatalogFolderNotWritable.
    """
    start, done = time.monotonic(), 0
    with open(False) as work:
        pairs = [(str(row[0]), str(row[1])) for row in work.tx.all(_PAIRS)]
        key = service_locks.acquire_lock(work, _LOCK, _LOCK_SECONDS)
    if key is None:
        return len(pairs)
    try:
        while done < min(len(pairs), _MOST_WRITTEN) and time.monotonic() - start < _WRITE_SECONDS:
            domain, language = pairs[done]
            with open(True) as work:
                now, data = work.now, _render_file(work, domain, language)
            catalog_files.write_own_file(site, catalog_files.build_own_name(domain, language), data)
            with open(False) as work:
                # Translations made since the file was read stay marked as fresh, so that it is written again next time.
                work.tx.run(_CLEAR_FRESH, of=domain, code=language, before_it=now)
                work.tx.run(_FINISH, of=domain)
            done += 1
    finally:
        with open(False) as work:
            service_locks.release_lock(work, _LOCK, key)
    return len(pairs) - done


def _render_file(work: UnitOfWork, domain: str, language: str) -> bytes | None:
    """Return the file of the site's own translations; None where a shipped file has all of them."""
    ids = [row[0] for row in work.tx.all(_OWN_TRANSLATIONS, domain=domain, code=language)]
    texts = {text.id: text for text in strings.list_strings_by_ids(work, ids)}
    entries = [
        (texts[id], one.value)
        for id, known in string_translations.list_translations(work, ids).items()
        for one in known
        if one.language == language and one.value is not None and one.value != one.shipped
    ]
    return catalogs.encode_catalog(domain, language_to_locale(language), entries) if entries else None

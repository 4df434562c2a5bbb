"""The peer's memory: sites with their tokens, and a mirror of what each has sent, in one SQLite file.

What a buffer brings and how far the mirror has come are one transaction, so a kill leaves no item half applied, and one
that comes again is passed over. Not here: HTTP (fake_service/service.py, fake_service/sync_puller.py), comparing
(fake_service/comparison.py).
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from vetrina.kernel.codec import unpacked

__all__ = ["Mirror", "Place", "place"]

Place = tuple[str, int]  # when a queue was begun, and the running number in it

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS site (
  id INTEGER PRIMARY KEY AUTOINCREMENT, home TEXT NOT NULL, root TEXT NOT NULL, token TEXT NOT NULL,
  active INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE IF NOT EXISTS known (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS thing (
  site INTEGER NOT NULL, module TEXT NOT NULL, id TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (site, module, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reached (
  site INTEGER NOT NULL, queue TEXT NOT NULL, begun TEXT NOT NULL, number INTEGER NOT NULL,
  applied INTEGER NOT NULL DEFAULT 0, repeated INTEGER NOT NULL DEFAULT 0, skipped INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (site, queue)
) WITHOUT ROWID;
"""
_SAVED: Final = {
    "connector_sync_add_term": "terms", "connector_sync_save_term": "terms", "connector_sync_register_user": "users",
    "connector_sync_save_user": "users", "connector_sync_save_post": "posts", "cms_insert_comment": "comments",
    "connector_modified_comment_contents": "comments", "connector_sync_save_order": "shop_orders",
    "connector_sync_save_coupon": "shop_coupons", "connector_sync_save_tax_rate": "shop_tax_rates",
    "connector_sync_save_attribute": "shop_attributes",
}  # fmt: skip
_REMOVED: Final = {
    "deleted_post": "posts", "delete_term": "terms", "deleted_comment": "comments", "connector_deleted_user": "users",
    "deleted_order": "shop_orders", "deleted_coupon": "shop_coupons", "deleted_tax_rate": "shop_tax_rates",
    "deleted_attribute": "shop_attributes",
}  # fmt: skip
_NUMBERED: Final = {
    "terms": "term_id", "users": "ID", "posts": "ID", "comments": "comment_ID", "shop_orders": "id",
    "shop_coupons": "id", "shop_tax_rates": "id", "shop_attributes": "id",
}  # fmt: skip
_NAMED: Final = {
    "updated_option": "options", "connector_sync_constant": "constants", "connector_sync_callable": "functions",
}  # fmt: skip
_FULL: Final = "connector_full_sync_"
_AGAIN: Final = "again "


def place(name: str) -> Place:
    """Return where an item's id stands; later items of a queue compare as greater."""
    _, _, rest = name.partition("-")
    return (rest.partition(".")[0] if "full_sync" in name else "", int(name.rpartition("-")[2]))


class Mirror:
    """The memory of a peer; every thread may use it."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._file = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.executescript(_TABLES)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction."""
        with self._lock:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield self._file
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")

    def rows(self, words: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        with self._lock:
            return self._file.execute(words, values).fetchall()

    # -- sites

    def add(self, home: str, root: str, token: str, number: int = 0) -> int:
        """Keep a site under a new number, or its old one, and return it."""
        with self.writing() as file:
            if number and file.execute("SELECT 1 FROM site WHERE id = ?", (number,)).fetchone():
                file.execute(
                    "UPDATE site SET home = ?, root = ?, token = ?, active = 1 WHERE id = ?",
                    (home, root, token, number),
                )
            else:
                cursor = file.execute("INSERT INTO site (home, root, token) VALUES (?, ?, ?)", (home, root, token))
                number = int(cursor.lastrowid or 0)
            # A registered site's queues begin anew.
            file.execute("DELETE FROM reached WHERE site = ?", (number,))
        return number

    def site(self, number: int) -> tuple[str, str, str] | None:
        """Return home, API root and token of a site."""
        found = self.rows("SELECT home, root, token FROM site WHERE id = ? AND active", number)
        return (str(found[0][0]), str(found[0][1]), str(found[0][2])) if found else None

    def sites(self) -> list[int]:
        """Return the numbers of the sites that are connected."""
        return [int(row[0]) for row in self.rows("SELECT id FROM site WHERE active ORDER BY id")]

    def change(self, number: int, **members: str | int) -> None:
        """Change home, token or active of a site."""
        with self.writing() as file:
            for name, value in members.items():
                assert name in ("home", "token", "active")
                file.execute(f"UPDATE site SET {name} = ? WHERE id = ?", (value, number))

    def keep(self, name: str, value: Any) -> None:
        """Keep a named value: a code, an account's token."""
        with self.writing() as file:
            file.execute("INSERT OR REPLACE INTO known VALUES (?, ?)", (name, json.dumps(value)))

    def kept(self, name: str) -> Any:
        """Return a named value, None for none."""
        found = self.rows("SELECT value FROM known WHERE name = ?", name)
        return json.loads(found[0][0]) if found else None

    def again(self, site: int) -> list[str]:
        """Return the modules of which many things changed, so that they are best fetched whole."""
        found = self.rows("SELECT name FROM known WHERE name LIKE ? AND value = '1'", f"{_AGAIN}{site} %")
        return [str(row[0]).rpartition(" ")[2] for row in found]

    def fetching(self, site: int, modules: Iterable[str]) -> None:
        """Forget that modules are to be fetched; they are on their way."""
        for module in modules:
            self.keep(f"{_AGAIN}{site} {module}", 0)

    # -- things

    def things(self, site: int, module: str, first: int = 0, last: int = 1 << 62) -> list[dict[str, Any]]:
        """Return the things of a module, by their numbers."""
        found = self.rows(
            "SELECT data FROM thing WHERE site = ? AND module = ? AND CAST(id AS INTEGER) BETWEEN ? AND ? "
            "ORDER BY CAST(id AS INTEGER)", site, module, first, last,
        )  # fmt: skip
        return [json.loads(row[0]) for row in found]

    def state(self, site: int) -> dict[str, dict[str, int]]:
        """Return, by queue, how far it is applied, how many items were, came again, and held nothing."""
        found = self.rows("SELECT queue, number, applied, repeated, skipped FROM reached WHERE site = ?", site)
        names = ("number", "applied", "repeated", "skipped")
        return {row[0]: dict(zip(names, row[1:], strict=True)) for row in found}

    def put(self, site: int, module: str, found: Mapping[str, Any]) -> None:
        """Keep things as they were fetched; None removes one."""
        with self.writing() as file:
            for id, data in found.items():
                if data is None:
                    _drop(file, site, module, id)
                else:
                    _put(file, site, module, id, data)

    def apply(self, site: int, queue: str, sent: Mapping[str, str], skipped: Iterable[str] = ()) -> None:
        """Apply the items of a buffer in their order; those that were applied before are passed over.

        skipped: ids of the buffer that hold nothing.
        """
        with self.writing() as file:
            row = file.execute(
                "SELECT begun, number FROM reached WHERE site = ? AND queue = ?", (site, queue)
            ).fetchone()
            reached: Place = (row[0], row[1]) if row else ("", 0)
            applied = repeated = empty = 0
            for name in sorted([*sent, *skipped], key=place):
                at = place(name)
                if at <= reached:
                    repeated += 1
                    continue
                reached = at
                if name not in sent:
                    empty += 1
                    continue
                item = unpacked(sent[name])
                _apply(file, site, item[0], item[1])
                applied += 1
            file.execute(
                "INSERT INTO reached VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET begun = excluded.begun, "
                "number = excluded.number, applied = applied + excluded.applied, "
                "repeated = repeated + excluded.repeated, skipped = skipped + excluded.skipped",
                (site, queue, *reached, applied, repeated, empty),
            )


def _apply(file: sqlite3.Connection, site: int, action: str, arguments: list[Any]) -> None:
    if action in _SAVED:
        module = _SAVED[action]
        thing = next(one for one in arguments if isinstance(one, dict))
        _put(file, site, module, str(thing[_NUMBERED[module]]), thing)
    elif action in _REMOVED:
        _drop(file, site, _REMOVED[action], str(arguments[0]))
    elif action in _NAMED:
        _put(file, site, _NAMED[action], str(arguments[0]), arguments[-1])
    elif action == f"{_FULL}start":
        for module, wanted in arguments[0].items():
            if wanted == 1 and module in _NUMBERED:
                file.execute("DELETE FROM thing WHERE site = ? AND module = ?", (site, module))
    elif action == "connector_many_changed":
        file.execute("INSERT OR REPLACE INTO known VALUES (?, '1')", (f"{_AGAIN}{site} {arguments[0]}",))
    elif action.startswith(_FULL):
        _put_many(file, site, action.removeprefix(_FULL), arguments[0])


def _put_many(file: sqlite3.Connection, site: int, module: str, found: Any) -> None:
    if module in _NUMBERED:
        things: Iterable[tuple[str, Any]] = ((str(one[_NUMBERED[module]]), one) for one in found)
    elif module in ("options", "constants", "functions"):
        things = found.items()
    else:
        return
    for id, data in things:
        _put(file, site, module, id, data)


def _put(file: sqlite3.Connection, site: int, module: str, id: str, data: Any) -> None:
    file.execute("INSERT OR REPLACE INTO thing VALUES (?, ?, ?, ?)", (site, module, id, json.dumps(data)))


def _drop(file: sqlite3.Connection, site: int, module: str, id: str) -> None:
    file.execute("DELETE FROM thing WHERE site = ? AND module = ? AND id = ?", (site, module, id))
    # What hangs on a thing goes with it, and the site does not say so one by one.
    if module == "posts":
        file.execute(
            "DELETE FROM thing WHERE site = ? AND module = 'comments' AND json_extract(data, '$.comment_post_ID') = ?",
            (site, id),
        )
    elif module == "terms":
        rows = file.execute(
            "SELECT id, data FROM thing WHERE site = ? AND module = 'posts' AND EXISTS "
            "(SELECT 1 FROM json_each(data, '$.terms') WHERE value = ?)", (site, int(id)),
        ).fetchall()  # fmt: skip
        for record, text in rows:
            data = json.loads(text)
            data["terms"] = [one for one in data["terms"] if one != int(id)]
            _put(file, site, "posts", record, data)

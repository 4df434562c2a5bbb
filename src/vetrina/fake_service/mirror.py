"""The fake service's store: sites with their tokens, and a mirror of what each has sent, in one SQLite file.

The items of a buffer and the new position are one transaction, so a kill leaves no item half applied, and a repeated
item is skipped. HTTP: fake_service/service.py, fake_service/sync_puller.py. Checksums: fake_service/comparison.py.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from vetrina.connector.sync.codec import decode_payload

QueuePosition = tuple[str, int]  # when a queue was started, and the sequence number in it

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
_SAVE_ACTIONS: Final = {
    "connector_sync_add_term": "terms", "connector_sync_save_term": "terms", "connector_sync_register_user": "users",
    "connector_sync_save_user": "users", "connector_sync_save_post": "posts", "cms_insert_comment": "comments",
    "connector_modified_comment_contents": "comments", "connector_sync_save_order": "shop_orders",
    "connector_sync_save_coupon": "shop_coupons", "connector_sync_save_tax_rate": "shop_tax_rates",
    "connector_sync_save_attribute": "shop_attributes",
}  # fmt: skip
_REMOVE_ACTIONS: Final = {
    "deleted_post": "posts", "delete_term": "terms", "deleted_comment": "comments", "connector_deleted_user": "users",
    "deleted_order": "shop_orders", "deleted_coupon": "shop_coupons", "deleted_tax_rate": "shop_tax_rates",
    "deleted_attribute": "shop_attributes",
}  # fmt: skip
_ID_MEMBERS: Final = {
    "terms": "term_id", "users": "ID", "posts": "ID", "comments": "comment_ID", "shop_orders": "id",
    "shop_coupons": "id", "shop_tax_rates": "id", "shop_attributes": "id",
}  # fmt: skip
_NAMED_ACTIONS: Final = {
    "updated_option": "options", "connector_sync_constant": "constants", "connector_sync_callable": "functions",
}  # fmt: skip
_FULL: Final = "connector_full_sync_"
_REFETCH_PREFIX: Final = "again "


def parse_position(name: str) -> QueuePosition:
    """Return the position in an item's id; later items of a queue compare as greater."""
    _, _, rest = name.partition("-")
    return (rest.partition(".")[0] if "full_sync" in name else "", int(name.rpartition("-")[2]))


class SiteMirror:
    """The store of a fake service; thread-safe."""

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
    def begin_write(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction."""
        with self._lock:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield self._file
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._lock:
            return self._file.execute(sql, values).fetchall()

    # -- sites

    def add(self, home: str, root: str, token: str, number: int = 0) -> int:
        """Add a site under a new id, or update the one given, and return its id."""
        with self.begin_write() as file:
            if number and file.execute("SELECT 1 FROM site WHERE id = ?", (number,)).fetchone():
                file.execute(
                    "UPDATE site SET home = ?, root = ?, token = ?, active = 1 WHERE id = ?",
                    (home, root, token, number),
                )
            else:
                cursor = file.execute("INSERT INTO site (home, root, token) VALUES (?, ?, ?)", (home, root, token))
                number = int(cursor.lastrowid or 0)
            # The queues of a newly registered site start over.
            file.execute("DELETE FROM reached WHERE site = ?", (number,))
        return number

    def site(self, number: int) -> tuple[str, str, str] | None:
        """Return home URL, API root and token of a site."""
        found = self.rows("SELECT home, root, token FROM site WHERE id = ? AND active", number)
        return (str(found[0][0]), str(found[0][1]), str(found[0][2])) if found else None

    def sites(self) -> list[int]:
        """Return the ids of the connected sites."""
        return [int(row[0]) for row in self.rows("SELECT id FROM site WHERE active ORDER BY id")]

    def change(self, number: int, **members: str | int) -> None:
        """Update home URL, token or `active` of a site."""
        with self.begin_write() as file:
            for name, value in members.items():
                assert name in ("home", "token", "active")
                file.execute(f"UPDATE site SET {name} = ? WHERE id = ?", (value, number))

    def put_value(self, name: str, value: Any) -> None:
        """Store a named value: a code, an account's token."""
        with self.begin_write() as file:
            file.execute("INSERT OR REPLACE INTO known VALUES (?, ?)", (name, json.dumps(value)))

    def get_value(self, name: str) -> Any:
        """Return a named value, None if unset."""
        found = self.rows("SELECT value FROM known WHERE name = ?", name)
        return json.loads(found[0][0]) if found else None

    def list_refetch_modules(self, site: int) -> list[str]:
        """Return the modules with so many changes that they are best fetched whole."""
        found = self.rows("SELECT name FROM known WHERE name LIKE ? AND value = '1'", f"{_REFETCH_PREFIX}{site} %")
        return [str(row[0]).rpartition(" ")[2] for row in found]

    def clear_refetch(self, site: int, modules: Iterable[str]) -> None:
        """Clear the refetch marks of modules; they are being fetched."""
        for module in modules:
            self.put_value(f"{_REFETCH_PREFIX}{site} {module}", 0)

    # -- mirrored objects

    def things(self, site: int, module: str, first: int = 0, last: int = 1 << 62) -> list[dict[str, Any]]:
        """Return the objects of a module, by id."""
        found = self.rows(
            "SELECT data FROM thing WHERE site = ? AND module = ? AND CAST(id AS INTEGER) BETWEEN ? AND ? "
            "ORDER BY CAST(id AS INTEGER)", site, module, first, last,
        )  # fmt: skip
        return [json.loads(row[0]) for row in found]

    def state(self, site: int) -> dict[str, dict[str, int]]:
        """Return, by queue, its applied position, and how many items were applied, repeated and empty."""
        found = self.rows("SELECT queue, number, applied, repeated, skipped FROM reached WHERE site = ?", site)
        names = ("number", "applied", "repeated", "skipped")
        return {row[0]: dict(zip(names, row[1:], strict=True)) for row in found}

    def put(self, site: int, module: str, objects: Mapping[str, Any]) -> None:
        """Store objects as fetched; None deletes one."""
        with self.begin_write() as file:
            for id, data in objects.items():
                if data is None:
                    _delete_thing(file, site, module, id)
                else:
                    _put_thing(file, site, module, id, data)

    def apply(self, site: int, queue: str, items: Mapping[str, str], skipped: Iterable[str] = ()) -> None:
        """Apply the items of a buffer in order; items applied before are skipped.

        skipped: ids of empty items of the buffer.
        """
        with self.begin_write() as file:
            row = file.execute(
                "SELECT begun, number FROM reached WHERE site = ? AND queue = ?", (site, queue)
            ).fetchone()
            reached: QueuePosition = (row[0], row[1]) if row else ("", 0)
            applied = repeated = empty = 0
            for name in sorted([*items, *skipped], key=parse_position):
                at = parse_position(name)
                if at <= reached:
                    repeated += 1
                    continue
                reached = at
                if name not in items:
                    empty += 1
                    continue
                item = decode_payload(items[name])
                _apply_item(file, site, item[0], item[1])
                applied += 1
            file.execute(
                "INSERT INTO reached VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET begun = excluded.begun, "
                "number = excluded.number, applied = applied + excluded.applied, "
                "repeated = repeated + excluded.repeated, skipped = skipped + excluded.skipped",
                (site, queue, *reached, applied, repeated, empty),
            )


def _apply_item(file: sqlite3.Connection, site: int, action: str, arguments: list[Any]) -> None:
    if action in _SAVE_ACTIONS:
        module = _SAVE_ACTIONS[action]
        thing = next(one for one in arguments if isinstance(one, dict))
        _put_thing(file, site, module, str(thing[_ID_MEMBERS[module]]), thing)
    elif action in _REMOVE_ACTIONS:
        _delete_thing(file, site, _REMOVE_ACTIONS[action], str(arguments[0]))
    elif action in _NAMED_ACTIONS:
        _put_thing(file, site, _NAMED_ACTIONS[action], str(arguments[0]), arguments[-1])
    elif action == f"{_FULL}start":
        for module, wanted in arguments[0].items():
            if wanted == 1 and module in _ID_MEMBERS:
                file.execute("DELETE FROM thing WHERE site = ? AND module = ?", (site, module))
    elif action == "connector_many_changed":
        file.execute("INSERT OR REPLACE INTO known VALUES (?, '1')", (f"{_REFETCH_PREFIX}{site} {arguments[0]}",))
    elif action.startswith(_FULL):
        _put_things(file, site, action.removeprefix(_FULL), arguments[0])


def _put_things(file: sqlite3.Connection, site: int, module: str, found: Any) -> None:
    if module in _ID_MEMBERS:
        things: Iterable[tuple[str, Any]] = ((str(one[_ID_MEMBERS[module]]), one) for one in found)
    elif module in ("options", "constants", "functions"):
        things = found.items()
    else:
        return
    for id, data in things:
        _put_thing(file, site, module, id, data)


def _put_thing(file: sqlite3.Connection, site: int, module: str, id: str, data: Any) -> None:
    file.execute("INSERT OR REPLACE INTO thing VALUES (?, ?, ?, ?)", (site, module, id, json.dumps(data)))


def _delete_thing(file: sqlite3.Connection, site: int, module: str, id: str) -> None:
    file.execute("DELETE FROM thing WHERE site = ? AND module = ? AND id = ?", (site, module, id))
    # Children are deleted with their parent; the site does not report them one by one.
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
            _put_thing(file, site, "posts", record, data)

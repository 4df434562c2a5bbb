"""The pages on which the comments of a record are shown: which comments are on which, and their addresses.

A page has so many threads; page 1 has the oldest. Not here: lists of comments (content/comments/listing.py), how they
are shown (content/blocks/comment_blocks.py). Rules: docs/rules/reader_comments.md, 2 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.comments import comment as table
from vetrina.content.comments import model as comment_model
from vetrina.content.comments.model import APPROVED, Comment
from vetrina.content.records import permalinks
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork

PAGE_PARAMETER: Final = "cpage"  # of an address without a path of its own
PAGE_SEGMENT: Final = "comment-page-"  # start of the last part of the path of a page
_MAX_THREADS: Final = 200  # on a page, whatever is set
_MAX_COMMENTS: Final = 1000  # on a page
_LOOKUP: Final = "comment threads"

_LIST_PARENTS = Statement(
    select(table.c.id, table.c.parent)
    .where(table.c.post == bindparam("post"), table.c.status == APPROVED, table.c.type == "comment")
    .order_by(table.c.date_gmt, table.c.id)
)


class CommentPage(msgspec.Struct, frozen=True):
    """One page of the comments of a record. total: approved ones of all pages. waiting: id of the reader's own that is
    among them and waits for approval, 0 for none."""

    comments: list[Comment]
    total: int
    number: int = 1
    pages: int = 1
    waiting: int = 0


class _Threads(msgspec.Struct, frozen=True):
    """The approved comments of a record. roots: those that start a thread; answers: the others, by their parents."""

    total: int
    roots: list[int]
    answers: dict[int, list[int]]
    per_page: int

    @property
    def pages(self) -> int:
        return max(1, -(-len(self.roots) // self.per_page))


def load_comment_page(work: UnitOfWork, record: Record, number: int = 0, waiting: Comment | None = None) -> CommentPage:
    """Return a page of comments, in the order in which it shows them. number: 0 for the first one that readers see."""
    threads = _load_threads(work, record)
    number = number or _get_first_page(work, threads)
    start = (number - 1) * threads.per_page
    roots = threads.roots[start : start + threads.per_page]
    if work.option("comment_order") == "desc":
        roots.reverse()
    ids = _gather_answers(threads, roots)
    found = comment_model.STORE.load_by_ids(work.tx, ids)
    shown = [found[id] for id in ids if id in found]
    if waiting is not None:
        shown.append(waiting)
    own = waiting.id if waiting is not None else 0
    return CommentPage(shown, threads.total, number, threads.pages, own)


def count_comment_pages(work: UnitOfWork, record: Record) -> int:
    """Return how many pages of comments a record has, 1 for none."""
    return _load_threads(work, record).pages


def build_comment_url(work: UnitOfWork, record: Record, comment: Comment) -> str:
    """Return the address of a comment, on the page where it is shown."""
    threads, root = _load_threads(work, record), comment.id
    parents = {id: parent for parent, ids in threads.answers.items() for id in ids}
    while root in parents:
        root = parents[root]
    number = threads.roots.index(root) // threads.per_page + 1 if root in threads.roots else 0
    return f"{build_comment_page_url(work, record, number)}#comment-{comment.id}"


def build_comment_page_url(work: UnitOfWork, record: Record, number: int) -> str:
    """Return the address of a page of comments. number: 0 for the first one that readers see."""
    address = permalinks.build_permalink(work, work.site.types[record.type], record)
    if not number or number == _get_first_page(work, _load_threads(work, record)):
        return address
    if "?" in address:
        return f"{address}&{PAGE_PARAMETER}={number}"
    return f"{address.rstrip('/')}/{PAGE_SEGMENT}{number}/"


def _load_threads(work: UnitOfWork, record: Record) -> _Threads:
    work.uses("comment")
    key = f"{_LOOKUP} {record.id}"
    if key not in work.lookups:
        rows = work.tx.all(_LIST_PARENTS, post=record.id)
        known = {id for id, _ in rows} if work.option("thread_comments") else set()
        roots, answers = list[int](), dict[int, list[int]]()
        for id, parent in rows:
            if parent in known:
                answers.setdefault(parent, []).append(id)
            else:
                roots.append(id)
        asked = int(work.option("comments_per_page") or 0) if work.option("page_comments") else _MAX_THREADS
        work.lookups[key] = _Threads(len(rows), roots, answers, max(1, min(asked or _MAX_THREADS, _MAX_THREADS)))
    threads: _Threads = work.lookups[key]
    return threads


def _get_first_page(work: UnitOfWork, threads: _Threads) -> int:
    return 1 if work.option("default_comments_page") == "oldest" else threads.pages


def _gather_answers(threads: _Threads, roots: Sequence[int]) -> list[int]:
    """Return the ids of comments with all answers to them, level by level."""
    out, level = list(roots), list(roots)
    while level and len(out) < _MAX_COMMENTS:
        level = [id for parent in level for id in threads.answers.get(parent, ())]
        out += level
    return out[:_MAX_COMMENTS]

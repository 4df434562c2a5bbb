"""Build a site with many posts, fast: the rows that a thousand to a million creates would leave.

    python benchmarks/build.py FOLDER POSTS [--database URL]

Texts are drawn from a fixed vocabulary with a fixed seed, so that every run measures the same site. Each distinct text
is rendered once by the product's own renderer; rows are written in batches by its own statements.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import bindparam, insert

from vetrina.backends import database_schema, search_index
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_ids
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.records import searchable, tally
from vetrina.backends.tables.terms import record_term, term
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.text import rendering as text_rendering
from vetrina.kernel.folding import fold_text
from vetrina.kernel.slugs import slugify
from vetrina.kernel.times import format_iso
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

COMMON_WORD, RARE_WORD = "serena", "quokkaborough"
PASSWORD = "bench bench bench bench"
RARE_EVERY = 50_000  # posts; each such post holds the rare word
_BATCH = 5_000
_CATEGORIES = 20
_TEXTS = 400
_FIRST_DAY = 1_262_304_000  # 2010-01-01, in seconds since 1970

_TERM_LINK = Statement(insert(record_term).values({c.name: bindparam(c.name) for c in record_term.c}))
_CHANGE = Statement(insert(change).values({n: bindparam(n) for n in ("kind", "item", "action", "at")}))
_SEARCHABLE = Statement(
    insert(searchable).values({c.name: bindparam(c.name) for c in searchable.c if c.server_default is None})
)
_TERM = Statement(insert(term).values({c.name: bindparam(c.name) for c in term.c}))
_TALLY = Statement(insert(tally).values({c.name: bindparam(c.name) for c in tally.c}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("posts", type=int)
    parser.add_argument("--database", default="")
    args = parser.parse_args()
    build(args.folder, args.posts, args.database)


def build(folder: Path, posts: int, database: str = "") -> None:
    """Make a site with so many published posts in a new folder."""
    folder.mkdir(parents=True)
    settings = Settings(secret="secret of the benchmarks", database=database)
    site = Site(load_profile("first"), settings, folder, durable=False)
    database_schema.create_schema(site.database)
    with site.work() as work:
        bootstrap_site(work, [InitialAccount("admin", "administrator", "admin@example.org", PASSWORD)])
    put(site, posts)
    site.close()
    lines = [f'profile = "first"\nsecret = "{settings.secret}"\n', f'database = "{database}"\n' if database else ""]
    (folder / "vetrina.toml").write_text("".join(lines))


def put(site: Site, posts: int) -> range:
    """Put so many published posts and their categories into a site, and return the numbers of the posts."""
    with site.database.begin_write() as tx:
        terms, numbers = allocate_ids(tx, _CATEGORIES, "term"), allocate_ids(tx, posts)
        for number in terms:
            tx.run(
                _TERM, id=number, taxonomy="category", language="en", translations=number, name=f"Category {number}",
                name_key=f"category {number}", slug=f"category-{number}", description="", parent=0,
                count=posts // _CATEGORIES, meta="{}", source_language="",
            )  # fmt: skip
        tx.run(_TALLY, type="post", status="publish", language="en", author=1, count=posts)
    _fill(site, terms, numbers)
    index(site)
    return numbers


def date_of(post: int) -> str:
    """Return the local date of a post, as lists are asked for it."""
    return format_iso(_FIRST_DAY + post * 400 + 3600)


def _texts() -> list[dict[str, Any]]:
    """Return distinct contents with what is rendered from them."""
    source = random.Random(1)
    letters = ["la", "ve", "tri", "na", "so", "le", "ma", "re", "por", "to", "cit", "ta", "bo", "sco", "fio", "ri"]
    words = ["".join(source.choices(letters, k=source.randint(2, 4))) for _ in range(3000)]
    out = []
    for _ in range(_TEXTS):
        paragraphs = [" ".join(source.choices(words, k=60)).capitalize() + "." for _ in range(3)]
        content = "\n\n".join(f"<!-- wp:paragraph -->\n<p>{text}</p>\n<!-- /wp:paragraph -->" for text in paragraphs)
        out.append({
            "words": words,
            "content": content,
            "content_html": text_rendering.render_content(content),
            "excerpt_html": text_rendering.render_excerpt("", content),
            "folded": fold_text(content),
        })  # fmt: skip
    return out


def _fill(site: Site, terms: Sequence[int], numbers: Sequence[int]) -> None:
    texts, source, start = _texts(), random.Random(2), time.monotonic()
    blank = Record(
        id=0, type="post", status="publish", language="en", translations=0, slug="", author=1, parent=0, menu_order=0,
        date=0, date_gmt=0, modified=0, modified_gmt=0, title="", title_key="", title_html="", content="",
        content_html="", block_version=1, excerpt="", excerpt_html="", renderer=text_rendering.RENDERER_VERSION,
        password="", comment_status="open", ping_status="open", format="standard", template="", featured_media=0,
        guid="", trashed_status="", trashed_slug="", revisions=0, last_revision=0, version=1, meta={},
        floating=False, sticky=False,
    )  # fmt: skip
    for first in range(0, len(numbers), _BATCH):
        rows, links, notes, folded = [], [], [], []
        for number in numbers[first : first + _BATCH]:
            text = source.choice(texts)
            title = " ".join(source.choices(text["words"], k=5)).capitalize() + f" {number}"
            if number % 10 == 0:
                title += f" {COMMON_WORD}"
            if number % RARE_EVERY == 1:
                title += f" {RARE_WORD}"
            at = _FIRST_DAY + number * 400
            rows.append(
                msgspec.structs.replace(
                    blank, id=number, translations=number, slug=slugify(title), title=title, title_key=fold_text(title),
                    title_html=title, content=text["content"], content_html=text["content_html"],
                    excerpt_html=text["excerpt_html"], date=at + 3600, date_gmt=at, modified=at + 3600,
                    modified_gmt=at, guid=f"http://127.0.0.1/?p={number}",
                )
            )  # fmt: skip
            links.append({
                "record": number, "term": terms[number % len(terms)], "type": "post", "status": "publish",
                "language": "en", "date": at + 3600,
            })  # fmt: skip
            notes.append({"kind": "post", "item": str(number), "action": "created", "at": at})
            folded.append({"record": number, "title": fold_text(title), "content": text["folded"], "excerpt": ""})
        with site.database.begin_write() as tx:
            record_model.insert_records(tx, rows)
            tx.run_each(_SEARCHABLE, folded)
            tx.run_each(_TERM_LINK, links)
            tx.run_each(_CHANGE, notes)
        _progress("posts", min(first + _BATCH, len(numbers)), len(numbers), start)


def index(site: Site) -> None:
    """Let the search index catch up, as the consumer does."""
    if site.database.kind != "sqlite":
        return
    start, done = time.monotonic(), 0
    with site.database.begin_read() as tx:
        total = search_index.count_unindexed_changes(tx)
    while True:
        with site.database.begin_write() as tx:
            read = search_index.index_changes(tx, list(site.context.types), most=_BATCH)
        if not read:
            return
        done += read
        _progress("indexed", done, total, start)


def _progress(what: str, done: int, total: int, start: float) -> None:
    took = time.monotonic() - start
    print(f"\r  {what} {done:,} of {total:,} ({done / max(took, 0.001):,.0f}/s)", end="", file=sys.stderr, flush=True)
    if done >= total:
        print(file=sys.stderr)


if __name__ == "__main__":
    main()

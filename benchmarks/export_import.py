"""A large export file, and how long `vetrina import` takes for it, with the most memory that it holds.

.venv/bin/python benchmarks/export_import.py --posts 100000
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TextIO

VETRINA = Path(sys.executable).with_name("vetrina")
WORDS = (
    "harbour", "market", "lantern", "winter", "ferry", "orchard", "ledger", "granite", "sparrow", "violet", "copper",
    "river", "meadow", "bakery", "window", "tower", "island", "valley", "letter", "garden", "bridge", "museum",
    "library", "canvas",
)  # fmt: skip
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Large</title><link>https://old.example</link><description>A large site</description>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_site_url>https://old.example</wp:base_site_url>
<wp:base_blog_url>https://old.example</wp:base_blog_url>
"""


def write_export(out: TextIO, posts: int, seed: int) -> None:
    """Write an export with so many posts: ten authors, fifty categories, 2 kB of blocks and links, some comments."""
    random = Random(seed)
    out.write(HEAD)
    for at in range(1, 11):
        out.write(
            f"<wp:author><wp:author_id>{at + 1}</wp:author_id><wp:author_login>author{at}</wp:author_login>"
            f"<wp:author_email>author{at}@old.example</wp:author_email></wp:author>\n"
        )
    for at in range(1, 51):
        out.write(
            f"<wp:category><wp:term_id>{at + 1}</wp:term_id><wp:category_nicename>topic-{at}</wp:category_nicename>"
            f"<wp:cat_name>Topic {at}</wp:cat_name></wp:category>\n"
        )
    for at in range(1, posts + 1):
        _write_post(out, at, random)
    out.write("</channel></rss>\n")


def _write_post(out: TextIO, at: int, random: Random) -> None:
    title = " ".join(random.choices(WORDS, k=5)).capitalize()
    day = f"20{10 + at % 15:02}-{at % 12 + 1:02}-{at % 28 + 1:02}"
    text = ""
    for _ in range(4):
        words = " ".join(random.choices(WORDS, k=60)).capitalize()
        text += f"<!-- wp:paragraph -->\n<p>{words}.</p>\n<!-- /wp:paragraph -->\n\n"
    text += f'<p><a href="https://old.example/?p={max(1, at - 10)}">Before</a></p>'
    comment = ""
    if at % 10 == 0:
        comment = (
            f"<wp:comment><wp:comment_id>{at // 10}</wp:comment_id><wp:comment_author>Reader</wp:comment_author>"
            f"<wp:comment_author_email>reader@example.net</wp:comment_author_email><wp:comment_date>{day} 12:00:00"
            f"</wp:comment_date><wp:comment_date_gmt>{day} 11:00:00</wp:comment_date_gmt><wp:comment_content>Good."
            "</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>"
        )
    out.write(
        f"<item><title>{title}</title><link>https://old.example/{day.replace('-', '/')}/post-{at}/</link>"
        f"<dc:creator>author{at % 10 + 1}</dc:creator><content:encoded><![CDATA[{text}]]></content:encoded>"
        f"<excerpt:encoded></excerpt:encoded><wp:post_id>{at}</wp:post_id><wp:post_date>{day} 10:00:00</wp:post_date>"
        f"<wp:post_date_gmt>{day} 09:00:00</wp:post_date_gmt><wp:comment_status>open</wp:comment_status>"
        f"<wp:post_name>post-{at}</wp:post_name><wp:status>publish</wp:status><wp:post_parent>0</wp:post_parent>"
        f"<wp:post_type>post</wp:post_type>"
        f'<category domain="category" nicename="topic-{at % 50 + 1}">Topic</category>'
        f'<category domain="post_tag" nicename="tag-{at % 500}">tag {at % 500}</category>{comment}</item>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--posts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vetrina-export-") as folder:
        file, site = Path(folder, "export.xml"), Path(folder, "site")
        with file.open("w", encoding="utf-8") as out:
            write_export(out, given.posts, given.seed)
        subprocess.run(
            [VETRINA, "init", "--empty", "--url", "https://new.example", site], check=True, stdout=subprocess.DEVNULL
        )
        print(f"{given.posts:,} posts, {file.stat().st_size / 1e6:.0f} MB")
        for run in ("first", "again"):
            start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([VETRINA, "import", file, "--site", site], check=True)
            seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(
                f"{run}: {seconds:.1f} s, {processor:.1f} s of the processor, {given.posts / seconds:.0f} posts/s, "
                f"at most {after.ru_maxrss / 1024:.0f} MB in memory"
            )


if __name__ == "__main__":
    main()

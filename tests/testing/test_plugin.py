"""The plugin in another project: its fixtures, its processes, and its cost where it is not used."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest_plugins = "pytester"

SUITE = """
    from datetime import UTC, datetime

    SEEN = []

    def test_first(vetrina_first):
        SEEN.append(vetrina_first.url)
        assert vetrina_first.client("author").posts.create(title="x")["id"]
        vetrina_first.clock.freeze(datetime(2031, 1, 1, tzinfo=UTC))

    def test_at_its_start_again(vetrina_first, vetrina_site):
        SEEN.append(vetrina_first.url)
        assert vetrina_first.client().posts.list(status="any").all() == []
        assert vetrina_first.clock.now().year < 2031
        assert vetrina_site("first") is vetrina_first

    def test_one_process():
        assert len(set(SEEN)) == 1
"""


def test_a_suite_gets_its_stand_in_at_its_start_for_every_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SUITE)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-W", "error")
    result.assert_outcomes(passed=3)


def test_each_process_of_a_run_has_stand_ins_of_its_own(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import os, pathlib, pytest

        @pytest.mark.parametrize("number", range(2))
        def test_address(vetrina_first, number):
            (pathlib.Path(os.environ["SEEN"]) / os.environ["PYTEST_XDIST_WORKER"]).write_text(vetrina_first.url)
        """
    )
    seen = pytester.mkdir("seen")
    pytester._monkeypatch.setenv("SEEN", str(seen))
    result = pytester.runpytest_subprocess("-n", "2", "--dist", "each", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=4)
    assert len({file.read_text() for file in seen.iterdir()}) == 2


def test_a_stand_in_that_cannot_start_says_why(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_third(vetrina_site):\n    vetrina_site('third')\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*StartError*"])


def test_where_nobody_asks_nothing_is_loaded() -> None:
    program = "import sys, vetrina.pytest_plugin; print(*(name for name in sys.modules if name.startswith('vetrina')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"vetrina", "vetrina.pytest_plugin"}

"""The report of an import stays readable, whatever a source has too much of."""

from __future__ import annotations

from vetrina.transfer.report import ImportReport


def test_lines_that_differ_in_a_name_are_summed_up() -> None:
    report = ImportReport()
    report.notes.update({f"the extra field 'field_{at}' is not known here": 2 for at in range(20_000)})
    report.notes["webhooks come paused"] = 1
    lines = report.to_text().splitlines()
    assert len(lines) == 2 + 5 + 2 + 1
    assert lines[3] == "  the extra field 'field_0' is not known here (2 records)"
    assert lines[8] == "  … and 19,995 more like it (39,990 records); --report FILE.json names them all"
    assert lines[9] == "  webhooks come paused (1 record)"
    assert len(report.to_json()["notes"]) == 20_001


def test_reasons_that_differ_in_a_name_are_summed_up() -> None:
    report = ImportReport()
    for at in range(1000):
        report.refuse("/cms/v2/posts", at, f"the site has no language {f'l{at}'!r}")
    report.refuse("/cms/v2/pages", 1, "the site has no language 'de'")
    text = report.to_text()
    assert "/cms/v2/posts 4: the site has no language 'l4'" in text
    assert "l5'" not in text
    assert "… and 995 more like it (995 records)" in text
    assert "/cms/v2/pages 1: the site has no language 'de'" in text


def test_many_new_accounts_are_counted() -> None:
    report = ImportReport()
    report.resets += [f"reader{at}" for at in range(5000)]
    text = report.to_text()
    assert "5,000 new accounts without a password" in text
    assert text.endswith("reader49 and 4,950 more")

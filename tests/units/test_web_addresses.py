"""URLs in accounts, comments and menus: which are linked, and how they are written."""

import pytest

from vetrina.access.users.text_rules import sanitize_url


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (" http://a.example/b c", "http://a.example/b%20c"),
        ("HTTP://a.example", "http://a.example"),
        ("http;//a.example", "http://a.example"),
        ("a.example?b", "http://a.example?b"),
        ("localhost:8080/b", "http://localhost:8080/b"),
        ("b.php?c=d", "b.php?c=d"),
        ("/b#c:d", "/b#c:d"),
        ("#b:c", "#b:c"),
        ("http://a.example/%0%0%0DADb%0a", "http://a.example/b"),
        ("mailto:a@b.example?body=c%0Ad", "mailto:a@b.example?body=c%0Ad"),
        ("https://a:b@c.example:1/d?e[]=f", "https://a:b@c.example:1/d?e%5B%5D=f"),
        ("http://[::1]/?b[c]=d", "http://[::1]/?b%5Bc%5D=d"),
        ("/b?c[]=d", "/b?c%5B%5D=d"),
        ("feed:http://a.example/", "feed:http://a.example/"),
        ("feed:feed:a", "feed:feed:a"),
        ("feed:feed:feed:a", ""),
        ("feed:javascript:a", ""),
        ("feed:feed:javascript:a", ""),
        ("JaVaScRiPt:a", ""),
        ("java&#x0A;script:a", ""),
        ("nulla://a.example", ""),
        ('"^<>{}`', ""),
    ],
)
def test_an_address_is_safe_to_link_to(written: str, kept: str) -> None:
    assert sanitize_url(written) == kept
    assert sanitize_url(kept) == kept

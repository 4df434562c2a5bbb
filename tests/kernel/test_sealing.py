"""Encrypted texts open only with the same secret and name, and only unchanged."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, strategies as st

from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text


@given(st.text(), st.text(), st.text(st.characters(codec="utf-8")))
def test_a_sealed_text_opens_again(secret: str, name: str, text: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        return
    assert decrypt_text(secret, name, encrypt_text(secret, name, text)) == text


def test_it_hides_what_it_seals_and_is_never_the_same_twice() -> None:
    one, other = (encrypt_text("secret", "name", "the text " * 20) for _ in range(2))
    assert one != other
    assert b"the text" not in base64.urlsafe_b64decode(one.partition(".")[2])


@pytest.mark.parametrize(("secret", "name"), [("another", "name"), ("secret", "another"), ("", "name")])
def test_another_secret_or_name_opens_nothing(secret: str, name: str) -> None:
    with pytest.raises(CannotDecrypt):
        decrypt_text(secret, name, encrypt_text("secret", "name", "text"))


def test_every_changed_byte_is_seen() -> None:
    version, _, told = encrypt_text("secret", "name", "text").partition(".")
    raw = base64.urlsafe_b64decode(told)
    for at in range(len(raw)):
        changed = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
        with pytest.raises(CannotDecrypt):
            decrypt_text("secret", "name", f"{version}.{base64.urlsafe_b64encode(changed).decode()}")


@pytest.mark.parametrize("text", ["", "1.", "2.", "2.abc", "2.ü", "2.YWJj", "1.abc", "plain"])
def test_what_was_never_sealed_opens_nothing(text: str) -> None:
    with pytest.raises(CannotDecrypt):
        decrypt_text("secret", "name", text)

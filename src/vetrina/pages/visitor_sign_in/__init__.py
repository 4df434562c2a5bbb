"""Signing in on public pages: a form that returns to its page, and the block that links to it or shows it."""

from __future__ import annotations

from typing import Final

from vetrina.pages.forms import PageForm
from vetrina.pages.page_features import PageFeatures
from vetrina.pages.visitor_sign_in.sign_in_block import render_sign_in_block
from vetrina.pages.visitor_sign_in.sign_in_form import SIGN_IN_FORM, handle_sign_in_form

FEATURES: Final = PageFeatures(
    # It may stand on any page, so it cannot have a nonce.
    forms={SIGN_IN_FORM: PageForm(handle_sign_in_form, kept=True)},
    blocks={"core/loginout": render_sign_in_block},
)

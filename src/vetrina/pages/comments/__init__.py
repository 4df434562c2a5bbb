"""Comments by readers on public pages: the form, the links to reply, what happens when one is sent.

Their rules: content/comments/reader_comments.py. Rules: docs/rules/reader_comments.md, 1 and 2.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.phrases import Phrases
from vetrina.pages.comments import comment_form, submission
from vetrina.pages.comments.comment_form import COMMENT_FORM
from vetrina.pages.forms import PageForm
from vetrina.pages.page_features import PageFeatures

FEATURES: Final = PageFeatures(
    forms={COMMENT_FORM: PageForm(submission.handle_comment, kept=True)},
    blocks={
        "core/comment-reply-link": comment_form.render_reply_block,
        "core/post-comments-form": comment_form.render_form_block,
    },
    notices={submission.WAITING_NOTICE: "Thank you. Your comment is shown as soon as it has been approved."},
    phrases=Phrases(__name__),
)

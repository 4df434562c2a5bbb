"""What webhooks are told of translation jobs. Rules: docs/rules/webhooks.md, 6."""

from __future__ import annotations

from vetrina.core.site_context import SiteContext
from vetrina.core.webhooks.model import WebhookResource
from vetrina.multilingual.jobs.model import KIND


def build_job_resources(site: SiteContext) -> tuple[WebhookResource, ...]:
    """Return how jobs are told: the list with the one job; `updated` for each change of its state."""
    return (
        WebhookResource("translation_job", {KIND: "/mlang/tm/v1/jobs?id={id}"}, ("created", "updated", "completed")),
    )

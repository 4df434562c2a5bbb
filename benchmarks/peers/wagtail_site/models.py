"""What a post is."""

from django.db import models
from wagtail.api import APIField
from wagtail.fields import RichTextField
from wagtail.models import Page
from wagtail.search import index


class Post(Page):
    content = RichTextField()
    excerpt = models.TextField(blank=True)
    date = models.DateTimeField(db_index=True)
    api_fields = [APIField("content"), APIField("excerpt"), APIField("date")]
    search_fields = [*Page.search_fields, index.SearchField("content")]

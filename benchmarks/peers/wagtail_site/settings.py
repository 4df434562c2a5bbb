"""Settings of the site."""

import os

ALLOWED_HOSTS = ["*"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["PEER_DATABASE"]}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "wagtail_site",
    "wagtail.api.v2",
    "wagtail.contrib.redirects",
    "wagtail.documents",
    "wagtail.images",
    "wagtail.search",
    "wagtail.users",
    "wagtail.admin",
    "wagtail",
    "modelcluster",
    "taggit",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "rest_framework",
]
MIDDLEWARE = ["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"]
ROOT_URLCONF = "wagtail_site.api"
SECRET_KEY = "of a benchmark"
STATIC_URL = "/static/"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
USE_TZ = True
WAGTAILADMIN_BASE_URL = "http://127.0.0.1"
WAGTAILAPI_LIMIT_MAX = 100
WAGTAILSEARCH_BACKENDS = {"default": {"BACKEND": "wagtail.search.backends.database"}}
WAGTAIL_SITE_NAME = "Benchmark"

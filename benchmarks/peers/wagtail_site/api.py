"""The routes of pages."""

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

# Only now: Django's models need its settings to be read.
from django.urls import path  # noqa: E402
from wagtail.api.v2.router import WagtailAPIRouter  # noqa: E402
from wagtail.api.v2.views import PagesAPIViewSet  # noqa: E402

api = WagtailAPIRouter("api")
api.register_endpoint("pages", PagesAPIViewSet)
urlpatterns = [path("api/", api.urls)]

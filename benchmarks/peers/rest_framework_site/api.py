"""The routes of posts: lists with pages, totals, a search and chosen fields."""

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

# Only now: Django's models need its settings to be read.
from rest_framework import filters, pagination, routers, serializers, viewsets  # noqa: E402

from .models import Post  # noqa: E402


class PostSerializer(serializers.ModelSerializer):
    class Meta:
        model = Post
        fields = "__all__"
        read_only_fields = ["author"]

    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        if chosen := named.get("context", {}).get("fields"):
            for name in set(self.fields) - set(chosen):
                self.fields.pop(name)


class Pages(pagination.PageNumberPagination):
    page_size = 10
    page_size_query_param = "per_page"
    max_page_size = 100


class PostViewSet(viewsets.ModelViewSet):
    serializer_class = PostSerializer
    pagination_class = Pages
    filter_backends = [filters.SearchFilter]
    search_fields = ["title", "content"]

    def get_queryset(self):
        posts = Post.objects.filter(status="publish")
        if fields := self._list_fields():
            return posts.only(*fields)
        return posts.prefetch_related("categories")

    def get_serializer_context(self):
        return {**super().get_serializer_context(), "fields": self._list_fields()}

    def perform_create(self, serializer):
        serializer.save(author=self.request.user)

    def _list_fields(self):
        return [name for name in self.request.query_params.get("fields", "").split(",") if name]


router = routers.SimpleRouter(trailing_slash=False)
router.register("posts", PostViewSet, basename="post")
urlpatterns = router.urls

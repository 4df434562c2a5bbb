"""A site of posts with Django REST framework, as its tutorial leads to one, with the joins that a list needs."""

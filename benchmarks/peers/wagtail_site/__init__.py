"""A site of posts with Wagtail and its REST interface, which reads alone."""

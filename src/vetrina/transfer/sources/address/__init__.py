"""The source that reads a site over its REST interface."""

"""Reviews of products."""

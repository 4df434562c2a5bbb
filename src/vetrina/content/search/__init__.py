"""Search over the whole site, and the relevance of its results."""

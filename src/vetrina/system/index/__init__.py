"""The site describes itself: the root index and those of the namespaces."""

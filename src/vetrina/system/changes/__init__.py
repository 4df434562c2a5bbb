"""The change feed: what changed on a site since a cursor."""

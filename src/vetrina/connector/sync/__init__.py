"""Sync: the queue of changes, full syncs, and the objects that the service reads."""

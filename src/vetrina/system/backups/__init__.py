"""Backups of a site: their file, and those that are made over the interface."""

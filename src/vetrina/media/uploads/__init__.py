"""Uploads: which files are accepted, how they are named, and where they are stored."""

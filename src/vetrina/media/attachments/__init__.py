"""Attachments: the records of uploaded files."""

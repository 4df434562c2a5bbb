"""Webhooks for content: events of records, terms, media, menus, accounts, comments and settings."""

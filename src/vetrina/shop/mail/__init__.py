"""Mails that a shop sends."""

"""Mails that tell the owner of an account what happened to it."""

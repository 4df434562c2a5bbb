"""Accounts that people make for themselves, and that begin with a link in a mail."""

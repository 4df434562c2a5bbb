"""Translations of records and terms: groups, modes, what a save copies."""

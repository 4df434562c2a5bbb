"""Roles, their capabilities, and permission checks on records."""

"""Texts: markup, shortcodes, typography, sanitizing, and the filter over all output."""

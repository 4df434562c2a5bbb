"""Vetrina: a content and commerce server that speaks one JSON REST interface."""

__version__ = "0.1.0"

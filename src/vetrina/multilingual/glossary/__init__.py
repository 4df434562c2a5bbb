"""The glossary: what certain words of a site are called in its other languages."""

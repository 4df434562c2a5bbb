"""The style sheet of a site, generated from its theme, the owner's styles and the fonts they name.

Start with stylesheet.py. Everything else here is pure: settings and styles in, CSS out.
"""

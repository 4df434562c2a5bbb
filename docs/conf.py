"""Settings of Sphinx for the documentation. `make docs` builds it; the pages are gathered by `derive/sources.py`."""

project = "Vetrina"
copyright = "the authors of Vetrina"
html_title = "Vetrina"
extensions = ["myst_parser", "derive.navigation", "derive.recorded", "derive.search_words"]
myst_enable_extensions = ["deflist", "fieldlist"]
myst_heading_anchors = 3
myst_ref_domains = ["std"]
html_theme = "furo"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
# The site is read without a network: nothing of it comes from elsewhere.
html_theme_options = {"source_repository": ""}
highlight_language = "text"
# Quotes and dashes stay as they were written; turning them takes a tenth of the build.
smartquotes = False
templates_path: list[str] = []

"""How `make docs` makes the pages."""

project = "Arpad"
author = "The Arpad authors"
copyright = "2026, The Arpad authors"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Arpad"
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 4
# The second word of a block's first line (`tested`) is for tests/docs, not for the page.
suppress_warnings = ["misc.highlighting_failure"]

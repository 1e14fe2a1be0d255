"""Sphinx's settings for the site; tools/site/make.py lays out the pages and calls it."""
import os

project = "Residue"
author = "The Residue authors"
copyright = "2026 The Residue authors"
version = release = os.environ["RESIDUE_SITE_VERSION"]

extensions = ["myst_parser", "breathe", "sphinx_copybutton"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
breathe_projects = {"residue": os.environ["RESIDUE_SITE_XML"]}
breathe_default_project = "residue"
breathe_show_include = False
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
# Attributes that say nothing to a reader.
cpp_id_attributes = ["RESIDUE_API"]
c_id_attributes = ["RESIDUE_API"]

html_theme = "furo"
html_title = "Residue"
html_static_path = ["static"]
html_css_files = ["residue.css"]
html_copy_source = False
html_show_sphinx = False
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
# Output that is no language stays plain.
highlight_language = "none"
nitpicky = False

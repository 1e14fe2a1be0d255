#!/usr/bin/env python3
"""Makes the site: lays out the documents and the generated pages, and lets Sphinx make HTML of them.

    tools/site/make.py BUILD OUTPUT

BUILD is a build of this tree with the command and the Python package; OUTPUT/html is the site. `cmake --build --preset release
--target docs` calls it. Needs what scripts/install_dependencies.sh site installs.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import museum_page
import reference_pages

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOXYGEN = """
QUIET = YES
WARN_IF_UNDOCUMENTED = NO
WARN_AS_ERROR = FAIL_ON_WARNINGS
INPUT = {root}/include/residue
RECURSIVE = NO
FILE_PATTERNS = *.h *.hpp
STRIP_FROM_PATH = {root}/include
STRIP_FROM_INC_PATH = {root}/include
FILTER_PATTERNS = *.h={root}/tools/site/comments.sed *.hpp={root}/tools/site/comments.sed
JAVADOC_AUTOBRIEF = YES
EXTRACT_ALL = YES
EXCLUDE_SYMBOLS = *detail* RESIDUE_NOEXCEPT RESIDUE_API *_HPP_ *_H_ RESIDUE_SAYS*
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = RESIDUE_API= RESIDUE_NOEXCEPT= __cplusplus=202002L
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
MAX_INITIALIZER_LINES = 0
OUTPUT_DIRECTORY = {output}
"""


def lay_out(source):
    """The documents where they lie in the tree, so that links between them hold."""
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "docs", source / "docs", ignore=shutil.ignore_patterns("site"))
    shutil.copytree(ROOT / "docs" / "site", source, dirs_exist_ok=True)


def mend_theme(static):
    """Debian's Furo is not compiled as its authors compile it. The style that it imports lies where Debian's web servers have
    it; docs/site/static/residue.css has what is needed of that. Dark colours do not follow the system's. The script is a
    module in two files, which the pages load as if it were none."""
    path = static / "styles" / "furo.css"
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"@import url\(/javascript/[^)]*\);", "", text)
    dark = re.search(r'body\[data-theme="dark"\] \{(\s*--color[^}]*)\}', text)[1]
    text += f'@media not print {{ @media (prefers-color-scheme: dark) {{ body[data-theme="auto"] {{{dark}}} }} }}\n'
    path.write_text(text, encoding="utf-8")
    scripts = static / "scripts"
    script = (scripts / "furo.js").read_text(encoding="utf-8")
    spy = (scripts / "gumshoe-patched.js").read_text(encoding="utf-8")
    (scripts / "furo.js").write_text(spy + re.sub(r"^import Gumshoe.*\n", "", script), encoding="utf-8")


def main():
    build, output = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    source, pages = output / "source", output / "source" / "reference"
    shutil.rmtree(output, ignore_errors=True)
    pages.mkdir(parents=True)
    lay_out(source)
    settings = DOXYGEN.format(root=ROOT, output=output)
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)
    subprocess.run(["cmake", "--install", build, "--component", "python3-residue", "--prefix", output / "python"], check=True,
                   stdout=subprocess.DEVNULL)
    reference_pages.write_c(pages / "c.md")
    reference_pages.write_cpp(pages / "cpp.md", output / "xml")
    reference_pages.write_python(pages / "python.md", output / "python")
    reference_pages.write_command(pages / "command.md", build / "bin" / "residue")
    museum_page.write(ROOT / "tests" / "data" / "bug-museum.json", pages / "museum.md")
    version = re.search(r"^project\(residue VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    environment = os.environ | {"RESIDUE_SITE_VERSION": version, "RESIDUE_SITE_XML": str(output / "xml")}
    subprocess.run(["sphinx-build", "-q", "-W", "--keep-going", "-b", "html", "-d", output / "doctrees", source, output / "html"],
                   env=environment, check=True)
    mend_theme(output / "html" / "_static")


if __name__ == "__main__":
    main()

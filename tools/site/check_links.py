#!/usr/bin/env python3
"""Checks a site: every link inside it leads to a page and a place in it that exist, and no page asks another host for anything.

    tools/site/check_links.py FOLDER
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse

# Attributes that make a browser load something by itself.
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("image", "href"),
          ("object", "data"), ("video", "src"), ("audio", "src"), ("embed", "src")}

FOREIGN_STYLE = re.compile(r"""(?:url\(\s*|@import\s+)["']?(?:https?:|/)[^"')]*""")


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names = set()
        self.links = []  # (tag, attribute, address)
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.names.add(value)
            if name in ("href", "src", "data") and value:
                self.links.append((tag, name, value))


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    problems, links = [], 0
    for path, page in pages.items():
        where = path.relative_to(root)
        for tag, attribute, address in page.links:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme in ("data", "mailto"):
                continue
            if parts.scheme or parts.netloc:
                if (tag, attribute) in LOADED:
                    problems.append(f"{where}: <{tag} {attribute}> asks another host: {address}")
                continue
            links += 1
            target = path if not parts.path else (path.parent / urllib.parse.unquote(parts.path)).resolve()
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                problems.append(f"{where}: {address}: there is no such file")
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].names:
                problems.append(f"{where}: {address}: there is no such place in the page")
    for style in root.rglob("*.css"):
        for found in FOREIGN_STYLE.findall(style.read_text(encoding="utf-8")):
            problems.append(f"{style.relative_to(root)}: {found} asks another host")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(pages)} pages, {links} links, {len(problems)} problems")
    return 1 if problems or not pages else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Tables that live in documents.

usage: PROGRAM | page.py DOCUMENT NAME     puts what the program prints between the lines of that name
"""
import pathlib
import sys


def put_table(path, name, text):
    """Replaces what stands in a document between the lines <!-- name --> and <!-- end of name -->."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    page = path.read_text()
    head, begins, rest = page.partition(begin)
    _, ends, tail = rest.partition(end)
    if not begins or not ends:
        sys.exit(f"{path} has no lines {begin.strip()} and {end}")
    path.write_text(head + begin + text + end + tail)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    put_table(pathlib.Path(sys.argv[1]), sys.argv[2], sys.stdin.read())

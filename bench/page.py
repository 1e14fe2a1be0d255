"""Tables that live in documents."""
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

#!/usr/bin/env python3
"""Which of the given source files a change can have made worse, for checks that are too long to look at all of them.

usage: changed_sources.py ROW FILE...

ROW is the promise in docs/testing.md of the check that looks at all files: its row names the commit of the last run. Prints
those of the files that changed since, and for each header that changed one file that includes it. In a clone without that
commit, "since" is the parent of the last one. Prints all files if the row names no clean run, or the clone has no history at
all, or the check's own rules changed (.clang-tidy).
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/testing.md"
RULES = ".clang-tidy"
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def git(*arguments):
    """Lines of its output, or None if it failed."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


def last_run(promise, page):
    """The commit of the row's last run; None if it had findings, or the tree had changes that no commit has."""
    for row in page.splitlines():
        if row.startswith(f"| {promise} |") and "FAILED" not in row:
            commit = re.search(r", ([0-9a-f]{7,40}) \|$", row)
            return commit and commit[1]
    return None


def changed_since(commit):
    """Files that differ from the commit's, or None if that is not known. A clone without the commit may know the last change."""
    for old in (commit, "HEAD^") if commit else ():
        if git("cat-file", "-e", f"{old}^{{commit}}") is not None:
            return git("diff", "--name-only", old, "--")
    return None


def includers(header, texts):
    """Files that include the header, by any of the ways its path can be written."""
    parts = header.split("/")
    names = {"/".join(parts[i:]) for i in range(len(parts))}
    return [path for path, included in texts.items() if names & included]


def witness(header, files, texts):
    """The nearest of the files that includes the header, itself or through other headers."""
    seen, level = {header}, [header]
    while level:
        level = sorted({path for name in level for path in includers(name, texts)} - seen)
        seen.update(level)
        for path in level:
            if path in files:
                return path
    return None


def choose(files, changed, texts):
    if changed is None or RULES in changed:
        return files
    chosen = set(changed) & set(files)
    for header in (path for path in changed if path.endswith((".h", ".hpp", ".def"))):
        # A file that is looked at anyway will do.
        found = witness(header, chosen, texts) or witness(header, set(files), texts)
        if found:
            chosen.add(found)
    return sorted(chosen)


def main():
    promise, files = sys.argv[1], sys.argv[2:]
    tracked = [path for path in git("ls-files") if path.endswith((".h", ".hpp", ".def", ".cc")) and (ROOT / path).exists()]
    texts = {path: set(INCLUDE.findall((ROOT / path).read_text(encoding="utf-8"))) for path in tracked}
    print("\n".join(choose(files, changed_since(last_run(promise, DOCUMENT.read_text())), texts)))


if __name__ == "__main__":
    main()

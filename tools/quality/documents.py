#!/usr/bin/env python3
"""How the documents read: length, width, and long sentences.

usage: documents.py           prints a table, a line for each document
       documents.py --check   fails if README is too long or too wide, or a document has wide lines or long sentences

docs/reference is left out: its rules are quoted. A sentence is counted in paragraphs and lists, not in tables, code or
headings. Tables and links cannot be broken, so only lines of other text count as wide.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MOST_WORDS = 30
MOST_COLUMNS = 120
README_LINES = 150
README_COLUMNS = 110


def documents():
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return [ROOT / name for name in names if (ROOT / name).exists() and not name.startswith("docs/reference/")]


def prose(text):
    """The lines outside code."""
    inside = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            yield line


def is_table(line):
    return line.lstrip().startswith("|")


def sentences(text):
    """Paragraphs and items of lists, cut at the ends of sentences."""
    blocks, block = [], []
    for line in [*prose(text), ""]:
        stripped = line.strip()
        begins_item = re.match(r"([-*]|\d+\.) ", stripped)
        if not stripped or is_table(line) or stripped.startswith(("#", "<!--", "![")) or begins_item:
            blocks.append(" ".join(block))
            block = []
        if stripped and not is_table(line) and not stripped.startswith(("#", "<!--", "![")):
            block.append(re.sub(r"^([-*]|\d+\.) ", "", stripped))
    for paragraph in blocks:
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", paragraph)
        plain = re.sub(r"`[^`]*`", "Code", plain)
        yield from filter(None, re.split(r"(?<=[.!?:])\s+(?=[A-Z*`(\[])", plain))


def measure(path):
    text = path.read_text()
    lines = text.splitlines()
    wide = [line for line in prose(text) if len(line) > MOST_COLUMNS and not is_table(line)]
    long = [sentence for sentence in sentences(text) if len(sentence.split()) > MOST_WORDS]
    return len(lines), max(map(len, lines), default=0), len(wide), long


def main():
    check = sys.argv[1:] == ["--check"]
    problems, totals = [], [0, 0]
    rows = []
    for path in documents():
        count, widest, wide, long = measure(path)
        name = path.relative_to(ROOT)
        rows.append(f"| {name} | {count} | {widest} | {wide} | {len(long)} |")
        totals = [totals[0] + (wide > 0), totals[1] + len(long)]
        if wide:
            problems.append(f"{name} has {wide} lines of text over {MOST_COLUMNS} columns")
        problems += [f"{name}: {len(sentence.split())} words in one sentence: {sentence}" for sentence in long]
        if str(name) == "README.md" and (count > README_LINES or widest > README_COLUMNS):
            problems.append(f"README.md has {count} lines of up to {widest} columns; {README_LINES} of {README_COLUMNS} are the limit")
    if check:
        print("\n".join(problems) or "documents: in measure")
        return 1 if problems else 0
    print(f"| document | lines | widest line | lines over {MOST_COLUMNS} columns | sentences over {MOST_WORDS} words |")
    print("| --- | --- | --- | --- | --- |\n" + "\n".join(rows))
    print(f"| all: files over {MOST_COLUMNS} columns, long sentences | | | {totals[0]} | {totals[1]} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

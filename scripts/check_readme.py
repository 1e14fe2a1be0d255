#!/usr/bin/env python3
"""Fails unless README.md shows examples/modulus.cpp and the examples' output as they are, every C, C++ and Python block in
README and guides is part of an example, every path and link in the documents exists, and what they show of the command
is what it prints."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = (r"`((?:docs|src|scripts|tests|examples|include|cmake|python|bench|tools|verification|onnxruntime|compat)"
           r"/[\w./-]+)`")
# Timings, which are not the same twice.
CHANGING = re.compile(r"[\d.]+ ms median")


def check_commands():
    """Every "$ residue ..." of the documents that a built command can repeat prints what they show."""
    command = ROOT / "build/release/bin/residue"
    if not command.exists():
        return []
    problems = []
    for document in [ROOT / "README.md", *sorted((ROOT / "docs/guides").glob("*.md"))]:
        for line, shown in re.findall(r"^\$ residue ((?:eval|run examples|explain examples)[^\n]*)\n(.*?)(?=^```|^\$ )",
                                      document.read_text(), re.S | re.M):
            printed = subprocess.run([command, *line.split()], cwd=ROOT, capture_output=True, text=True).stdout
            if CHANGING.sub("", printed) != CHANGING.sub("", shown):
                problems.append(f"{document.relative_to(ROOT)}: residue {line} prints\n{printed}")
    return problems


def main():
    readme = (ROOT / "README.md").read_text()
    problems = []
    for language, name in (("cpp", "examples/modulus.cpp"), ("", "examples/modulus_cpp.expected"),
                           ("", "examples/directml/hello_modulus.expected")):
        if f"```{language}\n{(ROOT / name).read_text()}```" not in readme:
            problems.append(f"README.md does not show {name} as it is")
    examples = [path.read_text() for path in sorted((ROOT / "examples").rglob("*.c*"))]
    for document in [ROOT / "README.md", *sorted((ROOT / "docs/guides").glob("*.md"))]:
        for block in re.findall(r"^```c(?:pp)?\n(.*?)^```", document.read_text(), re.S | re.M):
            if not any(block in example for example in examples):
                problems.append(f"{document.relative_to(ROOT)}: this block is in no example:\n{block}")
    scripts = [path.read_text() for path in sorted((ROOT / "examples/python").glob("*.py"))]
    for document in [ROOT / "README.md", *sorted((ROOT / "docs/guides").glob("*.md"))]:
        for block in re.findall(r"^```python\n(.*?)^```", document.read_text(), re.S | re.M):
            if not any(block in script for script in scripts):
                problems.append(f"{document.relative_to(ROOT)}: this block is in no example:\n{block}")
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if document.is_relative_to(ROOT / "docs/site"):  # tools/site/check_links.py reads it where it lies in the site
            continue
        text = document.read_text()
        for path in re.findall(FOLDERS, text):
            if not (ROOT / path).exists():
                problems.append(f"{document.relative_to(ROOT)} names {path}, which does not exist")
        # Not in code: a lambda is no link.
        for link in re.findall(r"\]\(([^)#:]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)):
            if not (document.parent / link).exists():
                problems.append(f"{document.relative_to(ROOT)} links to {link}, which does not exist")
    problems += check_commands()
    print("\n".join(problems) if problems else "documents: in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

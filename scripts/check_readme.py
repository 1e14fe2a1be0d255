#!/usr/bin/env python3
"""Fails unless README.md shows examples/modulus.cpp and its output as they are, and every path it names exists."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    readme = (ROOT / "README.md").read_text()
    problems = []
    for language, name in (("cpp", "examples/modulus.cpp"), ("", "examples/modulus_cpp.expected")):
        if f"```{language}\n{(ROOT / name).read_text()}```" not in readme:
            problems.append(f"README.md does not show {name} as it is")
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for path in re.findall(r"`((?:docs|src|scripts|tests|examples|include|cmake)/[\w./-]+)`", document.read_text()):
            if not (ROOT / path).exists():
                problems.append(f"{document.relative_to(ROOT)} names {path}, which does not exist")
    print("\n".join(problems) if problems else "documents: in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

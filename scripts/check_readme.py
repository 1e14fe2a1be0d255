#!/usr/bin/env python3
"""Fails unless README.md shows examples/modulus.cpp and the examples' output as they are, every C++ and Python block in
README and guides is part of an example, and every path the documents name exists."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    readme = (ROOT / "README.md").read_text()
    problems = []
    for language, name in (("cpp", "examples/modulus.cpp"), ("", "examples/modulus_cpp.expected"),
                           ("", "examples/directml/hello_modulus.expected")):
        if f"```{language}\n{(ROOT / name).read_text()}```" not in readme:
            problems.append(f"README.md does not show {name} as it is")
    examples = [path.read_text() for path in sorted((ROOT / "examples").rglob("*.c*"))]
    for document in [ROOT / "README.md", *sorted((ROOT / "docs/guides").glob("*.md"))]:
        for block in re.findall(r"^```cpp\n(.*?)^```", document.read_text(), re.S | re.M):
            if not any(block in example for example in examples):
                problems.append(f"{document.relative_to(ROOT)}: this block is in no example:\n{block}")
    scripts = [path.read_text() for path in sorted((ROOT / "examples/python").glob("*.py"))]
    for document in [ROOT / "README.md", *sorted((ROOT / "docs/guides").glob("*.md"))]:
        for block in re.findall(r"^```python\n(.*?)^```", document.read_text(), re.S | re.M):
            if not any(block in script for script in scripts):
                problems.append(f"{document.relative_to(ROOT)}: this block is in no example:\n{block}")
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for path in re.findall(r"`((?:docs|src|scripts|tests|examples|include|cmake|python|bench)/[\w./-]+)`", document.read_text()):
            if not (ROOT / path).exists():
                problems.append(f"{document.relative_to(ROOT)} names {path}, which does not exist")
    print("\n".join(problems) if problems else "documents: in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

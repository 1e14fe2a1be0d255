#!/usr/bin/env python3
"""Compiles common mistakes and fails unless the compiler says in a few lines what to do.

usage: check.py INCLUDE COMPILER...; with RESIDUE_TIER=quick, or without it, of the first compiler alone

Each .cpp file here has one mistake, and names in its first line a part of the sentence that the compiler must print, or says
that it must compile. Prints a table: lines of output by each compiler that there is.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Without pictures of the source, as newer compilers draw one for each step.
MOST_LINES = 8
CLANG_PLAIN = ["-fno-color-diagnostics", "-fno-caret-diagnostics"]
GCC_PLAIN = ["-fdiagnostics-color=never", "-fno-diagnostics-show-caret"]


def main():
    include, *compilers = sys.argv[1:]
    compilers = [compiler for compiler in compilers if shutil.which(compiler)]
    if os.environ.get("RESIDUE_TIER", "quick") == "quick":
        compilers = compilers[:1]
    problems = []
    print("| mistake |", " | ".join(pathlib.Path(compiler).name for compiler in compilers), "|")
    print("| --- |" + " --- |" * len(compilers))
    for source in sorted(pathlib.Path(__file__).resolve().parent.glob("*.cpp")):
        text = source.read_text()
        expected = re.match(r"// expected: (.*)", text)
        standard = re.search(r"// standard: (.*)", text)
        counts = []
        for compiler in compilers:
            plain = CLANG_PLAIN if "clang" in compiler else GCC_PLAIN
            command = [compiler, f"-std={standard[1] if standard else 'c++20'}", "-fsyntax-only", *plain, f"-I{include}", source]
            done = subprocess.run(command, capture_output=True, text=True)
            lines = done.stderr.splitlines()
            counts.append(str(len(lines)))
            if expected is None and (done.returncode != 0 or lines):
                problems.append(f"{source.name}: {compiler} does not take it\n{done.stderr}")
            if expected is not None and (done.returncode == 0 or expected[1] not in done.stderr):
                problems.append(f"{source.name}: {compiler} does not say '{expected[1]}'\n{done.stderr}")
            if len(lines) > MOST_LINES:
                problems.append(f"{source.name}: {compiler} prints {len(lines)} lines, {MOST_LINES} are enough\n{done.stderr}")
        print(f"| {source.stem.replace('_', ' ')} |", " | ".join(counts), "|")
    print("\n".join(problems))
    return 1 if problems or not compilers else 0


if __name__ == "__main__":
    sys.exit(main())

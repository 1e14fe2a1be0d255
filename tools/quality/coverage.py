#!/usr/bin/env python3
"""Measures what the quick tests cover, by Clang's source-based coverage (preset coverage), and says whether it is enough.

usage: coverage.py [--built]      --built: the tests are built and have run; only read the profiles

Prints a table by folder (lines, branches, MC/DC), lists every uncovered line, and of src/directml and src/layout every
condition that is never true or never false, and writes build/coverage/html. Exit 1 if less than 98% of the lines are covered,
if one of those listed has no reason in tests/coverage_reasons.txt, or if a reason is for none of them and does not begin with
"by chance".
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/coverage"
PROFILES = BUILD / "profiles"
REASONS = ROOT / "tests/coverage_reasons.txt"
WHOLE = ("src/directml", "src/layout")  # where conditions count too
LEAST_LINES = 98.0
# What closes an uncovered block needs no reason of its own, and comments and directives are no code.
NO_CODE = re.compile(r"[\s})\];,]*|\s*(//|#).*")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], cwd=ROOT, check=True, **options)


def build_and_test():
    run("cmake", "--preset", "coverage", f"-DRESIDUE_ORT_RUNTIMES={ROOT / 'build/onnxruntime/node_modules'}")
    run("cmake", "--build", "--preset", "coverage")
    shutil.rmtree(PROFILES, ignore_errors=True)
    environment = dict(os.environ, LLVM_PROFILE_FILE=str(PROFILES / "%4m.profraw"), RESIDUE_TIER="quick")
    # Frames of instrumented code are larger than those that users have.
    run("ctest", "--preset", "coverage", "-j", str(os.cpu_count()), "--no-tests=error", "-E", "StackTest", env=environment)


def binaries():
    """Everything that may have run: the tests, then the libraries. The command is a program, and not measured. Of an inline
    function llvm-cov believes the first binary that knows it; a library may know one from a header and never call it."""
    found = [*(BUILD / "tests").glob("*_test"), BUILD / "tests/serial_core", *(BUILD / "src").glob("*.so"),
             *(BUILD / "onnxruntime").rglob("*.so"), *(BUILD / "onnxruntime").rglob("*_test")]
    return sorted((path for path in found if path.is_file()), key=lambda path: (path.suffix == ".so", path))


def export():
    run("llvm-profdata-19", "merge", "-sparse", *sorted(PROFILES.glob("*.profraw")), "-o", BUILD / "all.profdata")
    first, *others = binaries()
    objects = [first, *(f"-object={path}" for path in others)]
    selection = [f"-instr-profile={BUILD / 'all.profdata'}", *objects,
                 ROOT / "src", ROOT / "include/residue", ROOT / "onnxruntime"]
    ignore = r"-ignore-filename-regex=/tests/"
    run("llvm-cov-19", "show", "-format=html", "-show-mcdc", "-show-branches=count", f"-output-dir={BUILD / 'html'}", ignore,
        *selection, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    answer = run("llvm-cov-19", "export", ignore, *selection, capture_output=True)
    return json.loads(answer.stdout)["data"][0]["files"]


def macro_lines(text):
    """Numbers of the lines that define macros: their code is counted where it is expanded."""
    found = set()
    for number, line in enumerate(text, 1):
        if line.lstrip().startswith("#define") or (number - 1 in found and text[number - 2].endswith("\\")):
            found.add(number)
    return found


def line_counts(file, text):
    """{line: how often it ran}, from the segments, as llvm-cov does it. A segment may end after the last line."""
    lines = {}
    active = None  # count of the region that reaches into the line
    by_line = collections.defaultdict(list)
    for line, _, count, has_count, is_entry, is_gap in file["segments"]:
        by_line[line].append((count if has_count else None, is_entry and not is_gap))
    for line in range(min(by_line, default=0), min(max(by_line, default=-1), len(text)) + 1):
        starts = [count for count, starts_here in by_line[line] if count is not None and starts_here]
        counts = ([active] if active is not None else []) + starts
        if counts:
            lines[line] = max(counts)
        if by_line[line]:
            active = by_line[line][-1][0]
    macros = macro_lines(text)
    return {line: count for line, count in lines.items() if line not in macros}


def one_sided_conditions(file, text):
    """[(line, "never true: " or "never false: " and its text)] of all conditions in the file that ran. A condition of a template or
    of several binaries is one."""
    counts = collections.defaultdict(lambda: [0, 0])
    for line, column, end_line, end_column, when_true, when_false, *_ in file["branches"]:
        sides = counts[line, column, end_line, end_column]
        sides[0] += when_true
        sides[1] += when_false
    found = []
    for (line, *_), sides in sorted(counts.items()):
        if any(sides) and not all(sides):
            found.append((line, f"never {'false' if sides[0] else 'true'}: {text[line - 1].strip()}"))
    return found


def read_reasons():
    """{(file, text of the line): [reason for each such line]}; lines are known by their text, so that they may move."""
    reasons = collections.defaultdict(list)
    reason = None
    for line in REASONS.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            reason = line
        else:
            path, _, text = line.strip().partition(": ")
            reasons[path, text].append(reason)
    return reasons


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--built", action="store_true")
    if not arguments.parse_args().built:
        build_and_test()
    folders = collections.defaultdict(lambda: collections.Counter())
    uncovered = []
    for file in export():
        path = pathlib.Path(file["filename"]).relative_to(ROOT)
        folder = str(path.parent)
        text = (ROOT / path).read_text().splitlines()
        lines = line_counts(file, text)
        for name in (folder, "all"):
            folders[name]["lines"] += len(lines)
            folders[name]["lines_covered"] += sum(count != 0 for count in lines.values())
            for kind in ("branches", "mcdc"):
                folders[name][kind] += file["summary"][kind]["count"]
                folders[name][kind + "_covered"] += file["summary"][kind]["covered"]
        uncovered += [(str(path), line, text[line - 1].strip()) for line, count in lines.items()
                      if count == 0 and not NO_CODE.fullmatch(text[line - 1])]
        if folder in WHOLE:
            uncovered += [(str(path), line, condition) for line, condition in one_sided_conditions(file, text)]

    print(f"| {'folder':<24} | lines | branches | MC/DC |\n|{'-' * 26}|---|---|---|")
    problems = []

    def percent(counts, kind):
        return 100.0 * counts[kind + "_covered"] / counts[kind] if counts[kind] else 100.0

    for folder in sorted(folders, key=lambda name: (name == "all", name)):
        counts = folders[folder]
        cells = [f"{percent(counts, kind):.1f}% of {counts[kind]}" for kind in ("lines", "branches", "mcdc")]
        print(f"| {folder:<24} | {' | '.join(cells)} |")
    problems += [f"{folder} was not measured" for folder in WHOLE if not folders[folder]["lines"]]
    if percent(folders["all"], "lines") < LEAST_LINES:
        problems.append(f"less than {LEAST_LINES}% of the lines are covered")

    if "RESIDUE_FIGURES" in os.environ:
        with open(os.environ["RESIDUE_FIGURES"], "a") as file:
            for folder, counts in folders.items():
                for kind in ("lines", "branches", "mcdc"):
                    file.write(f"coverage.{kind}.{folder} {percent(counts, kind):.4f}\n")
    reasons = read_reasons()
    print()
    for path, line, text in uncovered:
        left = reasons[path, text]
        print(f"{path}:{line}: {text}\n    {left[0] if left else 'NO REASON'}")
        if left:
            left.pop(0)
        else:
            problems.append(f"{path}:{line} is uncovered, without a reason: {text}")
    problems += [f"a reason for a line that is covered or gone: {path}: {text}"
                 for (path, text), left in reasons.items() for reason in left if not reason.startswith("by chance")]
    print("\n".join(problems) if problems else "coverage: in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

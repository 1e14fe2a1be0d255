#!/usr/bin/env python3
"""What the last run of the checks showed, promise by promise.

usage: figures.py [--write]

Reads what tests and scripts left in build/results (figures.PART.txt and the JUnit files) and prints a Markdown table; --write
puts it into docs/testing.md as well.
"""
import collections
import datetime
import pathlib
import platform
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build/results"
sys.path.insert(0, str(ROOT / "bench"))
import page  # noqa: E402


def read_figures():
    figures = collections.Counter()
    for path in sorted(RESULTS.glob("figures.*.txt")):
        for line in path.read_text().splitlines():
            name, number = line.split()
            figures[name] += float(number) if "." in number else int(number)
    return figures


def count_tests():
    """{results file: passed tests}, of those without a failure; None where something failed."""
    passed = {}
    for path in sorted(RESULTS.glob("*.xml")):
        cases = list(xml.parse(path).getroot().iter("testcase"))
        failed = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
        skipped = sum(case.find("skipped") is not None for case in cases)
        passed[path.name.removesuffix(".xml").removesuffix(".step")] = None if failed else len(cases) - skipped
    return passed


def number(value):
    if not value:
        return "not run"
    return f"{value:,}" if value < 1e7 else f"{value:.3g}"


def main():
    figures = read_figures()
    tests = count_tests()

    def ran(*prefixes):
        found = {name: count for name, count in tests.items() if name.startswith(prefixes)}
        if not found:
            return "not run"
        if None in found.values():
            return "FAILED"
        return f"{sum(found.values()):,} tests, 0 reports" if sum(found.values()) > 1 else "passed"

    fuzzers = {name.removeprefix("fuzz."): count for name, count in figures.items() if name.startswith("fuzz.")}
    fuzzed = ", ".join(f"{name} {number(count)}" for name, count in sorted(fuzzers.items()))
    mutants = figures["mutants"]
    differing = mutants - figures["mutants.equivalent"]
    killed = f"{figures['mutants.killed']} of {differing} ({100 * figures['mutants.killed'] / differing:.1f}%)" if differing else "not run"

    def coverage(folder):
        if f"coverage.lines.{folder}" not in figures:
            return "not run"
        return ", ".join(f"{kind} {figures[f'coverage.{kind}.{folder}']:.1f}%" for kind in ("lines", "branches", "mcdc"))

    rows = [
        ("every result has the right bits", "`tests/exhaustive`, `tests/oracle`, `tests/kernels`, `tests/museum`",
         f"{number(figures['comparisons'])} results compared, 0 differences"),
        ("the contract of DirectML holds, rule by rule", "`tests/contract`, [contract_coverage.md](contract_coverage.md)",
         ran("release.")),
        ("nothing outside its memory, no undefined behaviour, no leak", "all tests under ASan, UBSan and LSan", ran("asan.")),
        ("no uninitialised memory", "`tests/memory` under MemorySanitizer", ran("msan")),
        ("no invalid access, as Valgrind sees it", "unit tests and museum, AVX2", ran("valgrind")),
        ("no signed overflow, no misuse of the standard library", "all tests with `-ftrapv` and its assertions", ran("hardened.")),
        ("no data race", "`tests/stress`, eight threads, TSan", f"{number(figures['dispatches'])} dispatches, {ran('tsan.')}"),
        ("hostile input is refused", "`tests/fuzz`", f"{number(sum(fuzzers.values()))} executions, 0 open crashes: {fuzzed}"),
        ("a failed allocation is an error and nothing else", "`tests/faults`",
         f"{number(figures['faults'])} failures in {number(figures['fault_scenarios'])} scenarios"),
        ("objects may be released in any order", "`tests/faults`", f"{number(figures['release_orders'])} orders"),
        ("the same bits without SIMD", "all tests, Highway's scalar code only", ran("portable.")),
        ("the same bits on 64-bit Arm", "all tests in qemu, NEON and SVE", ran("aarch64.")),
        ("judge and planner compile for 32 bits", "`scripts/check.sh`", ran("compile_32_bit")),
        ("a wrong change is noticed", "`scripts/mutate.py`", f"{killed}; {number(figures['mutants.equivalent'])} more are equivalent"
         if differing else "not run"),
        ("validation is covered: `src/schema`", "`scripts/coverage.py`", coverage("src/schema")),
        ("planning is covered: `src/plan`", "`scripts/coverage.py`", coverage("src/plan")),
        ("everything is covered", "`scripts/coverage.py`", coverage("all")),
        ("adding an operator works as written", "`scripts/check_worked_example.sh`", ran("worked_example")),
        ("packages install, work and go", "`scripts/check_packages.sh`", ran("packages")),
    ]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    table = "| promise | held by | last figures |\n|---|---|---|\n"
    table += "".join(f"| {' | '.join(row)} |\n" for row in rows)
    table += (f"\n{datetime.date.today()}, commit {commit}, on {cpu.group(1) if cpu else platform.machine()}.\n")
    print(table)
    if "--write" in sys.argv[1:]:
        page.put_table(ROOT / "docs/testing.md", "figures", table)


if __name__ == "__main__":
    main()

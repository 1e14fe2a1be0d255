#!/usr/bin/env python3
"""What the last nightly checks showed, promise by promise.

usage: figures.py [--write]

Reads what tests and scripts left in build/results (figures.PART.txt, night.PART.txt and the JUnit files) and prints a Markdown
table; --write puts it into docs/testing.md. Rows of parts that were not run stay as they stand there, with the day and the
commit of their own run.
"""
import collections
import pathlib
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build/results"
DOCUMENT = ROOT / "docs/testing.md"
sys.path.insert(0, str(ROOT / "bench"))
import page  # noqa: E402


def read_figures(part):
    figures = collections.Counter()
    path = RESULTS / f"figures.{part}.txt"
    for line in path.read_text().splitlines() if path.exists() else []:
        name, number_of = line.split()
        figures[name] += float(number_of) if "." in number_of else int(number_of)
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


def read_nights():
    """{part: "day, commit"} of those that were run at night size."""
    return {path.name.split(".")[1]: path.read_text().strip() for path in RESULTS.glob("night.*.txt")}


def written_rows():
    """{promise: row} of the table as it stands."""
    table = DOCUMENT.read_text().partition("<!-- figures -->\n")[2].partition("<!-- end of figures -->")[0]
    return {row.split(" | ")[0].removeprefix("| "): row for row in table.splitlines(keepends=True)[2:] if row.startswith("| ")}


def number(value):
    return f"{value:,}" if value < 1e7 else f"{value:.3g}"


def main():
    tests = count_tests()

    def passed(*prefixes):
        """How many tests, 0 if one failed or none was run."""
        found = [count for name, count in tests.items() if name.startswith(prefixes)]
        return 0 if None in found else sum(found)

    def ran(*prefixes):
        count = passed(*prefixes)
        return f"{count:,} tests, 0 reports" if count > 1 else "passed" if count else "FAILED"

    def coverage(folder):
        return ", ".join(f"{kind} {covered[f'coverage.{kind}.{folder}']:.1f}%" for kind in ("lines", "branches", "mcdc"))

    basic = read_figures("basic")
    covered = read_figures("coverage")
    fuzzers = {name.removeprefix("fuzz."): count for name, count in read_figures("fuzz").items()}
    fuzzed = ", ".join(f"{name} {number(count)}" for name, count in sorted(fuzzers.items()))
    mutants = read_figures("mutation")
    differing = mutants["mutants"] - mutants["mutants.equivalent"]
    killed = f"{mutants['mutants.killed']} of {differing} ({100 * mutants['mutants.killed'] / max(1, differing):.1f}%)"

    # The part of the checks, the promise, who holds it, the figures.
    rows = [
        ("basic", "every result has the right bits", "`tests/exhaustive`, `tests/oracle`, `tests/kernels`, `tests/museum`",
         f"{number(basic['comparisons'])} results compared, {'0 differences' if passed('release.') else 'FAILED'}"),
        ("basic", "the contract of DirectML holds, rule by rule",
         "`tests/contract`, [contract_coverage.md](contract_coverage.md)", ran("release.")),
        ("basic", "a failed allocation is an error and nothing else", "`tests/faults`",
         f"{number(basic['faults'])} failures in {number(basic['fault_scenarios'])} scenarios"),
        ("basic", "objects may be released in any order", "`tests/faults`", f"{number(basic['release_orders'])} orders"),
        ("sanitizers", "nothing outside its memory, no undefined behaviour, no leak", "all tests under ASan, UBSan and LSan",
         ran("asan.")),
        ("sanitizers", "no uninitialised memory", "`tests/memory` under MemorySanitizer", ran("msan")),
        ("sanitizers", "no data race", "`tests/stress`, eight threads, TSan",
         f"{number(read_figures('sanitizers')['dispatches'])} dispatches, {ran('tsan.')}"),
        ("platforms", "no invalid access, as Valgrind sees it", "unit tests and museum, AVX2", ran("valgrind")),
        ("platforms", "no signed overflow, no misuse of the standard library", "all tests with `-ftrapv` and its assertions",
         ran("hardened.")),
        ("platforms", "the same bits without SIMD", "all tests, Highway's scalar code only", ran("portable.")),
        ("platforms", "judge and planner compile for 32 bits", "`scripts/check.sh`", ran("compile_32_bit")),
        ("arm", "the same bits on 64-bit Arm", "all tests in qemu, NEON and SVE", ran("aarch64.")),
        ("compilers", "the same bits by Clang, EMU128 too", "all tests", ran("clang.")),
        ("fuzz", "hostile input is refused", "`tests/fuzz`",
         f"{number(sum(fuzzers.values()))} executions, {'0 open crashes' if passed('fuzz') else 'FAILED'}: {fuzzed}"),
        ("mutation", "a wrong change is noticed", "`scripts/mutate.py`", f"{killed}; {number(mutants['mutants.equivalent'])} more are equivalent"),
        ("coverage", "validation is covered: `src/schema`", "`scripts/coverage.py`", coverage("src/schema")),
        ("coverage", "planning is covered: `src/plan`", "`scripts/coverage.py`", coverage("src/plan")),
        ("coverage", "everything is covered", "`scripts/coverage.py`", coverage("all")),
        ("packages", "adding an operator works as written", "`scripts/check_worked_example.sh`", ran("worked_example")),
        ("packages", "packages install, work and go", "`scripts/check_packages.sh`", ran("packages")),
    ]
    nights = read_nights()
    kept = written_rows()
    table = "| promise | held by | last figures | run |\n|---|---|---|---|\n"
    for part, promise, *rest in rows:
        if part in nights:
            table += f"| {promise} | {' | '.join(rest)} | {nights[part]} |\n"
        else:
            table += kept.get(promise, f"| {promise} | {rest[0]} | not run | |\n")
    print(table)
    if "--write" in sys.argv[1:]:
        page.put_table(DOCUMENT, "figures", table)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What the last nightly checks showed, promise by promise.

usage: figures.py [--write]

Reads what tests and scripts left in build/results (of each part figures.txt, night.txt and JUnit files) and prints a Markdown
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
    path = RESULTS / part / "figures.txt"
    for line in path.read_text().splitlines() if path.exists() else []:
        name, number_of = line.split()
        figures[name] += float(number_of) if "." in number_of else int(number_of)
    return figures


def count_tests(part, *beginnings):
    """How many tests passed in the results whose names begin so; 0 if one failed or none was run."""
    passed = 0
    for path in (RESULTS / part).glob("*.xml"):
        if not path.name.startswith(beginnings):
            continue
        for case in xml.parse(path).getroot().iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                return 0
            passed += case.find("skipped") is None and not path.name.startswith("build.")
    return passed


def read_nights():
    """{part: "day, commit"} of those that were run at night size."""
    return {path.parent.name: path.read_text().strip() for path in RESULTS.glob("*/night.txt")}


def written_rows():
    """{promise: row} of the table as it stands."""
    table = DOCUMENT.read_text().partition("<!-- figures -->\n")[2].partition("<!-- end of figures -->")[0]
    return {row.split(" | ")[0].removeprefix("| "): row for row in table.splitlines(keepends=True)[2:] if row.startswith("| ")}


def number(value):
    return f"{value:,}" if value < 1e7 else f"{value:.3g}"


def main():
    def ran(part, *beginnings, reports=True):
        count = count_tests(part, *beginnings)
        return "FAILED" if count == 0 else "passed" if count == 1 else f"{count:,} tests, {'0 reports' if reports else '0 failures'}"

    def unless_failed(part, beginning, text):
        return text if count_tests(part, beginning) else f"FAILED ({text})"

    def coverage(folder):
        text = ", ".join(f"{kind} {covered[f'coverage.{kind}.{folder}']:.1f}%" for kind in ("lines", "branches", "mcdc"))
        return unless_failed("coverage", "coverage", text)

    basic = read_figures("basic")
    covered = read_figures("coverage")
    fuzzers = {name.removeprefix("fuzz."): count for name, count in read_figures("fuzz").items()}
    fuzzed = ", ".join(f"{name} {number(count)}" for name, count in sorted(fuzzers.items()))
    mutation = read_figures("mutation")
    mutants, killed = mutation["mutants"], mutation["mutants.killed"]

    # The part of the checks, the promise, who holds it, the figures.
    rows = [
        ("basic", "every result has the right bits", "`tests/exhaustive`, `tests/oracle`, `tests/kernels`, `tests/museum`",
         unless_failed("basic", "release.", f"{number(basic['comparisons'])} results compared, 0 differences")),
        ("basic", "every interface does what it says; DirectML's rule by rule",
         "all tests, [contract_coverage.md](contract_coverage.md)", ran("basic", "release.", "python.", reports=False)),
        ("basic", "a failed allocation is an error and nothing else", "`tests/faults`",
         unless_failed("basic", "release.",
                       f"{number(basic['faults'])} failures in {number(basic['fault_scenarios'])} scenarios")),
        ("basic", "objects may be released in any order", "`tests/faults`",
         unless_failed("basic", "release.", f"{number(basic['release_orders'])} orders")),
        ("sanitizers", "nothing outside its memory, no undefined behaviour, no leak", "all tests under ASan, UBSan and LSan",
         ran("sanitizers", "asan.", "build.asan")),
        ("sanitizers", "no uninitialised memory", "`tests/memory` under MemorySanitizer",
         ran("sanitizers", "msan", "build.msan")),
        ("sanitizers", "no data race", "`tests/stress`, eight threads, TSan",
         f"{number(read_figures('sanitizers')['dispatches'])} dispatches, {ran('sanitizers', 'tsan.', 'build.tsan')}"),
        ("platforms", "no invalid access, as Valgrind sees it", "base, plan, C interface and museum, AVX2",
         ran("platforms", "valgrind")),
        ("platforms", "no signed overflow, no misuse of the standard library", "all tests with `-ftrapv` and its assertions",
         ran("platforms", "hardened.", "build.hardened", reports=False)),
        ("platforms", "the same bits without SIMD", "all tests, Highway's scalar code only",
         ran("platforms", "portable.", "build.portable", reports=False)),
        ("platforms", "judge and planner compile for 32 bits", "`scripts/check.sh`", ran("platforms", "compile_32_bit")),
        ("arm", "the same bits on 64-bit Arm", "all tests in qemu, NEON and SVE",
         ran("arm", "aarch64.", "build.aarch64", reports=False)),
        ("compilers", "the same bits by Clang, EMU128 too", "all tests",
         ran("compilers", "clang.", "build.clang", reports=False)),
        ("fuzz", "hostile input is refused", "`tests/fuzz`",
         unless_failed("fuzz", "fuzz", f"{number(sum(fuzzers.values()))} executions without a crash: {fuzzed}")),
        ("mutation", "a wrong change is noticed", "`scripts/mutate.py`",
         unless_failed("mutation", "mutation", f"{killed} of {mutants} ({100 * killed / max(1, mutants):.1f}%); "
                       "each of the others has its reason in `tests/equivalent_mutants.txt`")),
        ("coverage", "validation is covered: `src/schema`", "`scripts/coverage.py`", coverage("src/schema")),
        ("coverage", "planning is covered: `src/plan`", "`scripts/coverage.py`", coverage("src/plan")),
        ("coverage", "all libraries are covered", "`scripts/coverage.py`", coverage("all")),
        ("packages", "adding an operator works as written", "`scripts/check_worked_example.sh`",
         ran("packages", "worked_example")),
        ("packages", "packages install, work and go", "`scripts/check_packages.sh`", ran("packages", "packages")),
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

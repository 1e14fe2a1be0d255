#!/usr/bin/env python3
"""What the last nightly checks showed, promise by promise.

usage: figures.py [--write]

Reads what tests and scripts left in build/results (of each part figures.txt, night.txt, ended.txt, processor.txt, logs, the
targets of each build and JUnit files) and prints a Markdown table; --write puts it into docs/testing.md. Rows whose tests were
not run stay as they stand there, with the processor, the day and the commit of their own run: a night that is cut off keeps
what it has finished. A second table says of each target where these rows have run it.
"""
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "build/results"
DOCUMENT = ROOT / "docs/testing.md"
sys.path.insert(0, str(ROOT / "bench"))
import page  # noqa: E402
sys.path.insert(0, str(ROOT / "tools/functions"))
import proofs  # noqa: E402


def read_figures(part):
    figures = collections.Counter()
    path = RESULTS / part / "figures.txt"
    for line in path.read_text().splitlines() if path.exists() else []:
        name, number_of = line.split()
        figures[name] += float(number_of) if "." in number_of else int(number_of)
    return figures


def has_ended(part):
    return (RESULTS / part / "ended.txt").exists()


def count_tests(part, *beginnings):
    """How many tests passed in the results whose names begin so; 0 if one failed, or if the part ended without any of them;
    None if it was cut off before."""
    passed = 0
    finished = False
    for path in (RESULTS / part).glob("*.xml"):
        if not path.name.startswith(beginnings):
            continue
        finished = finished or not path.name.startswith("build.")
        for case in xml.parse(path).getroot().iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                return 0
            passed += case.find("skipped") is None and not path.name.startswith("build.")
    return passed if finished or has_ended(part) else None


def read_nights():
    """{part: "day, commit"} of those that were run at night size."""
    return {path.parent.name: path.read_text().strip() for path in RESULTS.glob("*/night.txt")}


def written_table(name):
    """The rows of a table as it stands."""
    table = DOCUMENT.read_text().partition(f"<!-- {name} -->\n")[2].partition(f"<!-- end of {name} -->")[0]
    return [row for row in table.splitlines(keepends=True)[2:] if row.startswith("| ")]


def written_rows():
    """{promise: row} of the table of figures as it stands."""
    return {row.split(" | ")[0].removeprefix("| "): row for row in written_table("figures")}


def processor(part):
    """What /proc/cpuinfo calls it, without the words that all of them have; several kinds may have one name, so the number of
    the model too."""
    path = RESULTS / part / "processor.txt"
    lines = [line.partition(":") for line in path.read_text().splitlines()] if path.exists() else []
    says = {name.strip(): value.strip() for name, _, value in lines}
    name = " ".join(re.sub(r"\((R|TM)\)|@.*|\b(CPU|Processor)\b|\d+-Core", " ", says.get("model name", "")).split())
    model = f" {says['cpu family']}/{says['model']}" if {"cpu family", "model"} <= says.keys() else ""
    return (name or "unknown processor") + model


def ran_on(part, build=None):
    """The processor, and the targets of the build whose tests ran, if it has tests."""
    path = RESULTS / part / f"{build}.targets"
    targets = [name for name, here in read_targets(path) if here == "yes"]
    machine = "qemu" if part in ("arm", "machines") else processor(part)
    return f"{machine}: {' '.join(targets)}" if targets else machine


def read_targets(path):
    """What tests/support/list_targets.cc printed."""
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def target_table(rows):
    """Every target, and where the rows show it. The names are those of the last run; without one, those that stand there."""
    runs = [[name for name, _ in read_targets(path)] for path in RESULTS.glob("*/*.targets")]
    known = max(runs, key=len, default=[row.split(" | ")[0].removeprefix("| ") for row in written_table("targets")])
    nowhere = "not recorded" if any(" | not recorded | " in row for row in rows) else "not run"
    shown = collections.defaultdict(set)
    for row in rows:
        machine, _, targets = row.split(" | ")[3].partition(": ")
        for name in targets.split():
            shown[name].add(machine)
    return "| target | run on |\n|---|---|\n" + "".join(
        f"| {name} | {', '.join(sorted(shown[name])) or nowhere} |\n" for name in known)


def read_logs(part, beginning):
    """What the steps whose names begin so have printed."""
    return "".join(path.read_text() for path in sorted((RESULTS / part).glob(f"{beginning}*.log")))


def number(value):
    return f"{value:,}" if value < 1e7 else f"{value:.3g}"


def main():
    def ran(part, *beginnings, reports=True):
        count = count_tests(part, *beginnings)
        if count is None:
            return None
        return "FAILED" if count == 0 else "passed" if count == 1 else f"{count:,} tests, {'0 reports' if reports else '0 failures'}"

    def unless_failed(part, beginning, text):
        count = count_tests(part, beginning)
        if count is None:
            return None
        return text if count else f"FAILED ({text})"

    def coverage(folder):
        text = ", ".join(f"{kind} {covered[f'coverage.{kind}.{folder}']:.1f}%" for kind in ("lines", "branches", "mcdc"))
        return unless_failed("coverage", "coverage", text)

    def clients():
        log = read_logs("clients", "dxdispatch")
        if log.startswith("skipped:") or not has_ended("clients"):
            return None  # Microsoft's source is missing, or the part was cut off
        models = re.search(r"^\d+ models right in \d+ ways, \d+ wrong$", log, re.MULTILINE)
        return unless_failed("clients", "dxdispatch", models[0]) if models else "FAILED (no model ran)"

    basic = read_figures("basic")
    covered = read_figures("coverage")
    fuzzers = {name.removeprefix("fuzz."): count for name, count in read_figures("fuzz").items()}
    fuzzed = ", ".join(f"{name} {number(count)}" for name, count in sorted(fuzzers.items()))
    mutation = read_figures("mutation")
    mutants, killed = mutation["mutants"], mutation["mutants.killed"]
    stress = unless_failed("sanitizers", "tsan.stress", f"{number(read_figures('sanitizers')['dispatches'])} dispatches")

    # The part of the checks, with the build whose tests it ran; the promise, who holds it, the figures if it has run.
    rows = [
        ("basic", "release", "every result has the right bits", "`tests/exhaustive`, `tests/oracle`, `tests/rows`, `tests/museum`",
         unless_failed("basic", "release.", f"{number(basic['comparisons'])} results compared, 0 differences")),
        ("basic", "release", "every interface does what it says; DirectML's rule by rule",
         "all tests, [contract_coverage.md](reference/contract_coverage.md)", ran("basic", "release.", "python.", reports=False)),
        ("clients", None, "Microsoft's DxDispatch runs its models", "`scripts/check_dxdispatch.sh`", clients()),
        ("basic", "release", "a failed allocation is an error and nothing else", "`tests/faults`",
         unless_failed("basic", "release.",
                       f"{number(basic['faults'])} failures in {number(basic['fault_scenarios'])} scenarios")),
        ("basic", "release", "objects may be released in any order", "`tests/faults`",
         unless_failed("basic", "release.", f"{number(basic['release_orders'])} orders")),
        ("sanitizers", "asan", "nothing outside its memory, no undefined behaviour, no leak", "all tests under ASan, UBSan and LSan",
         ran("sanitizers", "asan.", "build.asan")),
        ("sanitizers", "msan", "no uninitialised memory", "`tests/memory` under MemorySanitizer",
         ran("sanitizers", "msan", "build.msan")),
        ("sanitizers", "tsan", "no data race", "`tests/stress`, eight threads, TSan",
         stress and f"{stress}, {ran('sanitizers', 'tsan.', 'build.tsan')}"),
        ("platforms", "valgrind", "no invalid access, as Valgrind sees it", "core, layout, C interface and museum, AVX2",
         ran("platforms", "valgrind")),
        ("platforms", "hardened", "no signed overflow, no misuse of the standard library", "all tests with `-ftrapv` and its assertions",
         ran("platforms", "hardened.", "build.hardened", reports=False)),
        ("platforms", "portable", "the same bits without SIMD", "all tests, Highway's scalar code only",
         ran("platforms", "portable.", "build.portable", reports=False)),
        ("platforms", None, "reference and planner compile for 32 bits", "`scripts/check.sh`", ran("platforms", "compile_32_bit")),
        ("arm", "aarch64", "the same bits on 64-bit Arm", "all tests in qemu, NEON and SVE",
         ran("arm", "aarch64.", "build.aarch64", reports=False)),
        *[("machines", machine, f"the same bits on {name}", "tests of results and the C interface in qemu",
           ran("machines", f"build.{machine}", machine, reports=False))
          for machine, name in (("riscv64", "64-bit RISC-V"), ("ppc64le", "64-bit Power"), ("s390x", "IBM Z (big-endian)"),
                                ("i386", "32-bit x86"))],
        ("compilers", "clang", "the same bits by Clang, EMU128 too", "all tests",
         ran("compilers", "clang.", "build.clang", reports=False)),
        ("fuzz", "asan", "hostile input is refused", "`tests/fuzz`",
         unless_failed("fuzz", "fuzz", f"{number(sum(fuzzers.values()))} executions without a crash: {fuzzed}")),
        ("debians", None, "Debian 13 and sid build it without a warning, for the same bits", "all tests of C++, `scripts/chroot.sh`",
         ran("debians", "build.", "digest.", "trixie", "sid", reports=False)),
        ("analysis", None, "static analysis finds nothing", "`scripts/tidy.sh`",
         unless_failed("analysis", "clang_tidy", f"{read_figures('analysis')['tidy.files']} files, 0 findings")),
        ("mutation", None, "a wrong change is noticed", "`tools/quality/mutate.py`",
         unless_failed("mutation", "mutation", f"{killed} of {mutants} ({100 * killed / max(1, mutants):.1f}%); "
                       "each of the others has its reason in `tests/equivalent_mutants.txt`")),
        ("coverage", "coverage", "validation is covered: `src/directml`", "`tools/quality/coverage.py`", coverage("src/directml")),
        ("coverage", "coverage", "planning is covered: `src/layout`", "`tools/quality/coverage.py`", coverage("src/layout")),
        ("coverage", "coverage", "all libraries are covered", "`tools/quality/coverage.py`", coverage("all")),
        ("packages", None, "adding an operator works as written", "`scripts/check_worked_example.sh`",
         ran("packages", "worked_example")),
        ("packages", None, "packages install, run and uninstall", "`scripts/check_packages.sh`", ran("packages", "packages")),
    ]
    nights = read_nights()
    kept = written_rows()
    lines = []
    for part, build, promise, holder, figures in rows:
        if part in nights and figures is not None:
            lines.append(f"| {promise} | {holder} | {figures} | {ran_on(part, build)} | {nights[part]} |\n")
        else:
            lines.append(kept.get(promise, f"| {promise} | {holder} | not run | | |\n"))
    proved = " | ".join(proofs.figures())
    lines.insert(2, f"| functions are correctly rounded: all 2^32 numbers, 1e10 pairs | `tools/functions/proofs.py` | {proved} |\n")
    table = "| promise | held by | last figures | on | run |\n|---|---|---|---|---|\n" + "".join(lines)
    targets = target_table(lines)
    print(table, targets, sep="\n")
    if "--write" in sys.argv[1:]:
        page.put_table(DOCUMENT, "figures", table)
        page.put_table(DOCUMENT, "targets", targets)


if __name__ == "__main__":
    main()

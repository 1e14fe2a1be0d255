#!/usr/bin/env python3
"""Which rule of docs/reference/contract.md is tested where.

usage: contract_coverage.py           writes docs/reference/contract_coverage.md
       contract_coverage.py --check   fails if that file is out of date, or a rule has neither a test nor a reason

A test covers the rule its name begins with: ContractTest.R054_OutputsMustNotOverlapThemselves covers R54. Rules
that no such test can cover have their reason, or the test that covers them by another name, in
tests/contract/reasons.json.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = range(1, 211)
FEWEST_TESTED = 180
TEST = re.compile(r"^TEST_F\((\w+),\s*(R(\d{3})_\w+)\)", re.M)


def tests_by_rule():
    found = {rule: [] for rule in RULES}
    for path in sorted((ROOT / "tests").rglob("*_test.cc")):
        for fixture, name, number in TEST.findall(path.read_text()):
            found.setdefault(int(number), []).append((f"{fixture}.{name}", path.relative_to(ROOT)))
    return found


def main():
    found = tests_by_rule()
    reasons = {int(rule[1:]): entry for rule, entry in
               json.loads((ROOT / "tests/contract/reasons.json").read_text()).items()}
    problems = [f"R{rule}: no such rule" for rule in found if rule not in RULES]
    rows = []
    tested = 0
    for rule in RULES:
        reason = reasons.get(rule)
        if found[rule]:
            tested += 1
            where = "<br>".join(f"`{name}` ({path})" for name, path in found[rule])
            if reason:
                problems.append(f"R{rule}: has tests and a reason; drop the reason")
        elif reason and "test" in reason:
            tested += 1
            where = f"`{reason['test']}`: {reason['why']}"
        elif reason:
            where = f"not tested: {reason['why']}"
        else:
            problems.append(f"R{rule}: neither a test nor a reason in tests/contract/reasons.json")
            where = "**missing**"
        rows.append(f"| R{rule} | {where} |")
    if tested < FEWEST_TESTED:
        problems.append(f"{tested} rules are tested, at least {FEWEST_TESTED} must be")
    text = "\n".join(
        ["# Contract coverage", "",
         "Written by `tools/quality/contract_coverage.py`; CI checks that it is up to date. The rules are in",
         "[contract.md](contract.md).", "",
         f"{tested} of {len(RULES)} rules are tested.", "", "| rule | tests |", "| --- | --- |", *rows, ""])
    target = ROOT / "docs/reference/contract_coverage.md"
    if "--check" in sys.argv[1:]:
        if not target.exists() or target.read_text() != text:
            problems.append("docs/reference/contract_coverage.md is out of date: run tools/quality/contract_coverage.py")
    else:
        target.write_text(text)
    print("\n".join(problems) if problems else f"contract: {tested} of {len(RULES)} rules tested")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Adds up JUnit files: count_tests.py FILE... prints "N passed, N failed, N skipped" and fails if any failed."""
import sys
import xml.etree.ElementTree as ElementTree


def main():
    passed = failed = skipped = 0
    for name in sys.argv[1:]:
        for case in ElementTree.parse(name).getroot().iter("testcase"):
            status = case.get("status")
            if case.find("failure") is not None or case.find("error") is not None or status == "fail":
                failed += 1
            elif case.find("skipped") is not None or status in {"notrun", "disabled"}:
                skipped += 1
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

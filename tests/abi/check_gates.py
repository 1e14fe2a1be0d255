#!/usr/bin/env python3
"""Checks that DirectML.h declares, at each DML_TARGET_VERSION, exactly what that version has.

usage: check_gates.py TABLE COMPILER INCLUDE_DIRECTORY [compiler flags]
"""
import json
import re
import subprocess
import sys


def dated_names(table):
    for section in ("constants", "enums", "structs", "unions", "interfaces", "functions", "type_aliases"):
        for item in table[section]:
            yield item["name"], int(item["since"], 16)
    for enum in table["enums"]:
        for value in enum["values"]:
            yield value["name"], max(int(value["since"], 16), int(enum["since"], 16))


def main():
    table_name, compiler, include, *flags = sys.argv[1:]
    with open(table_name) as file:
        table = json.load(file)
    names = dict(dated_names(table))
    wrong = 0
    for version in (entry["DML_TARGET_VERSION"] for entry in table["target_versions"]):
        command = [compiler, "-E", "-P", "-std=c++17", "-x", "c++", f"-DDML_TARGET_VERSION={version}", f"-I{include}",
                   *flags, "-"]
        text = subprocess.run(command, input="#include <DirectML.h>\n", capture_output=True, text=True, check=True).stdout
        seen = set(re.findall(r"\b\w+\b", text))
        for name, since in names.items():
            if (name in seen) != (since <= int(version, 16)):
                print(f"{version}: {name} is {'there' if name in seen else 'missing'}, it came with {since:#06x}")
                wrong += 1
    print(f"{len(names)} names at {len(table['target_versions'])} versions, {wrong} wrong")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main())

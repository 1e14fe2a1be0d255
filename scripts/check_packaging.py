#!/usr/bin/env python3
"""Checks what can be checked of packages and workflows without building them or asking another host.

Versions, options and exported functions are facts of CMakeLists.txt and src/c_api/residue.map: what repeats them must agree.
Files are read by the tools that read them later, where Debian has these: yamllint, ruby, reuse.
"""
import ast
import json
import pathlib
import re
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
problems = []


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def expect(condition, text):
    if not condition:
        problems.append(text)


def run(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    output = (done.stdout + done.stderr).strip()
    expect(done.returncode == 0, f"{' '.join(command)}:\n{output}")
    return output.splitlines()[-1] if output else "nothing to say"


def find(pattern, name):
    found = re.search(pattern, read(name), re.MULTILINE)
    expect(found, f"{name}: nothing like {pattern}")
    return found[1] if found else None


VERSION = find(r"^project\(residue VERSION ([0-9.]+)", "CMakeLists.txt")
SUMMARY = find(r'DESCRIPTION "([^"]+)"', "CMakeLists.txt")


def check_versions():
    vcpkg = json.loads(read("packaging/residue/vcpkg.json"))
    conda = yaml.safe_load(read("packaging/conda/meta.yaml"))
    citation = yaml.safe_load(read("CITATION.cff"))
    found = {
        "include/residue/residue.h": find(r'RESIDUE_VERSION_STRING "([^"]+)"', "include/residue/residue.h"),
        "debian/changelog": find(r"^residue \(([0-9.]+)-", "debian/changelog"),
        "packaging/residue/vcpkg.json": vcpkg["version"],
        "packaging/conda/meta.yaml": conda["package"]["version"],
        "packaging/homebrew/residue.rb": find(r'^  version "([^"]+)"', "packaging/homebrew/residue.rb"),
        "CITATION.cff": str(citation["version"]),
    }
    for name, version in found.items():
        expect(version == VERSION, f"{name}: the version is {version}, but CMakeLists.txt has {VERSION}")
    summaries = {
        "packaging/residue/vcpkg.json": vcpkg["description"],
        "packaging/conda/meta.yaml": conda["about"]["summary"],
        "packaging/homebrew/residue.rb": find(r'^  desc "([^"]+)"', "packaging/homebrew/residue.rb"),
        "packaging/conan/conanfile.py": find(r'^    description = "([^"]+)"', "packaging/conan/conanfile.py"),
    }
    for name, summary in summaries.items():
        expect(summary == SUMMARY, f"{name}: it says '{summary}', but CMakeLists.txt says '{SUMMARY}'")
    for key in ("cff-version", "message", "title", "authors"):
        expect(key in citation, f"CITATION.cff: {key} is missing")


def check_pythons():
    """The oldest Python is the same for pip, for CMake and for the compiler."""
    oldest = find(r'^requires-python = ">=3\.(\d+)"', "pyproject.toml")
    expect(find(r"^find_package\(Python 3\.(\d+)", "python/CMakeLists.txt") == oldest,
           f"python/CMakeLists.txt: it does not look for Python 3.{oldest}, but pyproject.toml asks for it")
    limit = find(r"^#define Py_LIMITED_API 0x03([0-9A-F]{2})0000", "python/native/numpy_api.h")
    expect(limit and int(limit, 16) == int(oldest), f"python/native/numpy_api.h: the interface is not that of Python 3.{oldest}")


def check_options():
    """Every option that a recipe sets exists."""
    known = set()
    for path in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake"), *ROOT.glob("*/CMakeLists.txt"),
                 ROOT / "tests/fuzz/CMakeLists.txt"]:
        known |= set(re.findall(r"(?:option|set)\(\s*(RESIDUE_\w+)", path.read_text(encoding="utf-8")))
    for name in ("debian/rules", "packaging/residue/portfile.cmake", "packaging/conda/meta.yaml",
                 "packaging/homebrew/residue.rb", ".clusterfuzzlite/build.sh", ".github/workflows/site.yml",
                 "scripts/check.sh"):
        for option in set(re.findall(r"-D(RESIDUE_\w+)=", read(name))):
            expect(option in known, f"{name}: there is no option {option}")


def check_exports():
    """What Debian promises to exist is what the library exports."""
    exported = set(re.findall(r"^    (residue_\w+);", read("src/c_api/residue.map"), re.MULTILINE))
    promised = set(re.findall(r"^ (residue_\w+)@", read("debian/libresidue2.symbols"), re.MULTILINE))
    for name in sorted(exported ^ promised):
        expect(False, f"{name} is in one of src/c_api/residue.map and debian/libresidue2.symbols only")
    number = find(r"VERSION 2\.0 SOVERSION (\d+)", "src/CMakeLists.txt")
    expect(f"libresidue.so.{number}\"" in read("packaging/conda/meta.yaml"), f"packaging/conda has no libresidue.so.{number}")
    architectures = set(re.findall(r"^Architecture: (.*)", read("debian/control"), re.MULTILINE))
    expect(architectures == {"amd64 arm64"}, f"debian/control: {architectures}, but vcpkg.json supports x64 and arm64")
    expect(f"Package: libresidue{number}\n" in read("debian/control"), f"debian/control has no libresidue{number}")


def main():
    check_versions()
    check_pythons()
    check_options()
    check_exports()
    ast.parse(read("packaging/conan/conanfile.py"))
    workflows = sorted(str(path.relative_to(ROOT)) for path in (ROOT / ".github/workflows").glob("*.yml"))
    print("yamllint:", run("yamllint", "--strict", *workflows, "packaging/conda/meta.yaml", "CITATION.cff",
                           ".clusterfuzzlite/project.yaml"))
    print("ruby -c:", run("ruby", "-c", "packaging/homebrew/residue.rb"))
    print("reuse lint:", run("reuse", "lint"))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

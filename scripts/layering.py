#!/usr/bin/env python3
"""Checks the one direction of data: which folder of src/ may include which, and which libraries; and that what is built
around the library uses its public headers only.

usage: layering.py [--root DIR]   exit 1 and one line per offence
       layering.py --self-test    proves that each kind of offence is found
"""
import argparse
import pathlib
import re
import sys
import tempfile

# folder -> folders it may include, itself always among them. A lower layer never includes a higher one.
ALLOWED = {
    "core": set(),
    "real": set(),
    "layout": {"core"},
    "graph": {"layout", "core"},
    "cpu/rows": {"core", "real"},
    "cpu/access": {"cpu/rows", "core"},
    "cpu/engine": {"graph", "layout", "cpu/access", "cpu/rows", "core"},
    "c_api": {"cpu/engine", "graph", "layout", "cpu/rows", "core", "residue"},
    "com": set(),
    "backend": {"residue"},
    "cpu/backend": {"backend", "com", "residue"},
    "d3d12": {"cpu/backend", "backend", "com", "core"},
    "directml": {"layout", "core", "residue", "backend", "com", "d3d12"},
}
# Where two layers meet, they meet in one file: (folder, folder it may include) -> that file.
ONLY = {("directml", "d3d12"): "d3d12/host_interfaces.h", ("d3d12", "cpu/backend"): "cpu/backend/cpu_backend.h"}
# What makes an address of device memory -> where it may be named: in a backend, and where Direct3D 12 shows it to the program.
ADDRESSES = {"HostAddress": ("src/backend/", "src/cpu/backend/", "src/d3d12/resource.cc")}
# libraries -> folders that may use them. Everything else outside the standard library is refused.
COM = {"com", "backend", "cpu/backend", "d3d12", "directml"}
LIBRARIES = {"hwy": {"cpu/rows", "cpu/access"}, "tbb": {"cpu/engine"}, "wsl": COM, "directx": COM, "dxguids": COM, "d3d12.h": COM,
             "residue_d3d12.h": COM, "DirectML.h": {"directml"}}
FORBIDDEN = re.compile(r"^(rapidjson|Python|numpy|CLI|fmt|gtest|benchmark|mpfr)")
MOST_LINES = 400

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.M)


# The folder that a path from src/ names: cpu/ is a house of several.
def room(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "cpu" else parts[0]


def offences(root: pathlib.Path):
    source = root / "src"
    for path in sorted(source.rglob("*")):
        if path.suffix not in {".h", ".cc", ".def"}:
            continue
        where = path.relative_to(root)
        folder = room(path.relative_to(source).as_posix())
        if folder not in ALLOWED:
            yield f"{where}: folder '{folder}' has no place in the layers"
            continue
        text = path.read_text()
        if text.count("\n") > MOST_LINES:
            yield f"{where}: {text.count(chr(10))} lines, at most {MOST_LINES} are allowed"
        for name, places in ADDRESSES.items():
            if name in text and not where.as_posix().startswith(places):
                yield f"{where}: {name} is for {', '.join(places)} only"
        for kind, target in INCLUDE.findall(text):
            top = room(target)
            if kind == '"':
                if "/" not in target or top == "..":
                    yield f'{where}: "{target}" must be named from src/'
                elif top != folder and top not in ALLOWED[folder]:
                    yield f"{where}: {folder} must not include {top} ({target})"
                elif ONLY.get((folder, top), target) != target:
                    yield f"{where}: {folder} may include only {ONLY[folder, top]} of {top}, not {target}"
            elif FORBIDDEN.match(target):
                yield f"{where}: <{target}> does not belong into the library"
            elif top in LIBRARIES and folder not in LIBRARIES[top]:
                yield f"{where}: only {', '.join(LIBRARIES[top])} may include <{target}>"


# Products around the library use it as everybody does: by its public headers. What is made of the lists of operators
# and types reads them where they are, in core's headers.
LISTS = "core/"
READ_LISTS = ("python", "onnxruntime/src")
OUTSIDE = ("python", "onnxruntime/src", "examples")


# The command looks inside, from the top; it may include anything but may not grow without limit.
TOP = ("tools",)


def top_offences(root: pathlib.Path):
    for folder in TOP:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".h", ".cc"} and path.read_text().count("\n") > MOST_LINES:
                yield f"{path.relative_to(root)}: more than {MOST_LINES} lines"


def outside_offences(root: pathlib.Path):
    inside = tuple(f"{folder}/" for folder in ALLOWED)
    for product in OUTSIDE:
        for path in sorted((root / product).rglob("*")):
            if path.suffix in {".h", ".cc", ".cpp", ".c"}:
                for _, target in INCLUDE.findall(path.read_text()):
                    listed = product in READ_LISTS and target.startswith(LISTS)
                    if target.startswith("..") or target.startswith(inside) and not listed:
                        yield f"{path.relative_to(root)}: {product} must use the public headers only, not {target}"


def self_test():
    bad = {
        "src/core/a.h": '#include "cpu/rows/row.h"\n',
        "src/layout/a.cc": '#include "cpu/engine/run.h"\n',
        "src/cpu/rows/a.h": '#include "a.h"\n',
        "src/cpu/engine/a.cc": "#include <rapidjson/document.h>\n",
        "src/layout/b.cc": "#include <tbb/parallel_for.h>\n",
        "src/other/a.cc": "\n",
        "src/core/long.cc": "\n" * (MOST_LINES + 1),
        "src/d3d12/a.cc": '#include "layout/layout.h"\n',
        "src/d3d12/b.cc": "#include <DirectML.h>\n",
        "src/directml/a.cc": '#include "d3d12/device.h"\n',
        "python/native/a.cc": '#include "cpu/rows/row.h"\n',
        "examples/a.cc": '#include "core/ops.def"\n',
        "src/layout/c.cc": "#include <wsl/winadapter.h>\n",
        "src/directml/d.cc": '#include "cpu/engine/plan.h"\n',
        "src/directml/c.cc": '#include "graph/graph.h"\n',
        "src/d3d12/c.cc": '#include "cpu/backend/cpu_memory.h"\n',
        "src/directml/f.cc": '#include "cpu/backend/cpu_backend.h"\n',
        "src/directml/g.cc": "void* p = memory->HostAddress();\n",
        "tools/residue/long.cc": "\n" * (MOST_LINES + 1),
    }
    good = {
        "src/core/b.h": '#include "core/a.h"\n#include <vector>\n',
        "src/cpu/engine/b.cc": '#include "layout/layout.h"\n#include <tbb/task_arena.h>\n',
        "src/directml/e.cc": '#include "residue/residue.h"\n',
        "src/c_api/b.cc": '#include "residue/residue.h"\n',
        "src/d3d12/d.cc": '#include "cpu/backend/cpu_backend.h"\n',
        "src/cpu/backend/b.cc": "void* HostAddress();\n",
        "python/native/b.cc": '#include "residue/residue.h"\n#include "core/ops.def"\n#include <Python.h>\n',
        "src/directml/b.cc": '#include "d3d12/host_interfaces.h"\n#include <DirectML.h>\n',
    }
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for name, text in {**bad, **good}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        found = [*offences(root), *outside_offences(root), *top_offences(root)]
    missed = [name for name in bad if not any(line.startswith(name + ":") for line in found)]
    wrong = [name for name in good if any(line.startswith(name + ":") for line in found)]
    print(f"self-test: {len(bad)} offences planted, {len(missed)} missed, {len(wrong)} false alarms")
    return not missed and not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test() else 1
    found = [*offences(arguments.root), *outside_offences(arguments.root), *top_offences(arguments.root)]
    print("\n".join(found) if found else "layers: in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

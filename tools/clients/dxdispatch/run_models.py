#!/usr/bin/env python3
"""Runs the models of Microsoft's DxDispatch with its own executable on our libraries, and compares what it prints.

usage: run_models.py DXDISPATCH MODELS LIBRARIES [--write]

Each model whose operators we have must print its numbers, in every way of running that changes what is called. The
others must stop, at an operator that we lack. --write puts the table into docs/guides/porting.md. Exit 1 if a model does
something else.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/guides/porting.md"
EXPECTED = json.loads((pathlib.Path(__file__).parent / "expected.json").read_text())
# What changes how it calls Direct3D: buffers in upload and readback heaps, the debug layers, many dispatches, a queue type.
WAYS = [[], ["--disable_custom_heaps"], ["-d"], ["-d", "--disable_custom_heaps"], ["-i", "5", "-r", "3"], ["-q", "compute"]]


def operators(model: pathlib.Path) -> str:
    text = model.read_text()
    if model.name.startswith(("hlsl", "onnx", "image")):
        return {"h": "HLSL", "o": "ONNX Runtime", "i": "images"}[model.name[0]]
    found = sorted({name.removeprefix("DML_OPERATOR_") for name in re.findall(r'"type": *"(?!BUFFER)([A-Z][A-Z0-9_]+)"', text)})
    return ", ".join(name for name in found if not name.startswith(("FLOAT", "TENSOR"))) or "GEMM"


def run(program: str, model: pathlib.Path, libraries: str, options: list) -> tuple:
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, LD_LIBRARY_PATH=f"{libraries}/residue-wsl:{libraries}")
        done = subprocess.run([program, str(model), "--output_path", folder, *options], cwd=model.parent, timeout=120,
                              env=environment, capture_output=True, text=True)
    printed = re.findall(r"^Resource '(\w+)': (.*)$", done.stdout, re.M)
    return done.returncode, {name: values.strip() for name, values in printed}, done.stdout + done.stderr


def check(program: str, model: pathlib.Path, libraries: str) -> tuple:
    """The row of the table, and what is wrong."""
    expected = EXPECTED.get(model.stem)
    for options in WAYS if expected else WAYS[:1]:
        code, printed, output = run(program, model, libraries, options)
        if expected is None:
            if code == 0:
                return "", f"{model.stem} runs, but expected.json does not say what it prints: {printed}"
            stop = "is not part of its Linux version" if operators(model) in ("HLSL", "ONNX Runtime", "images") else \
                f"needs {operators(model)}"
            return f"| {model.stem} | {stop} |", ""
        if code != 0 or printed != expected:
            return "", f"{model.stem} {' '.join(options)}: exit {code}, printed {printed}, expected {expected}\n{output}"
        # With -d it prints each message of the info queue: a category, a number and a text.
        messages = re.findall(r"^\d+ \d+ .*$", output, re.M)
        if messages:
            return "", f"{model.stem} {' '.join(options)}: the debug layer told {messages}"
    values = "; ".join(f"{name}: {value}" for name, value in expected.items())
    return f"| {model.stem} | prints {values} |", ""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("libraries")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    rows, wrong = [], []
    models = sorted(path for path in given.models.glob("*.json") if not path.name.startswith("_"))
    for model in models:
        row, problem = check(given.program, model, given.libraries)
        if problem:
            wrong.append(problem)
        else:
            rows.append(row)
    rows.sort(key=lambda row: ("prints" not in row, row))
    table = "\n".join(["| model | what happens |", "|---|---|", *rows])
    missing = sorted(set(EXPECTED) - {model.stem for model in models})
    wrong += [f"there is no model {name}" for name in missing]
    if given.write and not wrong:
        before, rest = PAGE.read_text().split("<!-- dxdispatch -->\n")
        _, after = rest.split("<!-- end of dxdispatch -->")
        PAGE.write_text(f"{before}<!-- dxdispatch -->\n{table}\n<!-- end of dxdispatch -->{after}")
    print(table)
    print(f"{sum('prints' in row for row in rows)} models right in {len(WAYS)} ways, {len(wrong)} wrong")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

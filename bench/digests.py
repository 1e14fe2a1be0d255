#!/usr/bin/env python3
"""The digests of the examples of fused.py: ours by instruction set, and NumPy's with features of the processor disabled.

usage: digests.py [--into FILE.md]

Prints a Markdown table, or puts it into FILE.md between the lines <!-- digests --> and <!-- end of digests -->. Every column
is a process of its own. Inputs are made of integers, exactly, so that they are the same everywhere.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

from page import put_table

COUNT = 1 << 20
EXPRESSIONS = {
    "polynomial, float64": ("f8", "0.25*a**3 + 0.75*a**2 - 1.5*a - 2", "0.25*a**3 + 0.75*a**2 - 1.5*a - 2"),
    "where, float64": ("f8", "where(a < b, a*2 - b, b*3 + a)", "np.where(a < b, a*2 - b, b*3 + a)"),
    "sin² + cos², float32": ("f4", "sin(a)**2 + cos(b)**2", "np.sin(a)**2 + np.cos(b)**2"),
    "exp, float32": ("f4", "exp(a)", "np.exp(a)"),
    "tanh, float32": ("f4", "tanh(a)", "np.tanh(a)"),
    "power, float32": ("f4", "power(b, a)", "np.power(b, a)"),
}
# Names of NumPy's features; those that a version does not know are told and ignored.
NO_AVX512 = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
COLUMNS = {
    "residue": {}, "AVX2": {"RESIDUE_MAX_TARGET": "AVX2"}, "SSE4": {"RESIDUE_MAX_TARGET": "SSE4"},
    "NumPy": {}, "NumPy, no AVX-512": {"NPY_DISABLE_CPU_FEATURES": NO_AVX512},
    "NumPy, no AVX2": {"NPY_DISABLE_CPU_FEATURES": f"{NO_AVX512} AVX2 FMA3"},
}


def compute(numpys):
    """In a child: {example: digest}."""
    import numpy as np
    import residue
    found = {}
    for name, (dtype, text, theirs) in EXPRESSIONS.items():
        n = np.arange(COUNT, dtype=dtype)
        a, b = (n / 65536.0 - 8.0).astype(dtype), (n / 131072.0 + 0.5).astype(dtype)
        if numpys:
            with np.errstate(all="ignore"):
                result = eval(theirs, {"np": np, "a": a, "b": b})
        else:
            expression = residue.compile_expression(text)
            result = expression(**{name: {"a": a, "b": b}[name] for name in expression.names})
        found[name] = f"{residue.digest(result):016x}"
    json.dump(found, sys.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--child", choices=["ours", "numpys"])
    options = parser.parse_args()
    if options.child:
        return compute(options.child == "numpys")
    found = {}
    for column, environment in COLUMNS.items():
        child = "numpys" if column.startswith("NumPy") else "ours"
        result = subprocess.run([sys.executable, __file__, "--child", child], check=True, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, env={**os.environ, **environment})
        found[column] = json.loads(result.stdout)
    lines = ["| | " + " | ".join(COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS)]
    for name in EXPRESSIONS:
        lines.append(f"| {name} | " + " | ".join(f"`{found[column][name]}`" for column in COLUMNS) + " |")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.into:
        put_table(options.into, "digests", text)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the type stubs of what is generated: residue/ufuncs.pyi and residue/functions.pyi, from the list of operators.

    scripts/make_stubs.py [--check]

Needs the package installed. With --check nothing is written; it fails if a stub is not what it would write.
"""
import argparse
import pathlib
import sys

from residue import _native
from residue.functions import ALIASES

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "python" / "residue"
HEADER = "# Written by scripts/make_stubs.py from the list of operators.\n"
OPTIONS = ("out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., "
           "subok: bool = ...")
IMPORTS = """from typing import Any, Literal

import numpy as np

_Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order = Literal["K", "A", "C", "F"]
"""
# np.ufunc is final in NumPy's stubs, where NumPy itself derives from it.
CLASS = """
class {name}(np.ufunc):  # type: ignore[misc]
    def __call__(self, {operands}, /, out: Any = ..., *, where: Any = ..., casting: _Casting = ..., order: _Order = ...,
                 dtype: Any = ..., subok: bool = ..., signature: Any = ...) -> Any: ...
"""


def operands_of(count):
    return ", ".join(f"{name}: Any" for name in (["x"] if count == 1 else [f"x{i + 1}" for i in range(count)]))


def class_of(entry):
    return f"Ufunc{entry['ufunc'].nin}{entry['ufunc'].nout}"


def ufuncs_stub(operators):
    shapes = sorted({(class_of(entry), entry["ufunc"].nin) for entry in operators.values()})
    classes = "".join(CLASS.format(name=name, operands=operands_of(count)) for name, count in shapes)
    lines = "".join(f"{name}: {class_of(entry)}\n" for name, entry in sorted(operators.items()))
    return f"{HEADER}{IMPORTS}\n__all__: list[str]\n{classes}\n{lines}"


def with_parameters(name, entry):
    words = [word.strip().partition("=") for word in entry["parameters"].split(",")]
    parameters = ", ".join(f"{key}: Any = ..." if default else f"{key}: Any" for key, _, default in words)
    return f"def {name}({operands_of(entry['inputs'])}, /, {parameters}, *, {OPTIONS}) -> Any: ...\n"


def functions_stub(operators):
    written = {"clip": f"def clip(x: Any, min: Any = ..., max: Any = ..., *, {OPTIONS}) -> Any: ...\n",
               "cast": "def cast(x: Any, dtype: Any, *, out: Any = ..., where: Any = ..., casting: _Casting = ..., "
                       "order: _Order = ..., subok: bool = ...) -> Any: ...\n",
               "relu": f"def relu(x: Any, *, {OPTIONS}) -> Any: ...\n",
               "hard_sigmoid": "def hard_sigmoid(x: Any, alpha: float = ..., beta: float = ..., *, out: Any = ..., "
                               "where: Any = ..., casting: _Casting = ..., order: _Order = ..., subok: bool = ...) -> Any: "
                               "...\n"}
    plain = sorted(name for name, entry in operators.items() if not entry["parameters"] and name not in written)
    names = sorted({*operators, *written, *ALIASES})
    functions = "".join(with_parameters(name, entry) for name, entry in sorted(operators.items())
                        if entry["parameters"] and name not in written)
    imported = "".join(f"from residue.ufuncs import {name} as {name}\n" for name in plain)
    imported += "".join(f"from residue.ufuncs import {name} as {alias}\n" for alias, name in sorted(ALIASES.items()))
    listed = "".join(f"    {name!r},\n" for name in names)
    return f"{HEADER}{IMPORTS}\n{imported}\n__all__ = [\n{listed}]\n\n{functions}{''.join(written.values())}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stubs = {"ufuncs.pyi": ufuncs_stub(_native.operators), "functions.pyi": functions_stub(_native.operators)}
    different = [name for name, text in stubs.items()
                 if not (FOLDER / name).exists() or (FOLDER / name).read_text(encoding="utf-8") != text]
    if check:
        if different:
            sys.exit(f"{', '.join(different)}: not what scripts/make_stubs.py writes")
        return
    for name, text in stubs.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""NumPy, PyTorch and ONNX Runtime on operators that they share with Residue, with Residue in the same run.

usage: family_peers.py --library libresidue.so --data FOLDER --out family_peers.json [--onnxruntime NODE_MODULES]

As bench/peers.py, which has the moduli. Bytes are those that are read and written: 16 MiB of each input.
"""
import argparse
import ctypes
import json
import pathlib
import sys

import numpy as np

import peers

BYTES = 16 << 20
ONNX_BOOL = 9
FLOATS = ("f32", "f64", "f16")
INTEGERS = ("i32", "i64", "i8", "u8")
SIGNED = ("f32", "f64", "f16", "i32", "i64", "i8")

# Residue's number, NumPy's, PyTorch's and ONNX's names, inputs, types; results are bytes if they are answers.
OPERATORS = {
    "add": (5, "add", "add", "Add", 2, FLOATS + INTEGERS, False),
    "subtract": (6, "subtract", "sub", "Sub", 2, FLOATS + INTEGERS, False),
    "multiply": (7, "multiply", "mul", "Mul", 2, FLOATS + INTEGERS, False),
    "divide": (8, "divide", "div", "Div", 2, FLOATS, False),
    "recip": (11, "reciprocal", "reciprocal", "Reciprocal", 1, FLOATS, False),
    "sqrt": (12, "sqrt", "sqrt", "Sqrt", 1, FLOATS, False),
    "max": (13, "maximum", "maximum", "Max", 2, FLOATS + INTEGERS, False),
    "min": (14, "minimum", "minimum", "Min", 2, FLOATS + INTEGERS, False),
    "abs": (16, "absolute", "abs", "Abs", 1, SIGNED, False),
    "negate": (17, "negative", "neg", "Neg", 1, SIGNED, False),
    "sign": (18, "sign", "sign", "Sign", 1, SIGNED, False),
    "ceil": (19, "ceil", "ceil", "Ceil", 1, FLOATS, False),
    "floor": (20, "floor", "floor", "Floor", 1, FLOATS, False),
    "round": (21, "rint", "round", "Round", 1, FLOATS, False),
    "equals": (22, "equal", "eq", "Equal", 2, FLOATS + INTEGERS, True),
    "greater_than": (23, "greater", "gt", "Greater", 2, FLOATS + INTEGERS, True),
    "less_than_or_equal": (26, "less_equal", "le", "LessOrEqual", 2, FLOATS + INTEGERS, True),
    "is_nan": (27, "isnan", "isnan", "IsNaN", 1, FLOATS, True),
    "bit_and": (33, "bitwise_and", "bitwise_and", "BitwiseAnd", 2, INTEGERS, False),
    "bit_xor": (35, "bitwise_xor", "bitwise_xor", "BitwiseXor", 2, INTEGERS, False),
    "bit_not": (36, "invert", "bitwise_not", "BitwiseNot", 1, INTEGERS, False),
}


def residue_run(library, number, kind, inputs, out):
    run = ctypes.CDLL(library).residue_run_strided
    arguments = [number, peers.RESIDUE_TYPES[kind]]
    for array in (inputs * 2)[:2] + [out]:
        arguments += [ctypes.c_void_p(array.ctypes.data), ctypes.c_int64(array.itemsize)]
    options = (ctypes.c_uint64 * 3)(1)  # residue_options: num_threads 1, then zeros
    arguments += [ctypes.c_uint64(out.size), options]

    def call():
        status = run(*arguments)
        if status != 0:
            sys.exit(f"residue_run_strided said {status}")
    return call


def torch_run(torch, name, kind, inputs, out):
    try:
        tensors = [torch.from_numpy(array) for array in inputs]
        result = torch.from_numpy(out)
        function = getattr(torch, name)
        function(*tensors, out=result)
        return lambda: function(*tensors, out=result)
    except (AttributeError, RuntimeError, TypeError) as error:
        print(f"torch {name} {kind}: {error}", file=sys.stderr)
        return None


def onnx_run(runtime, name, kind, inputs, answers):
    number = peers.ONNX_TYPES[kind]
    model = peers.onnx_model(name, [number] * len(inputs), ONNX_BOOL if answers else number, opset=18)
    return runtime.load(f"{name} {kind}", model, kind, inputs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--onnxruntime", type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    np.seterr(all="ignore")
    torch = None
    try:
        import torch
        torch.set_num_threads(1)
    except ImportError:
        print("PyTorch is not installed", file=sys.stderr)
    runtime = peers.OnnxRuntime(arguments.onnxruntime, arguments.data) if arguments.onnxruntime else None
    rows = []
    for kind in dict.fromkeys(kind for operator in OPERATORS.values() for kind in operator[5]):
        dtype = peers.TYPES[kind]
        count = BYTES // np.dtype(dtype).itemsize
        data = [peers.tiled(arguments.data / f"{kind}.typical.{letter}", dtype, count) for letter in "ab"]
        for name, (number, numpy_name, torch_name, onnx_name, input_count, kinds, answers) in OPERATORS.items():
            if kind not in kinds:
                continue
            inputs = data[:input_count]
            out = peers.aligned(count, np.dtype(np.bool_ if answers else dtype))
            function = getattr(np, numpy_name)
            runs = [("residue", residue_run(arguments.library, number, kind, inputs, out)),
                    ("numpy", lambda function=function, inputs=inputs, out=out: function(*inputs, out=out))]
            if torch:
                runs.append(("torch", torch_run(torch, torch_name, kind, inputs, out)))
            if runtime:
                runs.append(("onnxruntime", onnx_run(runtime, onnx_name, kind, inputs, answers)))
            moved = input_count * BYTES + out.nbytes
            for turn in range(arguments.repetitions):
                begin = turn % len(runs)
                for who, run in runs[begin:] + runs[:begin]:
                    if run is not None:
                        rows.append({"run_name": f"{who}/{name}/{kind}/vv/typical/{BYTES}/1", "run_type": "iteration",
                                     "bytes_per_second": moved / peers.measure(run)})
        print(kind, file=sys.stderr)
    arguments.out.write_text(json.dumps({"context": {}, "benchmarks": rows}, indent=1))


if __name__ == "__main__":
    main()

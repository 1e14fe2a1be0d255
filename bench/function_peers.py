#!/usr/bin/env python3
"""Functions of float32 beside NumPy, PyTorch, SLEEF and ONNX Runtime: time for an element, and how many results are not the
nearest number. Prints the table of docs/functions.md.

usage: function_peers.py --library libresidue.so [--onnxruntime NODE_MODULES] [--sleef libsleef_functions.so]
                         [--mebibytes 64] [--repetitions 9]

One thread each, interleaved, medians. Residue's results are the right ones (residue verify --function all --exhaustive), so
what differs from them is wrong. The limit is a negated copy by Residue.
"""
import argparse
import ctypes
import pathlib
import statistics
import sys
import tempfile

import numpy as np

import peers

# Residue's number, from and to of the numbers, NumPy's and PyTorch's and ONNX's names.
FUNCTIONS = {
    "exp": (53, -8, 8, "exp", "exp", "Exp"), "log": (54, 0.01, 100, "log", "log", "Log"),
    "sin": (55, -30, 30, "sin", "sin", "Sin"), "cos": (56, -30, 30, "cos", "cos", "Cos"),
    "tan": (57, -30, 30, "tan", "tan", "Tan"), "asin": (58, -1, 1, "arcsin", "asin", "Asin"),
    "acos": (59, -1, 1, "arccos", "acos", "Acos"), "atan": (60, -8, 8, "arctan", "atan", "Atan"),
    "sinh": (61, -8, 8, "sinh", "sinh", "Sinh"), "cosh": (62, -8, 8, "cosh", "cosh", "Cosh"),
    "tanh": (63, -8, 8, "tanh", "tanh", "Tanh"), "asinh": (64, -8, 8, "arcsinh", "asinh", "Asinh"),
    "acosh": (65, 1, 100, "arccosh", "acosh", "Acosh"), "atanh": (66, -0.99, 0.99, "arctanh", "atanh", "Atanh"),
    "erf": (67, -4, 4, None, "erf", "Erf"), "sigmoid": (68, -8, 8, None, "sigmoid", "Sigmoid"),
    "softplus": (69, -8, 8, None, "softplus", "Softplus"), "softsign": (71, -8, 8, None, "softsign", "Softsign"),
    "elu": (72, -8, 8, None, "elu", "Elu"), "celu": (73, -8, 8, None, "celu", None),
    "scaled_elu": (74, -8, 8, None, "selu", "Selu"), "gelu": (76, -8, 8, None, "gelu", None),
    "swish": (77, -8, 8, None, "silu", None), "pow": (52, 0.1, 9, "power", "pow", "Pow"),
    "atan_yx": (78, -8, 8, "arctan2", "atan2", None)}
NEGATE = 17
# Those of bench/sleef_functions.cc.
SLEEF = {name: name for name in ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
                                 "acosh", "atanh", "erf", "pow")} | {"atan_yx": "atan2"}


def residue_run(library, number, inputs, out):
    run = ctypes.CDLL(library).residue_run_strided
    arguments = [number, peers.RESIDUE_TYPES["f32"]]
    for array in (inputs * 2)[:2] + [out]:
        arguments += [ctypes.c_void_p(array.ctypes.data), ctypes.c_int64(array.itemsize)]
    arguments += [ctypes.c_uint64(out.size), (ctypes.c_uint64 * 3)(1)]  # residue_options: one thread, then zeros

    def call():
        if (status := run(*arguments)) != 0:
            sys.exit(f"residue_run_strided said {status}")
    return call


def sleef_run(library, name, inputs, out):
    run = ctypes.CDLL(library).sleef_run
    arguments = [name.encode(), *(ctypes.c_void_p(array.ctypes.data) for array in (inputs * 2)[:2] + [out]), ctypes.c_size_t(out.size)]

    def call():
        if run(*arguments) != 0:
            sys.exit(f"SLEEF has no {name} for this processor")
    return call


def torch_function(torch, name):
    return getattr(torch, name, None) or getattr(torch.nn.functional, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--onnxruntime", type=pathlib.Path)
    parser.add_argument("--sleef")
    parser.add_argument("--mebibytes", type=int, default=64)
    parser.add_argument("--repetitions", type=int, default=9)
    arguments = parser.parse_args()
    np.seterr(all="ignore")
    import torch
    torch.set_num_threads(1)
    count = (arguments.mebibytes << 20) // 4
    random = np.random.default_rng(1)
    out = peers.aligned(count, np.dtype(np.float32))
    right = peers.aligned(count, np.dtype(np.float32))
    runtime = None
    if arguments.onnxruntime:
        runtime = peers.OnnxRuntime(arguments.onnxruntime, pathlib.Path(tempfile.mkdtemp()))
    print("| function | ns | times the limit | NumPy | wrong | PyTorch | wrong | SLEEF | wrong | ONNX Runtime |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, (number, least, most, numpy_name, torch_name, onnx_name) in FUNCTIONS.items():
        inputs = [random.uniform(least, most, count).astype(np.float32)]
        if name in ("pow", "atan_yx"):
            inputs.append(random.uniform(-8, 8, count).astype(np.float32))
        tensors = [torch.from_numpy(array) for array in inputs]
        function = torch_function(torch, torch_name)
        kept = {}

        place = torch.from_numpy(np.empty(count, np.float32))
        has_out = hasattr(torch, torch_name) and torch_name not in ("selu", "celu")

        def by_torch():  # functions of torch.nn have no out
            kept["torch"] = function(*tensors, out=place) if has_out else function(*tensors)

        runs = {"limit": residue_run(arguments.library, NEGATE, inputs[:1], out),
                "residue": residue_run(arguments.library, number, inputs, right), "torch": by_torch}
        if numpy_name:
            runs["numpy"] = lambda: getattr(np, numpy_name)(*inputs, out=out)
        if arguments.sleef and name in SLEEF:
            runs["sleef"] = sleef_run(arguments.sleef, SLEEF[name], inputs, out)
        if runtime and onnx_name:
            model = peers.onnx_model(onnx_name, [1] * len(inputs), 1, opset=18)
            runs["onnxruntime"] = runtime.load(onnx_name, model, "f32", inputs)
        times = {who: [] for who in runs}
        names = list(runs)
        for turn in range(arguments.repetitions):
            for i in range(len(names)):
                who = names[(turn + i) % len(names)]
                if runs[who] is not None:
                    times[who].append(peers.measure(runs[who]))
        # The last one to write into `out` may have been another.
        runs["residue"]()

        def wrong(results):
            return f"{100 * np.mean(results.view(np.uint32) != right.view(np.uint32)):.2f}%"

        def beside(who):
            return f"{median[who] / median['residue']:.2f}x" if who in median else ""

        median = {who: statistics.median(values) for who, values in times.items() if values}
        cells = [name, f"{median['residue'] / count * 1e9:.2f}", f"{median['residue'] / median['limit']:.2f}", beside("numpy"), "",
                 beside("torch"), wrong(kept["torch"].numpy()), beside("sleef"), "", beside("onnxruntime")]
        if numpy_name:
            runs["numpy"]()
            cells[4] = wrong(out)
        if "sleef" in runs:
            runs["sleef"]()
            cells[8] = wrong(out)
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

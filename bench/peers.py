#!/usr/bin/env python3
"""NumPy, PyTorch and ONNX Runtime on the data and sizes of bench_modulus, with Residue in the same run.

usage: peers.py --library libresidue.so --limit libbench_limit.so --data FOLDER --out peers.json
                [--onnxruntime NODE_MODULES] [--types f32,i8]

FOLDER is what bench_modulus --write-data=FOLDER wrote. Everything runs on one thread, repetitions take turns. NumPy
comes from Debian's python3-numpy, PyTorch from python3-torch; ONNX Runtime is the npm package onnxruntime-node,
installed anywhere and found through NODE_MODULES. What is not installed is left out. The JSON has the shape of
Google Benchmark's, for bench/report.py.
"""
import argparse
import ctypes
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

import numpy as np

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i32": np.int32,
         "i64": np.int64, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64}
# DirectML's numbers, which residue.h shares; ONNX's numbers of the same types.
RESIDUE_TYPES = {"f32": 1, "f16": 2, "u32": 3, "u16": 4, "u8": 5, "i32": 6, "i16": 7, "i8": 8, "f64": 9, "u64": 10,
                 "i64": 11}
ONNX_TYPES = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "f16": 10, "f64": 11, "u32": 12,
              "u64": 13}
OPERATORS = {"modulus_floor": 1, "modulus_truncate": 2}


class Residue:
    name = "residue"

    def __init__(self, library):
        self.run = ctypes.CDLL(library).residue_run_strided

    def prepare(self, operator, kind, a, b, out):
        size = ctypes.c_int64(a.itemsize)
        arguments = [OPERATORS[operator], RESIDUE_TYPES[kind]]
        for array in (a, b, out):
            arguments += [ctypes.c_void_p(array.ctypes.data), size]
        options = (ctypes.c_uint64 * 3)(1)  # residue_options: num_threads 1, then zeros
        arguments += [ctypes.c_uint64(a.size), options]
        return lambda: self.run(*arguments)


class Limit:
    """An addition on the same bytes, the least that any operator must do."""

    def __init__(self, library, name, store):
        self.add = ctypes.CDLL(library).residue_bench_add
        self.name = name
        self.store = store

    def prepare(self, operator, kind, a, b, out):
        addresses = [ctypes.c_void_p(array.ctypes.data) for array in (a, b, out)]
        return lambda: self.add(*addresses, ctypes.c_size_t(a.nbytes), self.store)


class NumPy:
    name = "numpy"

    def prepare(self, operator, kind, a, b, out):
        function = np.remainder if operator == "modulus_floor" else np.fmod
        return lambda: function(a, b, out=out)


class Torch:
    name = "torch"

    def __init__(self):
        import torch
        torch.set_num_threads(1)
        self.torch = torch

    def prepare(self, operator, kind, a, b, out):
        if kind in ("u16", "u32", "u64"):
            return None  # it has no such types
        function = self.torch.remainder if operator == "modulus_floor" else self.torch.fmod
        tensors = [self.torch.from_numpy(array) for array in (a, b, out)]
        return lambda: function(tensors[0], tensors[1], out=tensors[2])


def field(number, payload):
    """One field of a protocol buffer: bytes and text with their length, numbers as varints."""
    def varint(value):
        out = bytearray()
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        return bytes(out + bytes([value]))
    if isinstance(payload, int):
        return varint(number << 3) + varint(payload)
    if isinstance(payload, str):
        payload = payload.encode()
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def integer_attribute(name, value):
    return field(5, field(1, name) + field(3, value) + field(20, 2))


def onnx_model(node_type, inputs, result, attributes=b"", opset=13):
    """A model of one node on vectors of any length: ONNX's numbers of the inputs' types and of the result's."""
    def value(name, kind):
        shape = field(1, field(2, "n"))
        return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))
    names = "ab"[:len(inputs)]
    node = b"".join(field(1, name) for name in names) + field(2, "out") + field(4, node_type) + attributes
    graph = (field(1, node) + field(2, "graph") + b"".join(field(11, value(*pair)) for pair in zip(names, inputs)) +
             field(12, value("out", result)))
    return field(1, 8) + field(7, graph) + field(8, field(2, opset))


class OnnxRuntime:
    """A Node.js process that holds the session; one line asks for one run, its answer is the time in seconds."""
    name = "onnxruntime"

    def __init__(self, node_modules, folder):
        self.folder = folder
        environment = dict(os.environ, NODE_PATH=str(node_modules))
        script = pathlib.Path(__file__).with_name("onnxruntime_peer.js")
        self.process = subprocess.Popen(["node", str(script)], env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.version = self.process.stdout.readline().strip()

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def prepare(self, operator, kind, a, b, out):
        is_float = kind.startswith("f")
        if is_float and operator == "modulus_floor":
            return None  # it refuses fmod=0 for floats
        fmod = integer_attribute("fmod", 1 if operator == "modulus_truncate" else 0)
        model = onnx_model("Mod", [ONNX_TYPES[kind]] * 2, ONNX_TYPES[kind], fmod)
        return self.load(f"{operator} {kind}", model, kind, [a, b])

    def load(self, name, model, kind, arrays):
        """None if it refuses the model."""
        path = self.folder / "model.onnx"
        path.write_bytes(model)
        inputs = []
        for letter, array in zip("ab", arrays):
            inputs.append(str(self.folder / f"{letter}.bin"))
            array.tofile(inputs[-1])
        answer = self.ask(model=str(path), inputs=inputs, type=kind)
        if "error" in answer:
            print(f"onnxruntime {name}: {answer['error']}", file=sys.stderr)
            return None
        return lambda: self.ask(run=True)["seconds"]


def aligned(count, dtype):
    """Zeros, page-aligned."""
    memory = np.zeros(count * dtype.itemsize + 4096, np.uint8)
    begin = -memory.ctypes.data % 4096
    return memory[begin:begin + count * dtype.itemsize].view(dtype)


def tiled(path, dtype, count):
    """The period in the file, repeated; page-aligned, as bench_modulus has it."""
    data = np.fromfile(path, dtype)
    array = aligned(count, data.dtype)
    for i in range(0, count, data.size):
        part = min(data.size, count - i)
        array[i:i + part] = data[:part]
    return array


def measure(run):
    """Seconds of one call; short calls are repeated."""
    begin = time.perf_counter()
    own = run()
    once = time.perf_counter() - begin
    if isinstance(own, float):
        return own
    calls = max(1, int(0.03 / max(once, 1e-7)))
    begin = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - begin) / calls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--limit", required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--onnxruntime", type=pathlib.Path)
    parser.add_argument("--types", default=",".join(TYPES))
    parser.add_argument("--sizes", default="4096,524288,16777216", help="bytes per tensor")
    parser.add_argument("--repetitions", type=int, default=7)
    arguments = parser.parse_args()

    np.seterr(all="ignore")
    limits = [Limit(arguments.limit, name, store) for store, name in enumerate(("limit_plain", "limit_stream", "limit_pages"))]
    peers = [Residue(arguments.library), *limits, NumPy()]
    context = {"numpy": np.__version__, "libm": " ".join(platform.libc_ver())}
    try:
        peers.append(Torch())
        context["torch"] = peers[-1].torch.__version__
    except ImportError:
        print("PyTorch is not installed", file=sys.stderr)
    if arguments.onnxruntime:
        peers.append(OnnxRuntime(arguments.onnxruntime, arguments.data))
        context["onnxruntime"] = peers[-1].version

    rows = []
    for kind in arguments.types.split(","):
        dtype = TYPES[kind]
        for size in map(int, arguments.sizes.split(",")):
            count = size // np.dtype(dtype).itemsize
            a = tiled(arguments.data / f"{kind}.typical.a", dtype, count)
            b = tiled(arguments.data / f"{kind}.typical.b", dtype, count)
            out = tiled(arguments.data / f"{kind}.typical.a", dtype, count)
            for operator in OPERATORS:
                runs = [(peer.name, peer.prepare(operator, kind, a, b, out)) for peer in peers]
                for turn in range(arguments.repetitions):
                    # Each comes first, second and so on as often as the others.
                    begin = turn % len(runs)
                    for name, run in runs[begin:] + runs[:begin]:
                        if run is not None:
                            rows.append({"run_name": f"{name}/{operator}/{kind}/vv/typical/{size}/1",
                                         "run_type": "iteration", "bytes_per_second": 3 * size / measure(run)})
                print(kind, operator, size, file=sys.stderr)
    arguments.out.write_text(json.dumps({"context": context, "benchmarks": rows}, indent=1))


if __name__ == "__main__":
    main()

"""Fused functions travel as functions do: by name to processes that have the same script or module, and as what they contain
with cloudpickle."""
import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import residue

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)

SCRIPT = """
import concurrent.futures, copy, multiprocessing, pickle, sys
import numpy as np
import residue

@residue.fuse
def wrap(angle):
    return residue.mod_floor(angle, 360) * 2

class Geometry:
    @staticmethod
    @residue.fuse
    def triple(x):
        return x * 3

def double(x):
    return x * 2

other_name = residue.fuse(double)
expression = residue.compile_expression("a * 5")

def is_the_same_one(fused):
    return fused is wrap and len(fused._programs)

if __name__ == "__main__":
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for fused in (wrap, Geometry.triple):
            assert pickle.loads(pickle.dumps(fused, protocol)) is fused
    assert copy.copy(wrap) is wrap and copy.deepcopy([wrap]) == [wrap]
    context = multiprocessing.get_context(sys.argv[1])
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        for fused in (wrap, Geometry.triple, other_name, expression):
            print([int(y[0]) for y in pool.map(fused, [np.float32([1]), np.float32([2])])])
        # What it has compiled is there for the next call.
        print(pool.submit(is_the_same_one, wrap).result(), pool.submit(copy.copy, wrap).result() is wrap)
    with context.Pool(1) as pool:
        print(pool.map(wrap, [np.float32([361])])[0].tolist())
"""


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_a_script_uses_process_pools(method, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    result = subprocess.run([sys.executable, script, method], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ["[2, 4]", "[3, 6]", "[2, 4]", "[5, 10]", "1 True", "[2.0]"]


@residue.fuse
def in_a_module(x):
    """Twice."""
    return x * 2


def test_by_name():
    for protocol in PROTOCOLS:
        assert pickle.loads(pickle.dumps(in_a_module, protocol)) is in_a_module
    assert copy.deepcopy(in_a_module) is in_a_module
    assert in_a_module.__doc__ == "Twice." and in_a_module.__name__ == "in_a_module"


def test_what_has_no_name():
    for made in (residue.fuse(lambda x: x), residue.fuse(residue.fuse(lambda x: x))):
        with pytest.raises((pickle.PicklingError, AttributeError)):
            pickle.dumps(made)
    assert pickle.loads(pickle.dumps(residue.fuse(np.sqrt)))(np.float32([4])) == 2
    # Another fused function of a module's function is not the one of that name.
    again = residue.fuse(in_a_module)
    assert pickle.loads(pickle.dumps(again))(np.float32([4])) == 8


def test_cloudpickle_brings_what_is_in_a_script(tmp_path):
    """To a process that has another script, with another function of that name."""
    cloudpickle = pytest.importorskip("cloudpickle")
    local = residue.fuse(lambda x: x + 1)
    assert pickle.loads(cloudpickle.dumps(local))(np.float32([1])) == 2
    sends, receives = tmp_path / "sends.py", tmp_path / "receives.py"
    sends.write_text("import sys, cloudpickle, residue\n"
                     "factor = 3\n"
                     "@residue.fuse\n"
                     "def wrap(x):\n    return x * factor\n"
                     "sys.stdout.buffer.write(cloudpickle.dumps([wrap, wrap]))\n")
    receives.write_text("import sys, pickle, cloudpickle, numpy as np, residue\n"
                        "@residue.fuse\n"
                        "def wrap(x):\n    return x * 100\n"
                        "first, second = pickle.load(sys.stdin.buffer)\n"
                        "again = pickle.loads(cloudpickle.dumps(first))\n"
                        "x = np.float32([1, 2])\n"
                        "print(first is second, first(x).tolist(), again(x).tolist(), wrap(x).tolist(), first)\n")
    sent = subprocess.run([sys.executable, sends], capture_output=True, check=True).stdout
    received = subprocess.run([sys.executable, receives], input=sent, capture_output=True, check=True).stdout.decode()
    assert received == "True [3.0, 6.0] [3.0, 6.0] [100.0, 200.0] <fused function wrap>\n"

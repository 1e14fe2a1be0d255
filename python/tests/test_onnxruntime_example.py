"""examples/onnxruntime: ONNX Runtime's Python package cannot be fetched where the tests run, so what its example calls is
compared with the names that ONNX Runtime documents. The models are those that their script makes."""
import ast
import importlib.util
import pathlib
import subprocess
import sys

import pytest
import residue

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "onnxruntime"

# By what they are called on, as ONNX Runtime 1.23 and newer have them.
DOCUMENTED = {
    "onnxruntime": {"register_execution_provider_library", "get_ep_devices", "SessionOptions", "InferenceSession"},
    "device": {"ep_name"},
    "options": {"add_provider_for_devices"},
    "session": {"get_outputs", "run"},
    "output": {"name"},
}


def test_the_example_calls_what_is_documented():
    tree = ast.parse((EXAMPLES / "image.py").read_text())
    called = {name: set() for name in DOCUMENTED}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in called:
            called[node.value.id].add(node.attr)
    assert called == DOCUMENTED


def test_the_library_is_found():
    assert pathlib.Path(residue.onnxruntime_library()).is_absolute()
    assert pathlib.Path(residue.onnxruntime_library()).exists()


def test_the_models_are_those_of_the_script():
    if importlib.util.find_spec("onnx") is None:
        pytest.skip("the package onnx is not installed")
    made = subprocess.run([sys.executable, EXAMPLES / "make_models.py", "--check"], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr

"""The provider in ONNX Runtime's Python package, which scripts/check_python.sh installs where it can be fetched. The models
of examples/onnxruntime are those that their script makes."""
import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest
import residue

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "onnxruntime"


def has_onnxruntime():
    """A folder of that name, as this tree has, is no package of files."""
    found = importlib.util.find_spec("onnxruntime")
    return found is not None and found.origin is not None


needs_onnxruntime = pytest.mark.skipif(not has_onnxruntime(), reason="the package onnxruntime is not installed")


def run(*arguments):
    """In a process of its own: what ONNX Runtime prints is not Python's, and a library stays registered."""
    environment = {**os.environ, "ORT_DISABLE_TELEMETRY": "1"}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment)


@needs_onnxruntime
def test_the_example_prints_what_is_expected():
    ran = run(EXAMPLES / "image.py")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == (EXAMPLES / "image.expected").read_text()


@needs_onnxruntime
def test_options_reach_the_provider_without_warnings():
    code = f"""
import onnxruntime, residue
for _ in range(2):
    options = residue.add_onnxruntime_provider(onnxruntime.SessionOptions(), claim="all", threads=1, trace=1)
    session = onnxruntime.InferenceSession({str(EXAMPLES / "models" / "image.onnx")!r}, sess_options=options)
    assert "ResidueExecutionProvider" in session.get_providers()
"""
    ran = run("-c", code)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count("residue: claims 15 of 15 nodes, in 2 parts") == 2, ran.stderr
    assert "already exists" not in ran.stderr


@needs_onnxruntime
def test_a_wrong_option_is_refused():
    """Python's package prints that, and goes on without the provider."""
    code = f"""
import onnxruntime, residue
options = residue.add_onnxruntime_provider(onnxruntime.SessionOptions(), claim="some")
onnxruntime.InferenceSession({str(EXAMPLES / "models" / "image.onnx")!r}, sess_options=options)
"""
    assert 'the option claim is "some", but gain, all, mod or none was expected' in run("-c", code).stdout


def test_the_library_is_found():
    assert pathlib.Path(residue.onnxruntime_library()).is_absolute()
    assert pathlib.Path(residue.onnxruntime_library()).exists()


def test_the_models_are_those_of_the_script():
    if importlib.util.find_spec("onnx") is None:
        pytest.skip("the package onnx is not installed")
    made = subprocess.run([sys.executable, EXAMPLES / "make_models.py", "--check"], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr

"""The package around the ufuncs: documentation that runs, types that check, and a wheel that stands alone."""
import doctest
import importlib.metadata
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import residue
from conftest import TIER

PACKAGE = pathlib.Path(residue.__file__).parent
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("name", ["__init__", *sorted(set(residue.__all__) - {"__version__"})])
def test_documentation_runs(name):
    documented = residue if name == "__init__" else getattr(residue, name)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    if isinstance(documented, type) and issubclass(documented, Exception):
        pytest.skip("an exception")
    test = parser.get_doctest(documented.__doc__, {}, name, None, None)
    assert test.examples, f"{name} has no example"
    if np.lib.NumpyVersion(np.__version__) < "2.0.0":  # prints scalars without their types
        for example in test.examples:
            example.want = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", example.want)
    runner.run(test)
    assert runner.failures == 0


def test_version():
    header = (ROOT / "include" / "residue" / "residue.h").read_text()
    assert f'#define RESIDUE_VERSION_STRING "{residue.__version__}"' in header
    assert importlib.metadata.version("residue") == residue.__version__


def test_show_config(capsys):
    config = residue.show_config(mode="dicts")
    assert capsys.readouterr().out == ""
    assert config["targets"][-1] == "REFERENCE" and config["numpy"] == np.__version__ and config["threads"] == 1
    assert set(config["kernels"].values()) <= set(config["targets"])
    assert {"int8", "uint64", "float16", "float32", "float64"} <= set(config["kernels"])
    assert residue.show_config() is None
    printed = capsys.readouterr().out
    for word in (config["version"], *config["targets"], *config["kernels"], *config["delegated"]):
        assert word in printed
    # The exact ones hand on what they lack; functions have nothing to hand on.
    assert config["delegated"]["mod_floor"] == ["gg->g", "mm->m", "OO->O"] and "exp" not in config["delegated"]
    with pytest.raises(ValueError, match="'stdout' or 'dicts', not 'json'"):
        residue.show_config(mode="json")


def test_the_instruction_set_can_be_capped():
    code = "import residue; print(residue.show_config(mode='dicts')['kernels']['float32'], residue.mod_floor(-7.5, 2.0))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                            env={"RESIDUE_MAX_TARGET": "reference"})
    assert result.stdout.split() == ["REFERENCE", "0.5"]


def test_names():
    assert all(hasattr(residue, name) for name in residue.__all__)
    public = {name for name in vars(residue) if not name.startswith("_")}
    assert public == set(residue.__all__) - {"__version__"} | {"functions", "ufuncs"}


def test_every_operator_is_there():
    """Except those that are no function of arrays alone, or that only the DirectML interface needs."""
    listed = (ROOT / "src" / "core" / "ops.def").read_text()
    operators = dict(re.findall(r"RESIDUE_(?:\w*_)?(?:OP|FUNCTION)\(\w+, (\w+), (\d+),", listed))
    assert len(operators) > 70
    have = {entry["operator"] for entry in residue._native.operators.values()}
    assert {name for name, number in operators.items() if int(number) not in have} == \
        {"SEQUENCE", "POW_OF_SUM", "POW_TRUNCATED"}


def test_stubs_are_of_the_list():
    subprocess.run([sys.executable, ROOT / "scripts" / "make_stubs.py", "--check"], check=True)


@pytest.mark.skipif(TIER == "quick", reason="mypy takes longer than all other tests of this file; a merge runs it")
def test_types_check():
    mypy = [sys.executable, "-m", "mypy"]
    if subprocess.run([*mypy, "--version"], capture_output=True).returncode != 0:
        pytest.skip("mypy is not installed")
    for command in ([*mypy, "--strict", "--no-incremental", "--cache-dir", "/dev/null", "-p", "residue"],
                    [sys.executable, "-m", "mypy.stubtest", "residue._native", "--concise"]):
        result = subprocess.run(command, capture_output=True, text=True, cwd="/")
        assert result.returncode == 0, result.stdout + result.stderr


def test_the_stub_says_what_is_there(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import numpy as np\nimport residue\n"
                       "ufunc: np.ufunc = residue.mod_floor\n"
                       "residue.exp(np.ones(3), dtype=np.float32), residue.where([True], 1, 2), residue.elu([1.0], alpha=2)\n"
                       "@residue.fuse\ndef twice(x: object) -> object:\n    return x\n"
                       "number: int = residue.digest(twice([1]))\n"
                       "count: int = residue.get_num_threads()\n"
                       "with residue.threads(2):\n    residue.set_num_threads(1)\n"
                       "residue.set_num_threads('two')\n"
                       "residue.mod_floor()\n"
                       "residue.exp(1, 2, 3)\n"
                       "residue.elu(1.0, gain=3)\n")
    mypy = [sys.executable, "-m", "mypy"]
    if subprocess.run([*mypy, "--version"], capture_output=True).returncode != 0:
        pytest.skip("mypy is not installed")
    result = subprocess.run([*mypy, "--strict", "--cache-dir", "/dev/null", program], capture_output=True, text=True)
    assert re.findall(r"program.py:(\d+): error", result.stdout) == ["12", "13", "14", "15"], result.stdout


def needed_by(path):
    shown = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"NEEDED.*\[(.+)\]", shown)


def test_the_wheel_stands_alone():
    """Nothing is loaded but the package's own libraries, Python's, NumPy's and the C and C++ runtimes; and there is one
    libresidue, for ONNX Runtime's library too."""
    runtimes = re.compile(r"lib(c|m|stdc\+\+|gcc_s|dl|pthread|rt)\.so|ld-linux")
    needed = {path: [name for name in needed_by(path) if not runtimes.match(name)] for path in PACKAGE.glob("*.so*")}
    assert len(list(PACKAGE.glob("libresidue*.so.*"))) == 1
    assert pathlib.Path(residue.onnxruntime_library()) in needed
    for path, names in needed.items():
        assert all((PACKAGE / name).exists() for name in names), f"{path.name} needs {names}"
    # And they are the ones that are found.
    code = "import ctypes, residue\nctypes.CDLL(residue.onnxruntime_library())\nprint(open('/proc/self/maps').read())"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    found = set(re.findall(r"\S*/(?:lib)?(?:residue|tbb|hwy)\S*\.so\S*", loaded))
    assert len([path for path in found if "libresidue-" in path or "libresidue.so" in path]) == 1
    for name in {name for names in needed.values() for name in names}:
        assert str(PACKAGE / name) in loaded


def test_the_number_of_threads_of_the_environment():
    code = "import residue; print(residue.get_num_threads())"
    for value, expected, warning in (("3", "3", ""), ("0", "0", ""), ("", "1", ""), ("two", "1", "RESIDUE_NUM_THREADS is two"),
                                     ("-1", "1", "0 (as many as there are cores) to 4096 was expected")):
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                                env={"RESIDUE_NUM_THREADS": value})
        assert result.stdout.strip() == expected and warning in result.stderr and bool(warning) == bool(result.stderr)


def test_only_the_entry_point_is_exported():
    module = next(PACKAGE.glob("_native*.so"))
    symbols = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True, check=True).stdout
    assert {line.split()[2] for line in symbols.splitlines()} == {"PyInit__native"}


def test_it_can_be_imported_by_an_isolated_interpreter():
    """A fresh interpreter, isolated from the environment and this folder."""
    code = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); import residue; print(residue.mod_floor(-7, 3))"
    result = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert result.stdout == "2\n"


@pytest.mark.skipif(sys.version_info < (3, 14), reason="Python 3.14 made interpreters a documented module")
def test_a_second_interpreter_is_refused():
    """By the module itself, whether or not NumPy would refuse too."""
    module = next(PACKAGE.glob("_native*.so"))
    code = f"""
from concurrent import interpreters
load = '''
import importlib.util
importlib.util.module_from_spec(importlib.util.spec_from_file_location("residue._native", {str(module)!r}))
'''
try:
    interpreters.create().exec(load)
except interpreters.ExecutionFailed as error:
    print(error.excinfo.type.__name__, error.excinfo.msg)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "ImportError module residue._native does not support loading in subinterpreters\n"

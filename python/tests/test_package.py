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

PACKAGE = pathlib.Path(residue.__file__).parent
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("name", ["__init__", *sorted(set(residue.__all__) - {"__version__"})])
def test_documentation_runs(name):
    documented = residue if name == "__init__" else getattr(residue, name)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    test = parser.get_doctest(documented.__doc__, {}, name, None, None)
    assert test.examples, f"{name} has no example"
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
    for word in (config["version"], *config["targets"], *config["kernels"]):
        assert word in printed
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
    assert public == set(residue.__all__) - {"__version__"}


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
                       "count: int = residue.get_num_threads()\n"
                       "with residue.threads(2):\n    residue.set_num_threads(1)\n"
                       "residue.set_num_threads('two')\n")
    mypy = [sys.executable, "-m", "mypy"]
    if subprocess.run([*mypy, "--version"], capture_output=True).returncode != 0:
        pytest.skip("mypy is not installed")
    result = subprocess.run([*mypy, "--strict", "--cache-dir", "/dev/null", program], capture_output=True, text=True)
    assert re.findall(r"program.py:(\d+): error", result.stdout) == ["7"], result.stdout


def test_the_wheel_stands_alone():
    """Nothing is loaded but the package's own libraries, Python's, NumPy's and the C and C++ runtimes."""
    module = next(PACKAGE.glob("_native*.so"))
    needed = re.findall(r"NEEDED.*\[(.+)\]", subprocess.run(["readelf", "-d", module], capture_output=True, text=True,
                                                            check=True).stdout)
    runtimes = re.compile(r"lib(c|m|stdc\+\+|gcc_s|dl|pthread|rt)\.so|ld-linux")
    assert "libresidue" not in " ".join(needed)
    for library in needed:
        assert runtimes.match(library) or (PACKAGE / library).exists(), library
    # And they are the ones that are found.
    loaded = subprocess.run([sys.executable, "-c", "import residue\nprint(open('/proc/self/maps').read())"],
                            capture_output=True, text=True, check=True).stdout
    for library in needed:
        if not runtimes.match(library):
            assert str(PACKAGE / library) in loaded


def test_only_the_entry_point_is_exported():
    module = next(PACKAGE.glob("_native*.so"))
    symbols = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True, check=True).stdout
    assert {line.split()[2] for line in symbols.splitlines()} == {"PyInit__native"}


def test_it_can_be_imported_by_an_isolated_interpreter():
    """A fresh interpreter, isolated from the environment and this folder."""
    code = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); import residue; print(residue.mod_floor(-7, 3))"
    result = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert result.stdout == "2\n"

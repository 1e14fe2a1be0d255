"""The examples run, print what they say they print, and draw."""
import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "python"


def run(name, *arguments, **options):
    result = subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)], capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_quickstart():
    assert run("quickstart.py") == (EXAMPLES / "quickstart.expected").read_text()


def test_speed_draws_a_picture(tmp_path):
    pytest.importorskip("matplotlib")
    printed = run("speed.py", tmp_path / "speed.svg", cwd=tmp_path)
    assert "residue.mod_trunc" in printed and "numpy.fmod" in printed
    picture = (tmp_path / "speed.svg").read_text()
    assert picture.startswith("<?xml") and picture.count("<path") > 10


def test_dask_angles():
    pytest.importorskip("distributed")
    printed = run("dask_angles.py", 0.25, 2, timeout=300)
    found = [int(count) for count in re.findall(r"(\d+) samples", printed)]
    assert "0.25 GiB in 8 chunks on 2 processes" in printed
    assert sum(found) == 2**25 and max(found) - min(found) <= 360


def test_quickstart_is_typed():
    mypy = [sys.executable, "-m", "mypy"]
    if subprocess.run([*mypy, "--version"], capture_output=True).returncode != 0:
        pytest.skip("mypy is not installed")
    result = subprocess.run([*mypy, "--strict", "--cache-dir", "/dev/null", EXAMPLES / "quickstart.py"],
                            capture_output=True, text=True, cwd="/")
    assert result.returncode == 0, result.stdout

#!/usr/bin/env bash
# Builds the wheel, installs it into a virtual environment, and tests it there.
#   check_python.sh [--built BUILD] [--numpy VERSION] [pytest arguments]
# With --built the wheel is made of the objects in that build folder; without, everything is compiled. The environment sees the
# system's NumPy and what the tests meet, and has ONNX Runtime's package of PyPI; with --numpy it has that one of PyPI and pytest alone, and the wheel is made with
# that one's headers.
# RESIDUE_TIER and RESIDUE_SEED are as for the other tests; RESIDUE_JUNIT names a file for the results.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(scripts/find_python.sh)
setting=build-dir=build/wheel
venv=build/venv
wheels=build/wheels
if [ "${1:-}" = --built ]; then
  setting=built=$2
  shift 2
fi
if [ "${1:-}" = --numpy ]; then
  venv=$PWD/build/venv_numpy_$2
  wheels=build/wheels_numpy_$2
  rm -rf "$venv"
  "$python" -m venv "$venv"
  python=$venv/bin/python
  "$python" -m pip install --quiet "numpy==$2" pytest pytest-xdist hypothesis
  shift 2
else
  rm -rf "$venv"
  "$python" -m venv --system-site-packages "$venv"
fi
rm -rf "$wheels"
# Where the headers are is not asked again if only they have changed.
"$python" -m pip wheel --quiet --no-deps --no-build-isolation --no-index --wheel-dir "$wheels" --config-settings "$setting" \
  --config-settings cmake-args="-DRESIDUE_WARNINGS_AS_ERRORS=ON '-UPython_NumPy*' '-U_Python*'" .
"$venv/bin/python" -m pip install --quiet --no-index --no-deps "$wheels"/residue-*.whl
# Without what it depends on, which would bring another NumPy.
"$venv/bin/python" -m pip install --quiet --no-deps onnxruntime==1.31.1 flatbuffers packaging protobuf ||
  echo "onnxruntime cannot be fetched; its tests are skipped" >&2
"$venv/bin/python" -m pytest -n 2 ${RESIDUE_JUNIT:+"--junit-xml=$RESIDUE_JUNIT"} "${@:-python/tests}"

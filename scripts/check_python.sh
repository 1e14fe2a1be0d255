#!/usr/bin/env bash
# Builds the wheel, installs it into a virtual environment that sees the system's NumPy, and tests it there.
#   check_python.sh [--built BUILD] [pytest arguments]
# With --built the wheel is made of the objects in that build folder; without, everything is compiled.
# RESIDUE_TIER and RESIDUE_SEED are as for the other tests; RESIDUE_JUNIT names a file for the results.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(scripts/find_python.sh)
setting=build-dir=build/wheel
if [ "${1:-}" = --built ]; then
  setting=built=$2
  shift 2
fi
rm -rf build/wheels build/venv
"$python" -m pip wheel --quiet --no-deps --no-build-isolation --no-index --wheel-dir build/wheels \
  --config-settings "$setting" --config-settings cmake-args=-DRESIDUE_WARNINGS_AS_ERRORS=ON .
"$python" -m venv --system-site-packages build/venv
build/venv/bin/python -m pip install --quiet --no-index --no-deps build/wheels/residue-*.whl
build/venv/bin/python -m pytest -n 2 ${RESIDUE_JUNIT:+"--junit-xml=$RESIDUE_JUNIT"} "${@:-python/tests}"

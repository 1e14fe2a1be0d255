#!/usr/bin/env bash
# Prints the Python that has NumPy and the headers for extension modules; another one may come first on the PATH.
set -euo pipefail
for python in "${PYTHON:-python3}" /usr/bin/python3; do
  if "$python" -c 'import numpy, os, sysconfig
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2>/dev/null; then
    "$python" -c 'import sys; print(sys.executable)'
    exit 0
  fi
done
echo "no Python with NumPy and Python.h: scripts/install_dependencies.sh python" >&2
exit 1

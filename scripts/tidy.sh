#!/usr/bin/env bash
# clang-tidy over the library, the Python module, the operators for ONNX Runtime and the
# command, with the compile commands of a build folder (default build/clang). The per-target
# kernel files are left out: their warnings would be Highway's.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/clang}
git ls-files 'src/*.cc' 'python/*.cc' 'onnxruntime/src/*.cc' 'tools/*.cc' | grep -vE '(_kernels|/examine)\.cc$' | xargs -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet

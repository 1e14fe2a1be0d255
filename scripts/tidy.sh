#!/usr/bin/env bash
# usage: tidy.sh [--changed] [BUILD]
# clang-tidy over the library, the Python module, the operators for ONNX Runtime and the
# command, with the compile commands of a build folder (default build/clang). The files that
# Highway compiles once per target are left out: their warnings would be Highway's. With --changed it looks at what
# changed since its last run over all files (docs/testing.md).
set -euo pipefail
cd "$(dirname "$0")/.."
changed=
if [ "${1:-}" = --changed ]; then
  changed=1
  shift
fi
build=${1:-build/clang}
mapfile -t files < <(git grep -L 'hwy/foreach_target.h' -- 'src/*.cc' 'python/*.cc' 'onnxruntime/src/*.cc' 'tools/*.cc')
all=${#files[@]}
if [ -n "$changed" ]; then
  mapfile -t files < <(scripts/changed_sources.py "static analysis finds nothing" "${files[@]}" | sed '/^$/d')
fi
# Every operator for every type: a quarter of an hour for the checks that follow paths, seconds for all others.
large=src/cpu/rows/reference.cc
if [ ${#files[@]} -gt 0 ]; then
  printf '%s\n' "${files[@]}" | { grep --invert-match --line-regexp "$large" || true; } |
    xargs --no-run-if-empty -P "$(nproc)" -n 2 clang-tidy -p "$build" --quiet
  if printf '%s\n' "${files[@]}" | grep --quiet --line-regexp "$large"; then
    clang-tidy -p "$build" --quiet --checks='-clang-analyzer-*' "$large"
  fi
fi
echo "${#files[@]} of $all files"
[ -z "${RESIDUE_FIGURES:-}" ] || echo "tidy.files ${#files[@]}" >>"$RESIDUE_FIGURES"

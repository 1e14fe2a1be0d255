#!/usr/bin/env bash
# usage: fetch_onnxruntime.sh [--all]
# Brings the ONNX Runtimes that onnxruntime/tests/runtimes lists from npm into build/onnxruntime, once, and prints the
# folder for CMake's RESIDUE_ORT_RUNTIMES. --all brings those between the oldest and the newest too, which are tested at
# night. Each package holds shared libraries for x86-64 and 64-bit Arm; npm checks them against the hashes of
# package-lock.json, and none of their scripts is run.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/build/onnxruntime
list=onnxruntime/tests/runtimes
omitted=(--omit=optional)
complete=$folder/complete
if [ "${1:-}" = --all ]; then
  omitted=()
  complete=$folder/complete.all
fi
if ! cmp -s "$list/package-lock.json" "$complete"; then
  rm -rf "$folder"
  mkdir -p "$folder"
  cp "$list/package.json" "$list/package-lock.json" "$folder"
  npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund "${omitted[@]}" >&2
  cp "$list/package-lock.json" "$folder/complete"
  cp "$list/package-lock.json" "$complete" # who has all has what a merge wants too
fi
echo "$folder/node_modules"

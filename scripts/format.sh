#!/usr/bin/env bash
# Formats every C and C++ file of ours, or with --check says which are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
if [ "${1:-}" = "--check" ]; then mode=(--dry-run --Werror); fi
git ls-files '*.h' '*.hpp' '*.c' '*.cc' '*.cpp' | xargs clang-format "${mode[@]}"

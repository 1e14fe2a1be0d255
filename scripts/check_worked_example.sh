#!/usr/bin/env bash
# Follows docs/adding_an_operator.md: takes its differences out of a copy of the tree, which must be as good without the
# operator, and puts them back.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
copy=$root/build/worked_example
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- --ignore-failed-read |
  tar --extract --directory "$copy"
cd "$copy"
# --directory: git would otherwise take the paths for those of the repository around the copy.
differences() {
  sed -n '/^```diff$/,/^```$/{/^```/d;p}' docs/adding_an_operator.md |
    git -C "$root" apply "$@" --directory="${copy#"$root"/}" -
}
differences --reverse
! grep --quiet --recursive --word-regexp 'IsInfinity\|is_infinity\|RESIDUE_IS_INFINITY' src include/residue tests/support tools
cmake --preset release -DRESIDUE_BUILD_BENCHMARKS=OFF
cmake --build --preset release --target core_test rows_test engine_test c_api_test cpp_api_test contract_test residue_tool
RESIDUE_TIER=quick ctest --preset release -j "$(nproc)" --no-tests=error --output-on-failure \
  -R '^(core|rows|engine|c_api|cpp_api|contract)\.[A-Z]'
! build/release/bin/residue list | grep IS_INFINITY
differences
cmp --silent src/core/ops.def "$root/src/core/ops.def"

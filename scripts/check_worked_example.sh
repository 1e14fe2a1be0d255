#!/usr/bin/env bash
# Follows docs/adding_an_operator.md: applies its differences to a copy of the tree, adds the hashes that the test asks
# for, builds, and runs every test that iterates the operators, and the new operator itself through libdirectml.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
copy=$root/build/worked_example
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- --ignore-failed-read |
  tar --extract --directory "$copy"
cd "$copy"
rm -f src/cpu/rows/bits-inl.h # of an earlier run
# --directory: git would otherwise take the paths for those of the repository around the copy.
sed -n '/^```diff$/,/^```$/{/^```/d;p}' docs/adding_an_operator.md |
  git -C "$root" apply --verbose --directory="${copy#"$root"/}" -
cmake --preset release -DRESIDUE_BUILD_BENCHMARKS=OFF
cmake --build --preset release --target \
  core_test rows_test engine_test c_api_test contract_test museum_test residue_tool
RESIDUE_TIER=quick build/release/tests/rows_test --gtest_filter='IdentityTest*' |
  grep '^bit_and,' | sort --unique >>tests/data/identity_hashes.csv || true
RESIDUE_TIER=quick ctest --preset release -j "$(nproc)" --no-tests=error --output-on-failure \
  -R '^(core|rows|engine|c_api|contract|museum)\.[A-Z]'

cat >build/bit_and.json <<'MODEL'
{
  "resources": {
    "A": {"initialValuesDataType": "UINT8", "initialValues": [12, 10, 255]},
    "B": {"initialValuesDataType": "UINT8", "initialValues": [10, 6, 60]},
    "Output": {"initialValuesDataType": "UINT8", "initialValues": {"valueCount": 3, "value": 0}}
  },
  "dispatchables": {
    "and": {
      "type": "DML_OPERATOR_ELEMENT_WISE_BIT_AND",
      "desc": {
        "ATensor": {"DataType": "UINT8", "Sizes": [3]},
        "BTensor": {"DataType": "UINT8", "Sizes": [3]},
        "OutputTensor": {"DataType": "UINT8", "Sizes": [3]}
      }
    }
  },
  "commands": [
    {"type": "dispatch", "dispatchable": "and",
     "bindings": {"ATensor": "A", "BTensor": "B", "OutputTensor": "Output"}},
    {"type": "print", "resource": "Output"}
  ]
}
MODEL
build/release/bin/residue run build/bit_and.json | tee build/bit_and.out
grep --quiet "^Resource 'Output': 8, 2, 60$" build/bit_and.out

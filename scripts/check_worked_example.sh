#!/usr/bin/env bash
# Follows docs/adding_an_operator.md: applies its differences to a copy of the tree, builds, and runs every test that
# iterates the operators, and the new operator itself through libdirectml.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
copy=$root/build/worked_example
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- --ignore-failed-read |
  tar --extract --directory "$copy"
cd "$copy"
rm -f src/cpu/rows/tests-inl.h # of an earlier run
# --directory: git would otherwise take the paths for those of the repository around the copy.
sed -n '/^```diff$/,/^```$/{/^```/d;p}' docs/adding_an_operator.md |
  git -C "$root" apply --verbose --directory="${copy#"$root"/}" -
cmake --preset release -DRESIDUE_BUILD_BENCHMARKS=OFF
cmake --build --preset release --target \
  core_test rows_test engine_test c_api_test cpp_api_test contract_test directml_test museum_test residue_tool
RESIDUE_TIER=quick ctest --preset release -j "$(nproc)" --no-tests=error --output-on-failure \
  -R '^(core|rows|engine|c_api|cpp_api|contract|directml|museum)\.[A-Z]'

# is_infinity MODE EXPECTED
is_infinity() {
  cat >build/is_infinity.json <<MODEL
{
  "resources": {
    "Input": {"initialValuesDataType": "FLOAT32", "initialValues": [1, "inf", "-inf", "nan", 3.4e38]},
    "Output": {"initialValuesDataType": "UINT8", "initialValues": {"valueCount": 8, "value": 9}}
  },
  "dispatchables": {
    "ask": {
      "type": "DML_OPERATOR_ELEMENT_WISE_IS_INFINITY",
      "desc": {
        "InputTensor": {"DataType": "FLOAT32", "Sizes": [5]},
        "OutputTensor": {"DataType": "UINT8", "Sizes": [5]},
        "InfinityMode": "$1"
      }
    }
  },
  "commands": [
    {"type": "dispatch", "dispatchable": "ask", "bindings": {"InputTensor": "Input", "OutputTensor": "Output"}},
    {"type": "print", "resource": "Output"}
  ]
}
MODEL
  build/release/bin/residue run build/is_infinity.json | tee build/is_infinity.out
  grep --quiet "^Resource 'Output': $2" build/is_infinity.out
}
is_infinity DML_IS_INFINITY_MODE_EITHER '0, 1, 1, 0, 0'
is_infinity DML_IS_INFINITY_MODE_POSITIVE '0, 1, 0, 0, 0'
is_infinity DML_IS_INFINITY_MODE_NEGATIVE '0, 0, 1, 0, 0'

#!/usr/bin/env bash
# Builds Microsoft's DxDispatch for Linux, with as few changes as Debian's packages ask for, and runs its models on our
# libraries.
#
#   check_dxdispatch.sh LIBRARIES [--write]
#
# LIBRARIES is the folder of libdirectml.so; --write puts the table of models into docs/guides/porting.md. The source is
# RESIDUE_DXDISPATCH_SOURCE, or else ../shared/clients/microsoft-directml/DxDispatch; without it the check is skipped. It is
# copied to build/dxdispatch, and only the copy is changed.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

fail() {
  echo "check_dxdispatch.sh: $*" >&2
  exit 1
}

[ $# -ge 1 ] || fail "usage: check_dxdispatch.sh LIBRARIES [--write]"
libraries=$(cd "$1" && pwd)
shift
source=${RESIDUE_DXDISPATCH_SOURCE:-$root/../shared/clients/microsoft-directml/DxDispatch}
if [ ! -f "$source/src/dxdispatch/Device.cpp" ]; then
  echo "skipped: no source of DxDispatch; set RESIDUE_DXDISPATCH_SOURCE"
  exit 0
fi
source=$(cd "$source" && pwd)
[ -f "$source/../Libraries/DirectMLX.h" ] || fail "there is no DirectMLX.h in '$source/../Libraries'"
out=$root/build/dxdispatch
log=$out/build.log

# edit FILE PATTERN EXPRESSION: applies sed's EXPRESSION to the copy, if it has the PATTERN.
edit() {
  grep -qE "$2" "$out/source/$1" || fail "'$1' has no '$2': is this another version of DxDispatch?"
  sed -i -E "$3" "$out/source/$1"
}

build() {
  rm -rf "$out"
  mkdir -p "$out/directml/bin/x64-linux"
  cp -r "$source" "$out/source"
  chmod -R u+w "$out/source"
  # In GSL 4 it is a type; in the version that DxDispatch downloads, a template.
  for file in ModuleInfo.h ModuleInfo.cpp DirectMLHelpers/ApiTraits.h; do
    edit src/dxdispatch/$file 'gsl::czstring<>' 's/gsl::czstring<>/gsl::czstring/'
  done
  # Files made by flatbuffers 23.5.26 insist on it, but compile with Debian's 2.0.8.
  for file in OperatorFieldTypes DmlGraphDesc; do
    edit src/dxdispatch/DirectMLHelpers/${file}_generated.h '^static_assert\(FLATBUFFERS_VERSION_MAJOR' \
      '/^static_assert\(FLATBUFFERS_VERSION_MAJOR/,/;$/d'
  done
  # Linux's functions for images take a path, where their header declares a reference to one.
  edit src/model/ImageReaderWriter.cpp '^    std::filesystem::path (srcPath|dstPath),$' \
    's/^    std::filesystem::path (srcPath|dstPath),$/    const std::filesystem::path\& \1,/'
  # The layout of DirectML's package. DxDispatch copies the library beside its executable, and does not link it.
  ln -s "$root/include" "$out/directml/include"
  touch "$out/directml/bin/x64-linux/libdirectml.so"
  # Clang, because g++ 12 does not compile DirectMLX.h.
  cmake -G Ninja -S "$out/source" -B "$out/build" -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE= -DDXD_TESTS=OFF \
    -DCMAKE_RUNTIME_OUTPUT_DIRECTORY="$out/bin" -DCMAKE_LIBRARY_OUTPUT_DIRECTORY="$out/bin" \
    -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES="$root/tools/clients/dxdispatch/packages.cmake" \
    -DDIRECTML_DIR="$out/directml" -DDIRECTMLX_DIR="$source/../Libraries" -DCOMPAT_DIR="$root/compat" >"$log" 2>&1 &&
    cmake --build "$out/build" >>"$log" 2>&1 || {
    grep -E -m 10 'error|Error' "$log" >&2 || tail -n 5 "$log" >&2
    fail "DxDispatch does not build; all output is in $log"
  }
  rm "$out/bin/libdirectml.so" # the empty one; ours are found by name
}

build
exec python3 tools/clients/dxdispatch/run_models.py "$out/bin/dxdispatch" "$source/models" "$libraries" "$@"

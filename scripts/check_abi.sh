#!/usr/bin/env bash
# usage: check_abi.sh LIBRARY     compares the C interface of a built libresidue with abi/libresidue.abi, by abidiff
#        check_abi.sh --refresh   writes that file anew, after the interface was changed on purpose
# Release builds have no debug information, so abidiff reads a small library made here: include/residue/residue.h with an
# empty body for each function, under the versions of src/c_api/residue.map. It has every type, number and function of the
# header. The built library must export the same symbols under the same name of the library.
set -euo pipefail
case "${1:-}" in
  '' | --help)
    sed -n '2,3s/^# //p' "$0" >&2
    exit 2
    ;;
  --refresh) library= ;;
  *)
    [ -f "$1" ] || { echo "$1 is not there" >&2; exit 2; }
    library=$(realpath "$1")
    ;;
esac
cd "$(dirname "$0")/.."
baseline=abi/libresidue.abi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The name comes from the one place that has it.
version=$(sed -n 's/.*SOVERSION \([0-9]*\)).*/\1/p' src/CMakeLists.txt | head -n 1)
name=libresidue.so.$version

# The compiler lists what the header declares.
gcc -std=c11 -Iinclude -x c -fsyntax-only -aux-info "$folder/declared" include/residue/residue.h
{
  echo '#include <residue/residue.h>'
  sed -n '/residue\.h:/{s@^/\*[^*]*\*/ extern @@;s/;$/ { __builtin_trap(); }/;p}' "$folder/declared"
} >"$folder/interface.c"
gcc -std=c2x -g -fno-eliminate-unused-debug-types -Iinclude -fPIC -shared -nostdlib "-Wl,-soname,$name" \
  -Wl,--version-script=src/c_api/residue.map "$folder/interface.c" -o "$folder/$name"

abidw --load-all-types --headers-dir include/residue --drop-private-types --no-corpus-path --no-show-locs \
  --no-comp-dir-path --no-architecture --no-elf-needed "$folder/$name" | sed "s@path='$folder/@path='@" >"$folder/interface.abi"

if [ -z "$library" ]; then
  mkdir -p "$(dirname "$baseline")"
  cp "$folder/interface.abi" "$baseline"
  echo "wrote $baseline; commit it with the change, and say in CHANGELOG.md what programs have to do"
  exit
fi

# exported LIBRARY: its name, and its symbols with their versions.
exported() {
  readelf --dynamic --wide "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'
  nm --dynamic --defined-only --format=just-symbols --with-symbol-versions "$1" | sort
}
failed=0
if ! diff <(exported "$folder/$name") <(exported "$library"); then
  echo "the header (<) and $library (>) differ in name or symbols; see src/c_api/residue.map"
  failed=1
fi
declared() { sed -n 's/.*\<\(residue_[a-z0-9_]*\) (.*{ .*/\1/p' "$folder/interface.c" | sort; }
if ! diff <(declared) <(exported "$library" | sed -n 's/^\(residue_.*\)@@.*/\1/p'); then
  echo "the header (<) declares other functions than $library (>) exports; see src/c_api/residue.map"
  failed=1
fi
if ! abidiff --non-reachable-types "$baseline" "$folder/interface.abi"; then
  echo "the interface is not that of $baseline. If that is on purpose: scripts/check_abi.sh --refresh."
  echo "A change that is not an addition also needs a new SOVERSION in src/CMakeLists.txt and a new version in residue.map."
  failed=1
fi
[ "$failed" = 0 ] && echo "$(exported "$library" | grep -c '@@') functions, as in $baseline"
exit "$failed"

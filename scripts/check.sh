#!/usr/bin/env bash
# The checks, in three sizes:
#   quick    before a commit: layers, format, release build, all tests at their smallest; under 2 minutes built
#   full     before a merge: the same tests at merge size, Clang, ASan+UBSan, TSan, 64-bit Arm, clang-tidy
#   nightly  the release tests at full length: exhaustive on every target, 1e10 float pairs, 2^32 elements;
#            Clang's exhaustive tests, which add the EMU128 target; Valgrind
# Every step runs even if an earlier one failed. The last line is "N passed, N failed, N skipped"; a script
# step counts as one test. Results are left in build/results.
set -uo pipefail
cd "$(dirname "$0")/.."
tier=${1:-quick}
case "$tier" in quick | full | nightly) ;; *)
  echo "usage: $0 quick|full|nightly" >&2
  exit 2
  ;;
esac
results=$PWD/build/results
rm -rf "$results"
mkdir -p "$results"
jobs=$(nproc)
started=$SECONDS

# step NAME COMMAND...: runs it, shows its output only if it fails, and writes a one-test JUnit file.
step() {
  local name=$1 begin=$SECONDS
  shift
  if "$@" >"$results/$name.log" 2>&1; then
    echo "ok    $name ($((SECONDS - begin)) s)"
    echo "<testsuite><testcase name=\"$name\" status=\"run\"/></testsuite>" >"$results/$name.step.xml"
  else
    echo "FAIL  $name ($((SECONDS - begin)) s); the end of its output:"
    tail -n 60 "$results/$name.log"
    echo "<testsuite><testcase name=\"$name\"><failure/></testcase></testsuite>" >"$results/$name.step.xml"
    return 1
  fi
}

build() { cmake --preset "$1" && cmake --build --preset "$1"; }

# tests PRESET TIER [ctest arguments]: the preset's tests; each counts for itself.
tests() {
  local preset=$1 size=$2 begin=$SECONDS
  shift 2
  if RESIDUE_TIER=$size ctest --preset "$preset" -j "$jobs" --output-junit "$results/$preset.$size.xml" "$@" \
    >"$results/$preset.$size.log" 2>&1; then
    echo "ok    $preset tests, $size ($((SECONDS - begin)) s): $(grep 'tests passed' "$results/$preset.$size.log")"
  else
    echo "FAIL  $preset tests, $size ($((SECONDS - begin)) s); the failures:"
    grep -E "Failed|\*\*\*|Failure|expected=" "$results/$preset.$size.log" | head -n 40
    tail -n 20 "$results/$preset.$size.log"
  fi
}

# checked PRESET TIER [ctest arguments]: build, then test.
checked() {
  step "build.$1" build "$1" && tests "$@"
}

# Valgrind does not know AVX-512, hence the cap. The sweeps are too long for it; layouts and edges are not.
run_valgrind() {
  local binary
  for binary in base plan capi; do
    RESIDUE_MAX_TARGET=AVX2 valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
      "build/release/tests/${binary}_test" --gtest_filter=-'*Arbitrary*:*Random*:*AgainstSets*' || return 1
  done
}

step layering scripts/layering.py
step layering_self_test scripts/layering.py --self-test
step format scripts/format.sh --check
checked release "$tier"
if [ "$tier" = full ]; then
  checked clang quick
  step clang_tidy scripts/tidy.sh build/clang
  checked asan quick
  checked tsan quick -R '^(base|plan|exec|capi)\.'
  checked aarch64 quick
fi
if [ "$tier" = nightly ]; then
  checked clang full -R '^exhaustive\.'
  step valgrind run_valgrind
fi

echo "$tier: $((SECONDS - started)) s"
scripts/count_tests.py "$results"/*.xml

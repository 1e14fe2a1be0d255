#!/usr/bin/env bash
# usage: check.sh quick|full|nightly [PART]...
#        check.sh coverage             only that part of the nightly checks: prints the table, writes build/coverage/html
#   quick    before a commit: layers, format, documents, release build, all tests at their smallest; some 2 minutes built
#   full     before a merge: the same tests at merge size, clang-tidy, fuzzers, sanitizers (by Clang), 64-bit Arm
#   nightly  the release tests at full length: exhaustive on every target, 1e10 float pairs, 2^32 elements; fuzzers, 15
#            minutes each; the stress test, 20 minutes; Valgrind, MemorySanitizer, no SIMD, 32 bits; coverage; mutation; the
#            worked example; the Debian packages in a fresh Debian. Writes what its parts showed into docs/testing.md.
# A tier is made of parts (below), and can be run in several goes: with parts named, only these are run, and the results of
# the others stay. Every step runs even if an earlier one failed. The last line is "N passed, N failed, N skipped"; a script
# step counts as one test. Results are left in build/results, a folder for each part. RESIDUE_RESUME=1: mutation goes on after
# the last verdict.
set -uo pipefail
cd "$(dirname "$0")/.."
tier=${1:-quick}
case "$tier" in
  quick) parts=(basic) ;;
  full) parts=(basic compilers fuzz sanitizers arm) ;;
  nightly) parts=(basic compilers fuzz sanitizers arm platforms coverage mutation packages) ;;
  coverage)
    tier=nightly
    set -- nightly coverage
    ;;
  *)
    echo "usage: $0 quick|full|nightly [PART]... or $0 coverage" >&2
    exit 2
    ;;
esac
all_results=$PWD/build/results
if [ $# -gt 1 ]; then
  for part in "${@:2}"; do
    [[ " ${parts[*]} " == *" $part "* ]] || { echo "$tier has no part $part; it has ${parts[*]}" >&2; exit 2; }
  done
  parts=("${@:2}")
else
  rm -rf "$all_results"
fi
jobs=$(nproc)
started=$SECONDS

# fail NAME: a test of its own in the results, which failed.
fail() { echo "<testsuite><testcase name=\"$1\"><failure/></testcase></testsuite>" >"$results/$1.step.xml"; }

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
    fail "$name"
    return 1
  fi
}

# configure PRESET. Clang's build is the one that clang-tidy reads, so it has the Python module too.
configure() {
  local preset=$1 options=(-DRESIDUE_ORT_RUNTIMES="$onnxruntimes")
  if [ "$preset" = clang ]; then
    options+=(-DRESIDUE_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$(scripts/find_python.sh)")
  fi
  cmake --preset "$preset" "${options[@]}"
}

# build PRESET [TARGET...]: everything, or only these targets.
build() {
  local preset=$1
  shift
  configure "$preset" && cmake --build --preset "$preset" ${1:+--target} "$@"
}

# tests PRESET TIER [ctest arguments]: the preset's tests; each counts for itself. LABEL tells runs apart.
tests() {
  local preset=$1 size=$2 begin=$SECONDS
  local name=$1${LABEL:-}.$2
  shift 2
  if RESIDUE_TIER=$size ctest --preset "$preset" -j "$jobs" --no-tests=error --output-junit "$results/$name.xml" "$@" \
    >"$results/$name.log" 2>&1; then
    echo "ok    tests $name ($((SECONDS - begin)) s): $(grep 'tests passed' "$results/$name.log")"
  else
    fail "$name.ctest" # the results alone would not tell of a run that broke off, or had nothing to run
    echo "FAIL  tests $name ($((SECONDS - begin)) s); the failures:"
    grep -E "Failed|\*\*\*|Failure|expected=" "$results/$name.log" | head -n 40
    tail -n 20 "$results/$name.log"
  fi
}

# checked PRESET TIER [ctest arguments]: build, then test.
checked() {
  step "build.$1" build "$1" && tests "$@"
}

# Valgrind does not know AVX-512, hence the cap. The sweeps are too long for it; layouts and edges are not.
run_valgrind() {
  local binary
  for binary in base plan capi museum; do
    RESIDUE_MAX_TARGET=AVX2 valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
      "build/release/tests/${binary}_test" --gtest_filter=-'*Arbitrary*:*Random*:*AgainstSets*' || return 1
  done
}

# The Python package, as a wheel in a virtual environment of its own; each of its tests counts for itself.
run_python() {
  local size=$1 begin=$SECONDS
  if RESIDUE_TIER=$size RESIDUE_JUNIT=$results/python.$size.xml scripts/check_python.sh >"$results/python.$size.log" 2>&1
  then
    echo "ok    tests python.$size ($((SECONDS - begin)) s): $(tail -n 1 "$results/python.$size.log")"
  else
    echo "FAIL  tests python.$size ($((SECONDS - begin)) s); the end of its output:"
    tail -n 60 "$results/python.$size.log"
    fail "python.$size.run"
  fi
}

# The static library, used by the same foreign project as the shared one in the tests.
run_static_consumer() {
  local folder=$PWD/build/static
  cmake -S . -B "$folder" -G Ninja -DBUILD_SHARED_LIBS=OFF -DRESIDUE_BUILD_TESTS=OFF -DRESIDUE_BUILD_EXAMPLES=OFF \
    -DRESIDUE_BUILD_DIRECTML=OFF &&
    cmake --build "$folder" &&
    cmake -DBUILD="$folder" -DSOURCE="$PWD/tests/consumer" -DSCRATCH="$folder/consumer_scratch" -DLIBDIR=lib \
      -DCXX=c++ -DFLAGS= -P tests/consumer/run.cmake
}

# What is promised to compile where there are no 128-bit integers and no Highway.
run_compile_32_bit() {
  local file
  for file in src/base/*.cc src/plan/*.cc src/kernels/reference.cc; do
    i686-linux-gnu-g++ -std=c++20 -Isrc -Iinclude -Wall -Wextra -Wconversion -Wsign-conversion -Werror -fsyntax-only "$file" ||
      return 1
  done
}

part_basic() {
  step layering scripts/layering.py
  step layering_self_test scripts/layering.py --self-test
  step format scripts/format.sh --check
  step contract_coverage scripts/contract_coverage.py --check
  checked release "$tier"
  step onnxruntime_table build/release/onnxruntime/tests/onnxruntime_table && cat "$results/onnxruntime_table.log"
  run_python "$tier"
  step documents scripts/check_readme.py
  step first_meeting scripts/first_meeting.sh --built build/release
  step site cmake --build --preset release --target docs
}

part_compilers() {
  if [ "$tier" = nightly ]; then # EMU128 is Clang's
    checked clang full -R '^exhaustive\.' && tests clang quick
  fi
  step configure.clang configure clang && step clang_tidy scripts/tidy.sh build/clang
  step static_consumer run_static_consumer
}

part_fuzz() {
  local seconds=30
  [ "$tier" = nightly ] && seconds=900
  step fuzz scripts/fuzz.sh "$seconds" && cat "$results/fuzz.log"
}

part_sanitizers() {
  checked asan quick
  # Only what has threads, or is run by them.
  step build.tsan build tsan base_test plan_test exec_test capi_test contract_test host_d3d12_test faults_test stress_test &&
    tests tsan quick -R '^(base|plan|exec|capi|contract|host_d3d12|faults)\.[A-Z]' &&
    LABEL=.stress tests tsan "$tier" -R '^stress\.'
  if [ "$tier" = nightly ]; then
    step build.msan build msan serial_core && step msan env RESIDUE_TIER=nightly build/msan/tests/serial_core
  fi
}

part_arm() {
  if checked aarch64 quick; then
    # SVE vectors have any length: the shortest, one that is no power of two, and the longest (in bytes).
    for length in 16 48 256; do
      QEMU_CPU=max,sve-default-vector-length=$length LABEL=.sve$length \
        tests aarch64 quick -R '^kernels\.(Placement|Identity)Test'
    done
  fi
}

part_platforms() {
  checked portable quick
  checked hardened quick
  step compile_32_bit run_compile_32_bit
  step build.release build release && step valgrind run_valgrind
}

part_coverage() { step coverage scripts/coverage.py && cat "$results/coverage.log"; }

part_mutation() { step mutation scripts/mutate.py ${RESIDUE_RESUME:+--resume} && tail -n 1 "$results/mutation.log"; }

part_packages() {
  step worked_example scripts/check_worked_example.sh
  step packages scripts/check_packages.sh
}

# begin NAME: the results that follow are its own.
begin() {
  results=$all_results/$1
  rm -rf "$results"
  mkdir -p "$results"
  export RESIDUE_FIGURES=$results/figures.txt
}

begin preparation
step fetch_onnxruntime scripts/fetch_onnxruntime.sh
onnxruntimes=$PWD/build/onnxruntime/node_modules
for part in "${parts[@]}"; do
  begin "$part"
  part_started=$SECONDS
  run="$(date +%F), $(git rev-parse --short HEAD)"
  git diff --quiet HEAD -- . ':!docs/testing.md' || run+=" with changes"
  "part_$part"
  echo "-- $part: $((SECONDS - part_started)) s"
  [ "$tier" = nightly ] && echo "$run" >"$results/night.txt"
done
if [ "$tier" = nightly ]; then
  begin table
  step figures scripts/figures.py --write
fi

echo "$tier: $((SECONDS - started)) s"
scripts/count_tests.py "$all_results"/*/*.xml

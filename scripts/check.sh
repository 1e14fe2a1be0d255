#!/usr/bin/env bash
# The checks, in three sizes:
#   quick    before a commit: layers, format, release build, all tests at their smallest; some 2 minutes built
#   full     before a merge: the same tests at merge size, Clang, ASan+UBSan, TSan, 64-bit Arm, clang-tidy
#   nightly  the release tests at full length: exhaustive on every target, 1e10 float pairs, 2^32 elements;
#            Clang's exhaustive tests, which add the EMU128 target; fuzzers, 15 minutes each; Valgrind; the worked example;
#            the Debian packages in a fresh Debian
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

# build PRESET [TARGET...]: everything, or only these targets. Clang's build is the one that clang-tidy reads, so it has
# the Python module too.
build() {
  local preset=$1 options=(-DRESIDUE_ORT_RUNTIMES="$onnxruntimes")
  shift
  if [ "$preset" = clang ]; then
    options+=(-DRESIDUE_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$(scripts/find_python.sh)")
  fi
  cmake --preset "$preset" "${options[@]}" && cmake --build --preset "$preset" ${1:+--target} "$@"
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
  for binary in base plan capi; do
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
    # Without results there was no run, and that must count.
    [ -s "$results/python.$size.xml" ] ||
      echo '<testsuite><testcase name="python"><failure/></testcase></testsuite>' >"$results/python.$size.xml"
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

step layering scripts/layering.py
step layering_self_test scripts/layering.py --self-test
step format scripts/format.sh --check
step contract_coverage scripts/contract_coverage.py --check
step fetch_onnxruntime scripts/fetch_onnxruntime.sh
onnxruntimes=$PWD/build/onnxruntime/node_modules
checked release "$tier"
step onnxruntime_table build/release/onnxruntime/tests/onnxruntime_table && cat "$results/onnxruntime_table.log"
run_python "$tier"
step documents scripts/check_readme.py
step first_meeting scripts/first_meeting.sh --built build/release
step site cmake --build --preset release --target docs
if [ "$tier" = full ]; then
  checked clang quick
  step clang_tidy scripts/tidy.sh build/clang
  step static_consumer run_static_consumer
  step fuzz scripts/fuzz.sh 30 && cat "$results/fuzz.log"
  checked asan quick
  # Only what has threads, or is run by them.
  step build.tsan build tsan base_test plan_test exec_test capi_test contract_test host_d3d12_test faults_test stress_test &&
    tests tsan quick -R '^(base|plan|exec|capi|contract|host_d3d12|faults)\.[A-Z]' && LABEL=.stress tests tsan full -R '^stress\.'
  if checked aarch64 quick; then
    # SVE vectors have any length: the shortest, one that is no power of two, and the longest (in bytes).
    for length in 16 48 256; do
      QEMU_CPU=max,sve-default-vector-length=$length LABEL=.sve$length \
        tests aarch64 quick -R '^kernels\.(Placement|Identity)Test'
    done
  fi
fi
if [ "$tier" = nightly ]; then
  checked clang full -R '^exhaustive\.'
  step fuzz scripts/fuzz.sh 900 && cat "$results/fuzz.log"
  step valgrind run_valgrind
  step worked_example scripts/check_worked_example.sh
  step packages scripts/check_packages.sh
fi

echo "$tier: $((SECONDS - started)) s"
scripts/count_tests.py "$results"/*.xml

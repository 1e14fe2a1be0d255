#!/usr/bin/env bash
# usage: check.sh quick|full|nightly [PART]...
#        check.sh coverage             only that part of the nightly checks: prints the table, writes build/coverage/html
#   quick    before a commit: layers, format, documents, release build, all tests at their smallest; 3 to 4 minutes built
#   full     before a merge: the same tests at merge size, clang-tidy of what changed, fuzzers, sanitizers (by Clang), 64-bit
#            Arm; its budget is 35 minutes alone on two cores from nothing
#   nightly  the release tests at full length: exhaustive on every target, 1e10 float pairs, 2^32 elements; fuzzers, 1e8
#            executions; the stress test, 20 minutes; clang-tidy of all files; all of the tests on 64-bit Arm; a wheel and a
#            static library from nothing; functions whose rows have changed, on all 2^32 numbers; Valgrind, MemorySanitizer, no SIMD, 32 bits; coverage;
#            mutation; Debian 13 and sid; four more kinds of processors; the worked example; the Debian packages in a fresh Debian. Writes what its parts
#            showed into docs/testing.md.
# A tier is made of parts (below), and can be run in several goes: with parts named, only these are run, and the results of
# the others stay. Every step runs even if an earlier one failed. The last line is "N passed, N failed, N skipped"; a script
# step counts as one test. Results are left in build/results, a folder for each part. RESIDUE_RESUME=1: mutation goes on after
# the last verdict.
set -uo pipefail
cd "$(dirname "$0")/.."
tier=${1:-quick}
case "$tier" in
  quick) parts=(basic) ;;
  full) parts=(basic compilers analysis fuzz sanitizers arm) ;;
  nightly) parts=(basic compilers analysis fuzz sanitizers arm platforms functions clients debians machines coverage mutation packages) ;;
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
budget=2100 # seconds of a full run, alone on two cores; docs/testing.md says why

# Seconds of processor time that all steps so far have taken: what a run costs, whatever else the machine does.
processor_seconds() { awk '{print int(($16 + $17) / 100)}' "/proc/$$/stat"; }

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

# configure PRESET. The wheel is made of the release build. Clang's build is the one that clang-tidy reads, which wants the
# Python module too, and no precompiled headers, as they may not be there.
configure() {
  local preset=$1 options=(-DRESIDUE_ORT_RUNTIMES="$onnxruntimes")
  local python=(-DRESIDUE_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$(scripts/find_python.sh)")
  case "$preset" in
    release) options+=("${python[@]}" -DRESIDUE_PYTHON_BUNDLE=ON) ;;
    clang) options+=("${python[@]}" -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON) ;;
    # Results are the same there. A merge looks at memory alone.
    asan) options+=(-DRESIDUE_BUILD_RESULT_TESTS=$([ "$tier" = nightly ] && echo ON || echo OFF)) ;;
  esac
  # A merge runs two targets under ASan, so it does not compile those below: rows take most of the time. One has to be there
  # for any processor. SCALAR takes the place of Clang's own, EMU128, which sanitizers make the slowest to compile.
  case "$tier.$preset" in
    full.asan) options+=(-DRESIDUE_DISABLED_TARGETS=HWY_SSE4 -DCMAKE_CXX_FLAGS=-DHWY_BROKEN_EMU128=1) ;;
    nightly.asan) options+=(-DRESIDUE_DISABLED_TARGETS=0 -DCMAKE_CXX_FLAGS=) ;;
    nightly.tsan) options+=(-DRESIDUE_DISABLED_TARGETS=0) ;;
  esac
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
  note_targets "$preset"
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

# note_targets PRESET: what its tests run on, for the table in docs/testing.md.
note_targets() {
  local emulator=() program=build/$1/tests/list_targets
  [ "$1" = aarch64 ] && emulator=(qemu-aarch64)
  # A build for coverage would leave its counts where we are.
  [ -x "$program" ] && LLVM_PROFILE_FILE=/dev/null "${emulator[@]}" "$program" >"$results/$1.targets"
}

# checked PRESET TIER [ctest arguments]: build, then test.
checked() {
  step "build.$1" build "$1" && tests "$@"
}

# Valgrind does not know AVX-512, hence the cap. The sweeps are too long for it; layouts and edges are not. A stack of a
# test's own looks to it like a block that somebody writes beyond. Its arithmetic sets no flags of exceptions.
run_valgrind() {
  local binary shard shards=8 # Valgrind uses one core, so the tests of a binary are shared out
  for binary in core layout c_api museum; do
    for ((shard = 0; shard < shards; shard++)); do echo "$shard build/release/tests/${binary}_test"; done
  done | RESIDUE_MAX_TARGET=AVX2 GTEST_TOTAL_SHARDS=$shards xargs -P "$jobs" -L 1 bash -c 'GTEST_SHARD_INDEX=$0 exec valgrind \
    --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
    "$1" --gtest_filter=-*Arbitrary*:*Random*:*AgainstSets*:StackTest.*:GraphTest.AChainHasTheBits*'
}

# run_python SIZE [NUMPY]: the Python package, as a wheel in a virtual environment of its own, with the system's NumPy or
# that one of PyPI; each of its tests counts for itself. The wheel is made of the release build's objects; at night from
# nothing, as users make it.
run_python() {
  local size=$1 begin=$SECONDS built=(--built build/release) name=python${2:+.numpy_$2}.$1
  if [ "$size" = nightly ]; then
    built=()
    rm -rf build/wheel
  fi
  if RESIDUE_TIER=$size RESIDUE_JUNIT=$results/$name.xml scripts/check_python.sh "${built[@]}" ${2:+--numpy "$2"} \
    >"$results/$name.log" 2>&1; then
    echo "ok    tests $name ($((SECONDS - begin)) s): $(tail -n 1 "$results/$name.log")"
  else
    echo "FAIL  tests $name ($((SECONDS - begin)) s); the end of its output:"
    tail -n 60 "$results/$name.log"
    fail "$name.run"
  fi
}

# The static library, used by the same foreign project as the shared one in the tests. Before a merge it is not compiled: the
# release build's objects are those that would come out, as the commands show.
run_static_consumer() {
  local folder=$PWD/build/static options=()
  [ "$tier" = nightly ] || options+=(-DRESIDUE_BUILD_ONNXRUNTIME=OFF)
  cmake -S . -B "$folder" -G Ninja -DBUILD_SHARED_LIBS=OFF -DRESIDUE_BUILD_TESTS=OFF -DRESIDUE_BUILD_EXAMPLES=OFF \
    -DRESIDUE_BUILD_DIRECTML=OFF -DRESIDUE_WARNINGS_AS_ERRORS=ON "${options[@]}" || return 1
  if [ "$tier" = nightly ]; then
    cmake --build "$folder" || return 1
  else
    diff <(grep '"command".*residue_objects.dir' build/release/compile_commands.json) \
      <(grep '"command".*residue_objects.dir' "$folder/compile_commands.json") &&
      cmake --build --preset release --target residue_static &&
      cp build/release/src/libresidue_static.a "$folder/src/libresidue.a" || return 1
  fi
  cmake -DBUILD="$folder" -DSOURCE="$PWD/tests/consumer" -DSCRATCH="$folder/consumer_scratch" -DLIBDIR=lib \
    -DCXX=c++ -DFLAGS= -P tests/consumer/run.cmake
}

# What is promised to compile where there are no 128-bit integers and no Highway.
run_compile_32_bit() {
  local file
  for file in src/core/*.cc src/layout/*.cc src/graph/*.cc src/real/*.cc src/cpu/rows/reference.cc src/cpu/engine/one_thread.cc; do
    i686-linux-gnu-g++ -std=c++20 -Isrc -Iinclude -Wall -Wextra -Wconversion -Wsign-conversion -Werror -msse2 -mfpmath=sse -fsyntax-only "$file" ||
      return 1
  done
}

part_basic() {
  step layering scripts/layering.py
  step layering_self_test scripts/layering.py --self-test
  step format scripts/format.sh --check
  step contract_coverage tools/quality/contract_coverage.py --check
  step mutants tools/quality/mutate.py --chosen --list # that they still fit the sources
  checked release "$tier"
  step abi scripts/check_abi.sh build/release/src/libresidue.so
  [ "$tier" = quick ] || run_python quick 2.4.6 # PyPI's newest for Python 3.11
  run_python "$tier"
  step documents scripts/check_readme.py
  step document_measures tools/quality/documents.py --check
  step packaging scripts/check_packaging.py
  [ "$tier" = quick ] && return # before a commit, the rest is not worth its half minute
  step onnxruntime_table build/release/onnxruntime/tests/onnxruntime_table && cat "$results/onnxruntime_table.log"
  step first_meeting scripts/first_meeting.sh --built build/release
  step site cmake --build --preset release --target docs
}

part_compilers() {
  if [ "$tier" = nightly ]; then # EMU128 is Clang's
    checked clang full -R '^exhaustive\.' && tests clang quick
  fi
  step static_consumer run_static_consumer
}

part_analysis() {
  local changed=(--changed)
  [ "$tier" = nightly ] && changed=()
  step configure.clang configure clang && step clang_tidy scripts/tidy.sh "${changed[@]}" build/clang &&
    tail -n 1 "$results/clang_tidy.log"
}

part_fuzz() {
  local seconds=15
  [ "$tier" = nightly ] && seconds=night
  step configure.asan configure asan && step fuzz scripts/fuzz.sh "$seconds" && cat "$results/fuzz.log"
  [ "$tier" = nightly ] && build asan list_targets >/dev/null 2>&1 && note_targets asan
}

part_sanitizers() {
  # The night runs every target, and what is made for MemorySanitizer too.
  if [ "$tier" = nightly ]; then
    checked asan quick
  else
    # Of ONNX Runtime the newest, no shells, and nothing that compares many results. Casts have the loops of the other rows.
    local compared='^rows\.(EveryInput|Arithmetic|Identity|Reference)Test|^rows\.EveryRowTest.*/cast|^directml\.ElementwiseVectors'
    compared+='|EveryOperatorIsClaimedInEveryOpset|TheSameBitsAsLibresidue|Bfloat16IsExact|^command\.completions'
    RESIDUE_TEST_TARGETS=two checked asan quick -E "^memory\\.|^onnxruntime_oldest|$compared"
  fi
  # Only what has threads, or is run by them; random layouts, refusals and short rows are of one.
  step build.tsan build tsan engine_test c_api_test contract_test d3d12_test faults_test stress_test \
    list_targets &&
    tests tsan quick -R '^(engine|c_api|contract|d3d12|faults)\.[A-Z]' -E '^(engine\..*/LayoutTest|c_api\.RefusalsTest|c_api\.CApiTest\.ShortRows)' &&
    LABEL=.stress tests tsan "$tier" -R '^stress\.'
  if [ "$tier" = nightly ]; then
    step build.msan build msan serial_core list_targets && note_targets msan &&
      step msan env RESIDUE_TIER=nightly build/msan/tests/serial_core
  fi
}

# Before a merge, the tests of what differs by processor, without those that qemu takes long for: large tensors that are shared
# out to many threads, stacks, and the digest of functions; at night, all.
part_arm() {
  local targets=(core_test rows_test layout_test engine_test c_api_test museum_test list_targets)
  local only=(-R '^(core|rows|layout|engine|c_api|museum)\.' -E '\.(OneElementOfALargeTensor|AnyNumberOfThreads|StackTest|DigestTest)')
  # SVE vectors have any length. Besides qemu's own: one that is no power of two; at night the shortest and the longest too (in
  # bytes), and the hashes of results, which qemu takes long for.
  local lengths=(48) tests_of_lengths='^rows\.(Placement|Chain)Test'
  if [ "$tier" = nightly ]; then
    targets=() only=() lengths+=(16 256) tests_of_lengths='^rows\.(Placement|Identity|Chain)Test'
  fi
  if step build.aarch64 build aarch64 "${targets[@]}"; then
    tests aarch64 quick "${only[@]}"
    for length in "${lengths[@]}"; do
      QEMU_CPU=max,sve-default-vector-length=$length LABEL=.sve$length \
        tests aarch64 quick -R "$tests_of_lengths"
    done
  fi
}

part_platforms() {
  checked portable quick
  checked hardened quick
  step compile_32_bit run_compile_32_bit
  step build.release build release && step valgrind run_valgrind
  echo "AVX2 yes" >"$results/valgrind.targets" # the cap
}

# The coefficients of functions are those that Sollya makes.
run_fits() {
  sollya tools/functions/fits.sollya | clang-format --assume-filename=src/cpu/rows/fits.h |
    diff - src/cpu/rows/function_coefficients.h
}

part_functions() {
  step fits run_fits
  step build.release build release residue_tool || return
  step proofs tools/functions/proofs.py && cat "$results/proofs.log"
}

# Microsoft's own programs.
part_clients() {
  step build.release build release directml residue_d3d12 || return
  step dxdispatch scripts/check_dxdispatch.sh build/release/src && grep -E '^skipped| models right in ' "$results/dxdispatch.log"
}

# tests_elsewhere NAME SUITE PRESET [ctest arguments]: the same as `tests`, at their quick size, in another Debian.
tests_elsewhere() {
  local name=$1 suite=$2 preset=$3 begin=$SECONDS
  shift 3
  if scripts/chroot.sh "$suite" env RESIDUE_TIER=quick ctest --preset "$preset" -j "$jobs" --no-tests=error \
    --output-junit /residue/build/tests.xml "$@" >"$results/$name.log" 2>&1; then
    echo "ok    tests $name ($((SECONDS - begin)) s): $(grep 'tests passed' "$results/$name.log")"
  else
    fail "$name.ctest"
    echo "FAIL  tests $name ($((SECONDS - begin)) s); the end of its output:"
    tail -n 40 "$results/$name.log"
  fi
  cp "${RESIDUE_CHROOTS:-build/chroot}/$suite/residue/build/tests.xml" "$results/$name.xml"
}

# In Debians other than this one, with their compilers and libraries: no warning, all tests of C++, and README's digest.
part_debians() {
  local suite digest
  digest=$(sed -n 's/.*`residue verify --digest` prints \([0-9a-f]*\) .*/\1/p' README.md)
  for suite in trixie sid; do
    step "build.$suite" scripts/chroot.sh "$suite" sh -c 'cmake --preset release && cmake --build --preset release' || continue
    step "digest.$suite" sh -c 'scripts/chroot.sh "$0" build/release/bin/residue verify --digest | grep -x "digest *$1"' \
      "$suite" "$digest"
    tests_elsewhere "$suite" "$suite" release
  done
}

# Processors that the machine is not, by sid's cross compilers and its qemu: results, layouts and the C interface. IBM Z reads
# numbers from their other end, 32-bit x86 has no 128-bit integers.
part_machines() {
  local machine without
  step machines.packages scripts/chroot.sh sid scripts/install_dependencies.sh machines || return
  for machine in riscv64 ppc64le s390x i386; do
    step "build.$machine" scripts/chroot.sh sid sh -c 'cmake --preset "$0" && cmake --build --preset "$0" --target \
      core_test layout_test rows_test c_api_test list_targets' "$machine" || continue
    scripts/chroot.sh sid "qemu-$machine" "build/$machine/tests/list_targets" >"$results/$machine.targets"
    # There, the reference gives its results in x87 registers, which make signalling NaNs quiet ones.
    without=StackTest
    [ "$machine" = i386 ] && without+='|(Placement|Chain|RowLength|TileShape)Test/f(32|64)'
    tests_elsewhere "$machine" sid "$machine" -R '^(core|layout|rows|c_api)\.' -E "$without"
  done
}

part_coverage() {
  step coverage tools/quality/coverage.py && note_targets coverage && cat "$results/coverage.log"
}

part_mutation() { step mutation tools/quality/mutate.py ${RESIDUE_RESUME:+--resume} && tail -n 1 "$results/mutation.log"; }

part_packages() {
  step worked_example scripts/check_worked_example.sh
  step packages scripts/check_packages.sh
  step wheel scripts/make_wheels.sh && step wheel_tests scripts/check_wheel.sh && cat "$results/wheel_tests.log"
}

# begin NAME: the results that follow are its own.
begin() {
  results=$all_results/$1
  rm -rf "$results"
  mkdir -p "$results"
  export RESIDUE_FIGURES=$results/figures.txt
}

begin preparation
step fetch_onnxruntime scripts/fetch_onnxruntime.sh $([ "$tier" = nightly ] && echo --all)
onnxruntimes=$PWD/build/onnxruntime/node_modules
times=
for part in "${parts[@]}"; do
  begin "$part"
  part_started=$SECONDS
  part_spent=$(processor_seconds)
  grep -E '^(model name|cpu family|model)\s*:' /proc/cpuinfo | head -n 3 >"$results/processor.txt"
  run="$(date +%F), $(git rev-parse --short HEAD)"
  git diff --quiet HEAD -- . ':!docs/testing.md' || run+=" with changes"
  [ "$tier" = nightly ] && echo "$run" >"$results/night.txt"
  "part_$part"
  echo "-- $part: $((SECONDS - part_started)) s, $(($(processor_seconds) - part_spent)) s of processor time"
  times+=" $part $((SECONDS - part_started)) s,"
  : >"$results/ended.txt"
done
if [ "$tier" = nightly ]; then
  begin table
  step figures tools/quality/figures.py --write
fi

echo "$tier: $((SECONDS - started)) s:${times%,}; $(processor_seconds) s of processor time"
if [ "$tier" = full ] && [ $((SECONDS - started)) -gt $budget ]; then
  echo "this is $((SECONDS - started - budget)) s more than the $budget s that a full run may take alone on two cores"
fi
tools/quality/count_tests.py "$all_results"/*/*.xml

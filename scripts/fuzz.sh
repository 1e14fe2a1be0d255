#!/usr/bin/env bash
# usage: fuzz.sh SECONDS|night [NAME]...
# Builds the fuzzers, replays what broke each of them before and its corpus (tests/fuzz/corpus) with everything found on this
# machine, and looks for SECONDS further, under ASan and UBSan; as many at a time as there are processors. At night it looks
# first with a build that has no sanitizers (preset fuzzers), which is several times as fast, for as long as the list below
# says; all inputs that this build keeps are then replayed under the sanitizers. Prints a line per fuzzer; what breaks is
# left in build/fuzz/broken.NAME.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:?usage: fuzz.sh SECONDS|night [NAME]...}
shift
# Seconds of the fast build, longest first. Each fuzzer has ten minutes or more to walk its own paths; most goes to the
# fastest, which have the most inputs to try.
night=(operator_desc=1800 model_reader=1500 differential=1200 graph=900 api_program=900 c_api=900 onnx_graph=600)
night_sanitized=60 # seconds under the sanitizers after that
names=("$@")
if [ ${#names[@]} = 0 ]; then names=("${night[@]%=*}"); fi
known=$(printf '%s\n' "${night[@]%=*}" | sort | tr '\n' ' ')
if [ "$known" != "$(ls tests/fuzz/corpus | sort | tr '\n' ' ')" ]; then
  echo "the list of fuzzers in $0 is not that of tests/fuzz/corpus" >&2
  exit 1
fi
mkdir -p build/fuzz
presets=(asan)
if [ "$seconds" = night ]; then presets+=(fuzzers); fi
onnxruntimes=$(scripts/fetch_onnxruntime.sh 2>/dev/null)
for preset in "${presets[@]}"; do
  { cmake --preset "$preset" -DRESIDUE_ORT_RUNTIMES="$onnxruntimes" && cmake --build --preset "$preset" --target fuzzers; } >build/fuzz/build.log 2>&1 || {
    tail -n 40 build/fuzz/build.log
    exit 1
  }
done

# look NAME PRESET ARGUMENT: one run of libFuzzer; adds its executions to count.
look() {
  local name=$1 preset=$2 log=build/fuzz/$1.$2.log
  # libFuzzer's weighing of inputs by how rare their features are costs ten times the rest where there are many features.
  # Long stacks of every allocation cost a third; what breaks is run again without this, and then shows them.
  if ! ASAN_OPTIONS=malloc_context_size=2 "build/$preset/tests/fuzz/${name}_fuzz" "$3" -entropic=0 \
    -rss_limit_mb=4096 -timeout=20 -print_final_stats=1 -artifact_prefix="build/fuzz/broken.$name." "build/fuzz/found.$name" \
    "tests/fuzz/corpus/$name" >"$log" 2>&1; then
    grep -E 'does not hold|runtime error|ERROR|SUMMARY|expected=|Test unit written' "$log" | head -n 10
    echo "fuzz $name: broke ($preset); see $log"
    return 1
  fi
  count=$((count + $(awk '/number_of_executed_units/ {print $2}' "$log")))
}

fuzz() {
  local name=$1 count=0 old
  mkdir -p "build/fuzz/found.$name"
  for old in build/fuzz/broken."$name".*; do
    [ -e "$old" ] || continue
    "build/asan/tests/fuzz/${name}_fuzz" "$old" >"build/fuzz/$name.old.log" 2>&1 || {
      echo "fuzz $name: still breaks with $old; see build/fuzz/$name.old.log"
      return 1
    }
    rm "$old"
  done
  if [ "$seconds" = night ]; then
    local share
    share=$(tr ' ' '\n' <<<"$shares" | sed -n "s/^$name=//p")
    look "$name" fuzzers -max_total_time="$share" || return 1
    look "$name" asan -runs=0 || return 1 # every input that was kept, once
    look "$name" asan -max_total_time="$night_sanitized" || return 1
  else
    look "$name" asan -max_total_time="$seconds" || return 1
  fi
  echo "fuzz $name: $count executions"
  [ -z "${RESIDUE_FIGURES:-}" ] || echo "fuzz.$name $count" >>"$RESIDUE_FIGURES"
}
export -f look fuzz
export seconds night_sanitized shares="${night[*]}"
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz {}'

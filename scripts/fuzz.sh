#!/usr/bin/env bash
# usage: fuzz.sh SECONDS [NAME]...
# Builds the fuzzers, replays what broke each of them before and its corpus (tests/fuzz/corpus) with everything found on this
# machine, and looks for SECONDS further; as many at a time as there are processors. Prints a line per fuzzer; what breaks is
# left in build/fuzz/broken.NAME.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:?usage: fuzz.sh SECONDS [NAME]...}
shift
names=("$@")
if [ ${#names[@]} = 0 ]; then
  for corpus in tests/fuzz/corpus/*; do names+=("${corpus##*/}"); done
fi
mkdir -p build/fuzz
{ cmake --preset asan && cmake --build --preset asan --target fuzzers; } >build/fuzz/build.log 2>&1 || {
  tail -n 40 build/fuzz/build.log
  exit 1
}

fuzz() {
  local name=$1 log=build/fuzz/$1.log
  mkdir -p "build/fuzz/found.$name"
  local old
  for old in build/fuzz/broken."$name".*; do
    [ -e "$old" ] || continue
    "build/asan/tests/fuzz/${name}_fuzz" "$old" >"$log" 2>&1 || { echo "fuzz $name: still breaks with $old; see $log"; return 1; }
    rm "$old"
  done
  # libFuzzer's weighing of inputs by how rare their features are costs ten times the rest where there are many features.
  # Long stacks of every allocation cost a third; what breaks is run again without this, and then shows them.
  if ASAN_OPTIONS=malloc_context_size=2 "build/asan/tests/fuzz/${name}_fuzz" -max_total_time="$seconds" -entropic=0 \
    -rss_limit_mb=4096 -timeout=20 -print_final_stats=1 -artifact_prefix="build/fuzz/broken.$name." "build/fuzz/found.$name" \
    "tests/fuzz/corpus/$name" >"$log" 2>&1; then
    local count
    count=$(awk '/number_of_executed_units/ {print $2}' "$log")
    echo "fuzz $name: $count executions"
    [ -z "${RESIDUE_FIGURES:-}" ] || echo "fuzz.$name $count" >>"$RESIDUE_FIGURES"
  else
    grep -E 'does not hold|runtime error|ERROR|SUMMARY|expected=|Test unit written' "$log" | head -n 10
    echo "fuzz $name: broke; see $log"
    return 1
  fi
}
export -f fuzz
export seconds
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz {}'

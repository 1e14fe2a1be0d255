#!/usr/bin/env bash
# All benchmarks, median of five interleaved repetitions each (chains 21); leaves JSON in build/bench for bench/report.py.
# About 20 minutes; use the machine for nothing else meanwhile. BENCH_NODE_MODULES=FOLDER adds ONNX Runtime. The table of
# binades goes into BENCH_PAGE, docs/performance.md unless told.
#   cmake --preset release -DRESIDUE_BUILD_TESTS=OFF && cmake --build --preset release
#   bench/run.sh && bench/report.py build/bench --into docs/performance.md --svg docs/performance
set -euo pipefail
cd "$(dirname "$0")/.."
programs=build/release/bench
results=build/bench
mkdir -p "$results/data"
targets=$(build/release/bin/residue list | sed -n 's/^All of them run on each instruction set here: \(.*\) REFERENCE\.$/\1/p')
[ -n "$targets" ] || { echo "residue list names no instruction sets" >&2; exit 1; }

# measure NAME PROGRAM FILTER [SECONDS [REPETITIONS]]: one process, so that its repetitions take turns.
measure() {
  "$programs/$2" --benchmark_filter="$3" --benchmark_repetitions="${5:-5}" --benchmark_min_time="${4:-0.02}" \
    --benchmark_enable_random_interleaving=true --benchmark_out="$results/$1.json" --benchmark_out_format=json \
    --benchmark_context=targets="${targets// /+}" \
    >/dev/null
  echo "$1"
}

for type in f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64; do
  measure "modulus.$type" bench_modulus "/$type/"
done
case " $targets " in *" AVX3_SPR "*)
  RESIDUE_MAX_TARGET=AVX3 measure avx3 bench_modulus '^(residue|limit).*/vv/typical/268435456/1' ;;
esac
RESIDUE_MAX_TARGET=AVX2 measure avx2 bench_modulus '^(residue|limit).*/vv/typical/268435456/1'
measure layouts bench_layouts .
measure calls bench_calls . 0.05
measure chains bench_chains . 0.02 21 # these are compared with one another
measure pairs bench_pairs . 0.02 21
measure family bench_family .
"$programs/bench_binades" | bench/page.py "${BENCH_PAGE:-docs/performance.md}" binades
"$programs/bench_modulus" --write-data="$results/data"
/usr/bin/python3 bench/peers.py --library build/release/src/libresidue.so --limit "$programs/libbench_limit.so" --data "$results/data" \
  --sizes 16777216 --out "$results/peers.json" ${BENCH_NODE_MODULES:+--onnxruntime "$BENCH_NODE_MODULES"}
/usr/bin/python3 bench/family_peers.py --library build/release/src/libresidue.so --data "$results/data" \
  --out "$results/family_peers.json" ${BENCH_NODE_MODULES:+--onnxruntime "$BENCH_NODE_MODULES"}

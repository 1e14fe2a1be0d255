#!/bin/bash -eu
# Builds every fuzzer of tests/fuzz into $OUT, with its corpus. Runs inside the image of the Dockerfile.
cmake -S . -B build/clusterfuzz -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBUILD_SHARED_LIBS=OFF \
  -DRESIDUE_BUILD_FUZZERS=ON -DRESIDUE_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DRESIDUE_BUILD_TESTS=OFF \
  -DRESIDUE_BUILD_EXAMPLES=OFF -DRESIDUE_BUILD_ONNXRUNTIME=OFF
cmake --build build/clusterfuzz --target fuzzers
for corpus in tests/fuzz/corpus/*; do
  name=$(basename "$corpus")
  cp "build/clusterfuzz/tests/fuzz/${name}_fuzz" "$OUT"
  (cd "$corpus" && zip -q -r "$OUT/${name}_fuzz_seed_corpus.zip" .)
done

#!/bin/bash -eu
# Builds every fuzzer of tests/fuzz into $OUT, with its corpus. Runs inside the image of the Dockerfile.
for dependency in highway tbb fmt; do
  cmake -S "$SRC/$dependency" -B "$WORK/$dependency" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_INSTALL_PREFIX="$WORK/installed" -DBUILD_TESTING=OFF -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF \
    -DHWY_ENABLE_CONTRIB=OFF -DTBB_TEST=OFF -DTBB_STRICT=OFF -DFMT_TEST=OFF
  cmake --build "$WORK/$dependency" --target install
done
cmake -S . -B "$WORK/residue" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBUILD_SHARED_LIBS=OFF \
  -DCMAKE_PREFIX_PATH="$WORK/installed" -DRESIDUE_BUILD_FUZZERS=ON -DRESIDUE_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
  -DRESIDUE_BUILD_TESTS=OFF -DRESIDUE_BUILD_EXAMPLES=OFF -DRESIDUE_BUILD_ONNXRUNTIME=OFF
cmake --build "$WORK/residue" --target fuzzers
for corpus in tests/fuzz/corpus/*; do
  name=$(basename "$corpus")
  cp "$WORK/residue/tests/fuzz/${name}_fuzz" "$OUT"
  (cd "$corpus" && zip -q -r "$OUT/${name}_fuzz_seed_corpus.zip" .)
done

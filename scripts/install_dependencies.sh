#!/usr/bin/env bash
# Installs from Debian 12 what building (first line of packages) and checking need. Run as root.
#   install_dependencies.sh build    enough for the library and its examples
#   install_dependencies.sh bench    the same, and the peers of bench/run.sh but for ONNX Runtime, which is from npm
#   install_dependencies.sh check    everything scripts/check.sh uses, the 64-bit Arm cross build included
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
build=(g++ cmake ninja-build pkg-config libhwy-dev libtbb-dev directx-headers-dev libbenchmark-dev)
check=(git python3 clang clang-format clang-tidy libclang-rt-14-dev libgtest-dev libmpfr-dev
  rapidjson-dev libsleef-dev valgrind g++-aarch64-linux-gnu qemu-user
  libhwy-dev:arm64 libtbb-dev:arm64 libgtest-dev:arm64 libmpfr-dev:arm64)
bench=(python3 libsleef-dev python3-numpy python3-torch)
packages=("${build[@]}")
case "${1:-check}" in
  build) ;;
  bench) packages+=("${bench[@]}") ;;
  check)
    packages+=("${check[@]}")
    dpkg --add-architecture arm64
    ;;
  *)
    echo "usage: $0 build|bench|check" >&2
    exit 2
    ;;
esac
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${packages[@]}"

#!/usr/bin/env bash
# Installs from Debian 12 what building (first line of packages) and checking need. Run as root. Debian 13 and sid have what
# is asked for up to `tests`.
#   install_dependencies.sh build    enough for the libraries, the command and the examples
#   install_dependencies.sh python   the same, and what the Python package needs
#   install_dependencies.sh tests    the same, and what the tests of C++ need
#   install_dependencies.sh bench    the same as python, and the peers of bench/run.sh except ONNX Runtime, which is from npm
#   install_dependencies.sh packages the same as python, and what check_packages.sh, chroot.sh and make_wheels.sh use
#   install_dependencies.sh site     the same as python, and what makes the site and takes screenshots of it
#   install_dependencies.sh check    everything scripts/check.sh quick and full use, the 64-bit Arm cross build included
#   install_dependencies.sh nightly  the same, and what scripts/check.sh nightly uses
#   install_dependencies.sh machines the same as tests, and what builds and runs them for other processors; in sid
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
build=(g++ cmake ninja-build pkg-config libhwy-dev libtbb-dev directx-headers-dev libbenchmark-dev libcli11-dev
  libfmt-dev rapidjson-dev)
tests=(git python3 libgtest-dev libmpfr-dev libsleef-dev zsh)
check=("${tests[@]}" python3-yaml abigail-tools clang clang-format clang-tidy libclang-rt-14-dev valgrind
  g++-aarch64-linux-gnu qemu-user
  libhwy-dev:arm64 libtbb-dev:arm64 libgtest-dev:arm64 libmpfr-dev:arm64 libfmt-dev:arm64)
python=(python3-dev python3-numpy python3-pip python3-venv patchelf)
# What the package's tests and examples meet: the real things.
python_check=(python3-pytest python3-pytest-xdist python3-hypothesis python3-dask python3-distributed python3-xarray python3-pandas
  python3-torch python3-onnx python3-matplotlib mypy)
nightly=(clang-19 llvm-19 libclang-rt-19-dev g++-i686-linux-gnu sollya libmsgsl-dev libcxxopts-dev libflatbuffers-dev)
# The site, and the screenshots of it.
site=(doxygen python3-sphinx furo python3-breathe python3-myst-parser python3-sphinx-copybutton)
screenshots=(chromium chromium-driver python3-selenium)
package_check=(git curl file dpkg-dev debhelper dh-python lintian debootstrap rsync reuse yamllint ruby)
bench=(libsleef-dev python3-numexpr "${python[@]}" "${python_check[@]}")
# Other processors: Debian's name of each and its compiler's.
machines=(riscv64:riscv64 ppc64el:powerpc64le s390x:s390x i386:i686)
machine_libraries=(libhwy-dev libtbb-dev libgtest-dev libmpfr-dev)
packages=("${build[@]}")
case "${1:-check}" in
  build) ;;
  python) packages+=("${python[@]}") ;;
  tests) packages+=("${python[@]}" "${tests[@]}") ;;
  bench) packages+=("${bench[@]}") ;;
  packages) packages+=("${python[@]}" "${package_check[@]}") ;;
  site) packages+=("${python[@]}" "${site[@]}" "${screenshots[@]}") ;;
  check | nightly)
    packages+=("${check[@]}" "${python[@]}" "${python_check[@]}" "${package_check[@]}" "${site[@]}")
    [ "${1:-check}" = nightly ] && packages+=("${nightly[@]}")
    command -v npm >/dev/null || packages+=(npm) # brings the ONNX Runtimes
    dpkg --add-architecture arm64
    ;;
  machines)
    packages+=("${python[@]}" "${tests[@]}" qemu-user)
    for machine in "${machines[@]}"; do
      dpkg --add-architecture "${machine%:*}"
      packages+=("g++-${machine#*:}-linux-gnu" "${machine_libraries[@]/%/:${machine%:*}}")
    done
    ;;
  *)
    echo "usage: $0 build|python|tests|bench|packages|site|check|nightly|machines" >&2
    exit 2
    ;;
esac
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${packages[@]}"

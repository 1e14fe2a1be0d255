#!/usr/bin/env bash
# Makes the Debian packages of this tree in build/packages, and the source tarball.
# Needs what scripts/install_dependencies.sh packages installs.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -n "$(git status --porcelain)" ]; then
  echo "warning: the packages are made of this tree, which has changes; the tarball is made of the last commit" >&2
fi
folder=$PWD/build/packages
rm -f "$folder"/*.deb "$folder"/*.tar.gz
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DRESIDUE_BUILD_PACKAGES=ON \
  -DRESIDUE_BUILD_TESTS=OFF -DRESIDUE_BUILD_EXAMPLES=OFF -DRESIDUE_BUILD_PYTHON=ON \
  -DRESIDUE_PYTHON_DESTINATION=lib/python3/dist-packages "-DPython_EXECUTABLE=$(scripts/find_python.sh)" \
  -DCMAKE_SKIP_INSTALL_RPATH=ON -DRESIDUE_WARNINGS_AS_ERRORS=ON \
  "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-z,now" "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,now" "-DCMAKE_MODULE_LINKER_FLAGS=-Wl,-z,now"
cmake --build "$folder"
(cd "$folder" && cpack -B "$folder")
# The same commit gives the same bytes, on any machine.
version=$(sed -n 's/^project(residue VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
git archive --format=tar --prefix="residue-$version/" HEAD | gzip -9n >"$folder/residue-$version.tar.gz"
ls -l "$folder"/*.deb "$folder"/*.tar.gz

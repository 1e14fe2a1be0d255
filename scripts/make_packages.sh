#!/usr/bin/env bash
# usage: make_packages.sh [source]
# Makes the source tarball of the last commit in build/packages, unpacks it, and makes Debian packages of it by
# dpkg-buildpackage, unless only the source is asked for. Needs what scripts/install_dependencies.sh packages installs.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -n "$(git status --porcelain)" ]; then
  echo "warning: the packages are made of the last commit, without the changes of this tree" >&2
fi
folder=$PWD/build/packages
version=$(sed -n 's/^project(residue VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
if [ "$(dpkg-parsechangelog -S Version | sed 's/-[^-]*$//')" != "$version" ]; then
  echo "debian/changelog has $(dpkg-parsechangelog -S Version), but CMakeLists.txt has $version" >&2
  exit 1
fi
rm -rf "$folder"
mkdir -p "$folder"
# The same commit gives the same bytes, on any machine. What is Debian's alone is no part of the source.
git archive --format=tar --prefix="residue-$version/" HEAD -- . ':(exclude)debian' |
  gzip -9n >"$folder/residue_$version.orig.tar.gz"
tar -C "$folder" -xf "$folder/residue_$version.orig.tar.gz"
git archive --format=tar --prefix="residue-$version/" HEAD debian | tar -C "$folder" -x
[ "${1:-}" = source ] || (cd "$folder/residue-$version" && dpkg-buildpackage -us -uc)
ls -l "$folder"

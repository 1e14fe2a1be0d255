#!/usr/bin/env bash
# usage: chroot.sh SUITE COMMAND...
# Runs the command on this tree in Debian SUITE (bookworm, trixie, sid), which is made the first time and kept after that in
# build/chroot/SUITE, or RESIDUE_CHROOTS/SUITE: about 2 GB. It has what building and the tests of C++ need. The tree is
# copied to its /residue before each command; its build folder stays, so that only what changed is built again:
#   scripts/chroot.sh trixie cmake --preset release
#   scripts/chroot.sh trixie cmake --build --preset release
#   scripts/chroot.sh trixie env RESIDUE_TIER=quick ctest --preset release
# A sid of today: delete the old one. Needs root, and what scripts/install_dependencies.sh packages installs.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/debian_root.sh
[ $# -ge 2 ] || { echo "usage: $0 SUITE COMMAND..." >&2; exit 2; }
suite=$1
shift
check_tools rsync
root=$(realpath -m "${RESIDUE_CHROOTS:-build/chroot}/$suite")

# Made elsewhere first: a folder with the right name is complete.
if [ ! -d "$root" ]; then
  rm -rf "$root.new"
  mkdir -p "$root.new"
  make_root "$suite" "$root.new"
  mv "$root.new" "$root"
fi

# By contents, and without the times of files: what differs gets the time of the copy, so that it is newer than what was
# built of it before, whenever it was edited.
mkdir -p "$root/residue"
rsync -rlp --checksum --delete --exclude=/.git --filter=':- .gitignore' ./ "$root/residue/"

# Once for each list of packages.
list=scripts/install_dependencies.sh
installed=$root/var/lib/residue_dependencies
if ! cmp -s "$list" "$installed"; then
  inside "/residue/$list" tests >"$root.log" 2>&1 ||
    { echo "$0: cannot install what the tests need in $root; $root.log says why" >&2; exit 1; }
  rm "$root.log"
  cp "$list" "$installed"
fi
inside env --chdir=/residue "$@"

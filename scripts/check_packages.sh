#!/usr/bin/env bash
# Builds the packages in a fresh Debian 12 that has what debian/control asks for and nothing else, reads them with lintian,
# and tries them in a second one: installed, used from the command line, C, C++, DirectML code and Python, removed without
# a trace. Needs root, and what scripts/install_dependencies.sh packages installs.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/debian_root.sh
check_tools
packages=$PWD/build/packages
scripts/make_packages.sh source >/dev/null
source=$(basename "$(find "$packages" -maxdepth 1 -type d -name 'residue-*')")
# The same commit gives the same tarball.
before=$(sha256sum <"$packages"/*.orig.tar.gz)
scripts/make_packages.sh source >/dev/null
[ "$before" = "$(sha256sum <"$packages"/*.orig.tar.gz)" ]
echo "the tarball is reproducible"

roots=()
trap 'rm -rf "${roots[@]}"' EXIT

# new_root: a Debian of its own, in $root.
new_root() {
  root=$(mktemp -d)
  roots+=("$root")
  make_root bookworm "$root"
}

new_root
mkdir "$root/build"
cp -r "$packages/." "$root/build"
echo "deb-src $(mirror) bookworm main" >>"$root/etc/apt/sources.list"
inside apt-get update -qq
inside sh -c "cd /build/$source && apt-get build-dep -y -qq ./" >/dev/null
inside sh -c "cd /build/$source && dpkg-buildpackage -us -uc" >"$packages/dpkg-buildpackage.log" 2>&1 || {
  tail -n 40 "$packages/dpkg-buildpackage.log"
  exit 1
}
tail -n 3 "$packages/dpkg-buildpackage.log"
find "$root/build" -maxdepth 1 -type f -exec cp {} "$packages" \;
# Warnings fail too. Debian has no bug that asks for the package yet.
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs --tag-display-limit 0 "$packages"/*.changes
echo "lintian: nothing to say"

new_root
mkdir "$root/packages" "$root/work"
cp "$packages"/*.deb "$root/packages"
cp -r "$packages/$source/." "$root/work"

# What the packages themselves need comes first, so that what is left afterwards is theirs.
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends g++ pkg-config libfmt9 libhwy1 libtbb12 python3 python3-numpy \
  directx-headers-dev >/dev/null
inside sh -c 'find / -xdev -path /proc -prune -o -path /packages -prune -o -path /var -prune -o -print | sort >/before'
inside sh -c 'dpkg -i $(ls /packages/*.deb | grep -v dbgsym)' >/dev/null
# The tests that Debian runs of every package.
for test in command compile python; do
  inside sh -c "cd /work && debian/tests/$test"
done
# A program that was linked before runs without what it was linked with.
inside sh -c 'cd /work && g++ -std=c++17 examples/directml/hello_modulus.cpp $(pkg-config --cflags --libs directml) -o directml'
inside dpkg --remove residue-directml-dev libresidue-dev >/dev/null
inside /work/directml
inside sh -c 'test -s /usr/share/man/man1/residue.1.gz && bash -n /usr/share/bash-completion/completions/residue'
inside sh -c 'python3 -c "import ctypes, glob; ctypes.CDLL(glob.glob(\"/usr/lib/*/residue/libresidue_onnxruntime.so\")[0])"'
inside sh -c "dpkg --purge $(cd "$packages" && for file in $(ls *.deb | grep -v dbgsym); do printf '%s ' "${file%%_*}"; done)" >/dev/null
inside sh -c 'find / -xdev -path /proc -prune -o -path /packages -prune -o -path /var -prune -o -print | sort >/after'
diff <(grep -vE '^/(before|after|work|root|tmp)|__pycache__|ld.so.cache' "$root/before") \
  <(grep -vE '^/(before|after|work|root|tmp)|__pycache__|ld.so.cache' "$root/after")
echo "installed, used and removed without a trace"

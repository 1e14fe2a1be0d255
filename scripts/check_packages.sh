#!/usr/bin/env bash
# Makes the packages, reads them with lintian, and lets them live and die in a fresh Debian 12: installed, used from the command line,
# C, C++, DirectML code and Python, removed without a trace. Needs root, and what scripts/install_dependencies.sh packages installs.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/make_packages.sh
packages=$PWD/build/packages
lintian --fail-on error --tag-display-limit 0 "$packages"/*.deb

# The same commit gives the same tarball.
git archive --format=tar --prefix="$(basename "$packages"/residue-*.tar.gz .tar.gz)/" HEAD | gzip -9n |
  cmp - "$packages"/residue-*.tar.gz
echo "the tarball is reproducible"

root=$(mktemp -d)
mounted=
cleanup() {
  [ -z "$mounted" ] || umount "$root/proc"
  rm -rf "$root"
}
trap cleanup EXIT
debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian >"$packages/debootstrap.log" 2>&1
mount -t proc proc "$root/proc"
mounted=1
mkdir "$root/packages" "$root/work"
cp "$packages"/*.deb "$root/packages"
cp examples/modulus.cpp examples/modulus.c examples/directml/hello_modulus.cpp examples/python/quickstart.py \
  examples/models/*.json "$root/work"
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }

# What the packages themselves need comes first, so that what is left afterwards is theirs.
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends g++ pkg-config libhwy1 libtbb12 python3 python3-numpy \
  directx-headers-dev >/dev/null
inside sh -c 'find / -xdev -path /proc -prune -o -path /packages -prune -o -path /var -prune -o -print | sort >/before'
inside sh -c 'dpkg -i /packages/*.deb' >/dev/null
inside sh -c 'cd /work && residue verify --seconds 2 && residue run modulus_truncate_i64_inplace_broadcast.json'
inside sh -c 'cd /work && g++ -std=c++20 modulus.cpp $(pkg-config --cflags --libs residue) -o cpp && ./cpp'
inside sh -c 'cd /work && gcc modulus.c $(pkg-config --cflags --libs residue) -o c && ./c >/dev/null'
inside sh -c 'cd /work && g++ -std=c++17 hello_modulus.cpp $(pkg-config --cflags --libs directml) -o directml && ./directml'
inside sh -c 'cd /work && python3 quickstart.py'
inside sh -c 'test -s /usr/share/man/man1/residue.1.gz && bash -n /usr/share/bash-completion/completions/residue'
inside sh -c 'python3 -c "import ctypes, glob; ctypes.CDLL(glob.glob(\"/usr/lib/*/residue/libresidue_onnxruntime.so\")[0])"'
inside sh -c "dpkg --purge $(cd "$packages" && for file in *.deb; do printf '%s ' "${file%%_*}"; done)" >/dev/null
inside sh -c 'find / -xdev -path /proc -prune -o -path /packages -prune -o -path /var -prune -o -print | sort >/after'
diff <(grep -vE '^/(before|after|work|root|tmp)|__pycache__|ld.so.cache' "$root/before") \
  <(grep -vE '^/(before|after|work|root|tmp)|__pycache__|ld.so.cache' "$root/after")
echo "installed, used and removed without a trace"

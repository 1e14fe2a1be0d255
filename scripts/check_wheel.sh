#!/usr/bin/env bash
# usage: check_wheel.sh [SUITE]...
# Installs the wheel that scripts/make_wheels.sh made by pip, and nothing else than NumPy and pytest, into Pythons of many
# versions, in bare Debians of several ages (or only in these), and runs those of the package's tests there that depend on
# Python, NumPy and the system. RESIDUE_TIER is as for the other tests. docs/reference/wheel_tests.tsv gets a line for each Python and NumPy: what ran, and the result. The Debians
# are kept in build/chroot, or RESIDUE_CHROOTS. Needs root, what scripts/install_dependencies.sh packages installs, PyPI and
# Maven Central.
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/debian_root.sh
# Debian, Python, its release of org.bytedeco:cpython at Maven Central with the SHA-256, or Debian's own; NumPys.
runs=(
  "bullseye 3.10 3.10.8-1.5.8 2f101b1aa06effdbda3c318c1728b13f22b571707c7b7704abaf5d19a33aa981 1.24.4 2.2.6"
  "bullseye 3.12 3.12.1-1.5.10 a135fcf4dc01adebf7ea439252276fc3196db80f7e0dd3da0b61f1ec489b68bd 1.26.4"
  "bookworm 3.11 debian - 1.24.4 2.4.6"
  "bookworm 3.13 3.13.5-1.5.12 50ad91aa0baa57f0235bb666b87d8bf2a44e215d28c250de1030502906af143b 2.2.6 2.5.5"
  "bookworm 3.14 3.14.3-1.5.13 eb5f1a6fe2dc498ac18927189a37f28a47b0ba06ae6bd85112eff023fe2eb46f 2.5.5"
  "sid 3.15 debian - 2.5.5"
)
tests=(package ufunc fuse promotion threads pickling digest warnings)
check_tools curl rsync || exit 1
wheel=$(ls build/wheels_any/residue-*.whl) || { echo "there is no wheel: scripts/make_wheels.sh" >&2; exit 1; }
results=$PWD/docs/reference/wheel_tests.tsv
new=$PWD/build/results/wheel_tests.tsv
chroots=$(realpath -m "${RESIDUE_CHROOTS:-build/chroot}")

# prepare SUITE: a bare Debian in $root, with this tree, the wheel, and `nm`, which one of the tests calls.
prepare() {
  root=$chroots/wheel_$1
  if [ ! -d "$root" ]; then
    rm -rf "$root.new" && mkdir -p "$root.new" && make_root "$1" "$root.new" && mv "$root.new" "$root" || return 1
  fi
  mkdir -p "$root/residue" "$root/wheel" "$root/opt" && rm -f "$root"/wheel/*
  cp "$wheel" "$root/wheel" && cp /etc/ssl/certs/ca-certificates.crt "$root/opt" &&
    git ls-files -z | rsync -0 --files-from=- --checksum ./ "$root/residue/" &&
    inside sh -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends binutils'
}

# python_of VERSION RELEASE SHA256: brings that Python into $root, and prints its path there.
python_of() {
  local folder=/opt/$2 jar=$root/opt/$2.jar
  if [ "$2" = debian ]; then
    inside apt-get -qq install -y --no-install-recommends "python$1" "python$1-venv" >&2 && echo "/usr/bin/python$1"
    return
  fi
  if [ ! -d "$root$folder" ]; then
    curl -sSf -o "$jar" "https://repo1.maven.org/maven2/org/bytedeco/cpython/$2/cpython-$2-linux-x86_64.jar" &&
      echo "$3  $jar" | sha256sum --check --quiet >&2 && python3 -m zipfile -e "$jar" "$root$folder" &&
      chmod +x "$root$folder"/org/bytedeco/cpython/linux-x86_64/bin/* || return 1
  fi
  echo "$folder/org/bytedeco/cpython/linux-x86_64/bin/python$1"
}

# run_tests PYTHON NUMPY: in an environment of its own.
run_tests() {
  inside env PIP_CERT=/opt/ca-certificates.crt RESIDUE_TIER="${RESIDUE_TIER:-quick}" sh -c '
    rm -rf /opt/venv && "$0" -m venv /opt/venv && cd /residue &&
    /opt/venv/bin/python -m pip install --quiet --only-binary=:all: "numpy==$1" pytest pytest-xdist hypothesis &&
    /opt/venv/bin/python -m pip install --quiet --no-index --find-links /wheel residue &&
    /opt/venv/bin/python -m pytest -n 2 -q $2' "$1" "$2" "$(printf "python/tests/test_%s.py " "${tests[@]}")"
}

failed=0
mkdir -p build/results
{
  echo "# Made by scripts/check_wheel.sh"
  printf '# wheel\tDebian\tglibc\tPython\tNumPy\tresult\n'
} >"$new"
for run in "${runs[@]}"; do
  read -ra words <<<"$run"
  suite=${words[0]}
  log=$PWD/build/results/wheel.$suite.${words[1]}.log
  if [ $# -gt 0 ] && [[ " $* " != *" $suite "* ]]; then
    grep -P "^[^#]*\t$suite\t[^\t]*\t${words[1]}\." "$results" >>"$new"
    continue
  fi
  if ! prepare "$suite" >"$log" 2>&1 || ! python=$(python_of "${words[@]:1:3}" 2>>"$log"); then
    echo "FAIL  no Python ${words[1]} in $suite; $log says why"
    failed=1
    continue
  fi
  for numpy in "${words[@]:4}"; do
    run_tests "$python" "$numpy" >"$log.$numpy" 2>&1 || failed=1
    result=$(tail -n 1 "$log.$numpy" | sed 's/ in [0-9].*//; s/=//g; s/^ *//')
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$(basename "$wheel")" "$suite" "$(inside getconf GNU_LIBC_VERSION | sed 's/.* //')" \
      "$(inside "$python" -c 'import platform; print(platform.python_version())')" "$numpy" "$result" | tee -a "$new"
  done
done
mv "$new" "$results"
exit "$failed"

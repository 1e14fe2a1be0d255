#!/usr/bin/env bash
# A first meeting with Residue, as somebody would have it: clone, build, the README's examples, the command on data, verify,
# bench, a project of one's own, Python. Prints what was typed and what came of it, as docs/first_meeting.md shows it:
#   scripts/first_meeting.sh | bench/page.py docs/first_meeting.md transcript
# With --built BUILD it uses that build, and skips what builds, installs or needs Python: minutes become seconds.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# typed COMMAND...: shows the command, runs it, shows its output.
typed() {
  echo "\$ $*"
  "$@" 2>&1
}

echo '```'
if [ "${1:-}" = --built ]; then
  build=$(cd "$source" && cd "$2" && pwd)
  mkdir -p residue/build
  ln -s "$source/examples" residue/examples
  ln -s "$build" residue/build/user
  cd residue
else
  echo '$ git clone THIS_REPOSITORY residue && cd residue'
  git clone -q "$source" residue
  cd residue
  typed cmake --preset user | sed '2,$d'
  echo '$ cmake --build --preset user'
  cmake --build --preset user >build.log 2>&1 || {
    tail -n 30 build.log
    exit 1
  }
fi
typed build/user/examples/example_modulus_cpp
typed build/user/examples/example_tour_cpp
typed build/user/examples/example_hello_modulus
typed build/user/bin/residue eval --type float32 floor 16777216 1
echo "\$ printf '370\n-10\n725.5\n' | build/user/bin/residue apply floor - 360"
printf '370\n-10\n725.5\n' | build/user/bin/residue apply floor - 360
typed build/user/bin/residue aply floor 370 360 || true
typed build/user/bin/residue run examples/models/modulus_truncate_i64_inplace_broadcast.json
typed build/user/bin/residue verify --seconds 5
typed build/user/bin/residue bench --op floor,truncate,add,sqrt --type float32,int32 --svg speed.svg
typed head -c 37 speed.svg
echo
if [ "${1:-}" != --built ]; then
  echo '$ cmake --install build/user --prefix ../installed'
  cmake --install build/user --prefix ../installed >../install.log
  cp examples/modulus.cpp ..
  cd ..
  cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(mine CXX)
find_package(residue CONFIG REQUIRED)
add_executable(mine modulus.cpp)
target_link_libraries(mine PRIVATE residue::residue)
END
  typed cat CMakeLists.txt
  echo '$ cmake -B mine -DCMAKE_PREFIX_PATH=$PWD/installed && cmake --build mine && mine/mine'
  { cmake -B mine -DCMAKE_PREFIX_PATH="$PWD/installed" && cmake --build mine; } >mine.log 2>&1
  mine/mine
  cd residue
  echo '$ /usr/bin/python3 -m pip wheel --no-deps --no-build-isolation --wheel-dir build/wheels .'
  /usr/bin/python3 -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheels . >wheel.log 2>&1
  echo '$ /usr/bin/python3 -m venv --system-site-packages build/try'
  /usr/bin/python3 -m venv --system-site-packages build/try
  echo '$ build/try/bin/python -m pip install --no-index build/wheels/residue-*.whl'
  build/try/bin/python -m pip install --quiet --no-index build/wheels/residue-*.whl
  typed build/try/bin/python examples/python/quickstart.py
fi
echo '```'

#!/usr/bin/env bash
# A first meeting with Residue, as somebody would have it: clone, build, the README's examples, verify, bench. Prints what was
# typed and what came of it, as docs/first_meeting.md shows it:
#   scripts/first_meeting.sh | bench/page.py docs/first_meeting.md transcript
# With --built BUILD it skips cloning and building and uses that build: minutes become seconds.
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
typed build/user/bin/residue eval --type float32 floor 16777216 1
typed build/user/bin/residue run examples/models/modulus_truncate_i64_inplace_broadcast.json
typed build/user/bin/residue verify --seconds 5
typed build/user/bin/residue bench --type float32,int32 --svg speed.svg
typed head -c 37 speed.svg
echo
echo '```'

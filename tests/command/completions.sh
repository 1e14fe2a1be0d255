#!/usr/bin/env bash
# usage: completions.sh bash|zsh COMMAND
# What a shell offers for words that are not finished. Ends with 77 (skipped) where the shell is missing.
set -euo pipefail
shell=$1 command=$2
command -v "$shell" >/dev/null || {
  echo "there is no $shell here"
  exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir bin
ln -s "$command" bin/residue
PATH=$folder/bin:$PATH
touch angles.npy
failed=0

# offered WORD...: one name per line; the last word is the one that is not finished.
offered_bash() {
  bash --norc -c '
    source <(residue completion bash)
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _residue
    printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

# A real zsh on a pseudo terminal; what its completion would show is told by the function that shows it.
offered_zsh() {
  residue completion zsh >"$folder/_residue"
  cat >"$folder/try.zsh" <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= ; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; cd $1"
zpty -w shell 'compadd() { local -a found; builtin compadd -O found "$@"; [[ -z $found ]] || print -rl -- "offer:"${^found} >>offers; builtin compadd "$@" }'
zpty -w shell 'print ready >>offers'
for i in {1..100}; do [[ -s $1/offers ]] && break; sleep 0.1; done
zpty -w -n shell "${(j: :)@[2,-1]}"$'\t'
zpty -w -n shell $'\C-u'
zpty -w shell 'print done >>offers'
for i in {1..100}; do grep -q done $1/offers && break; sleep 0.1; done
zpty -d shell
END
  rm -f "$folder/offers"
  zsh -f "$folder/try.zsh" "$folder" "$@" >/dev/null
  sed -n 's/^offer://p' "$folder/offers"
}

# expect "WORDS" NAME...: all of them are offered. expect_not: none of them is.
check() {
  local wanted=$1 words found name
  read -ra words <<<"$2"
  case $2 in *' ') words+=('') ;; esac
  found=$("offered_$shell" "${words[@]}")
  shift 2
  for name in "$@"; do
    if grep -qxF -e "$name" <<<"$found"; then is=yes; else is=no; fi
    if [ $is != "$wanted" ]; then
      echo "'${words[*]}': '$name' is offered: $is, wanted: $wanted; offered are:" $found
      failed=1
    fi
  done
}

check yes 'residue ' eval apply run verify bench explain list help version
check yes 'residue ev' eval
check no 'residue ev' apply
check yes 'residue eval ' floor trunc truncate modulus_floor
check yes 'residue eval ' floor identity sqrt
check no 'residue eval ' if cast
check yes 'residue apply ' floor identity scale_bias
check no 'residue apply fl' identity
check yes 'residue apply floor an' angles.npy
check yes 'residue apply --type ' float16 float32 int64
check no 'residue apply --type ' floor angles.npy
check yes 'residue apply --type int32 ' floor
check yes 'residue apply -o an' angles.npy
check no 'residue apply --threads ' floor
check yes 'residue verify --target AVX' AVX2 AVX3
check yes 'residue bench --op ' floor truncate
check yes 'residue eval --' --type --bits --json
check yes 'residue completion ' bash zsh
check yes 'residue help ' eval apply
check yes 'residue run -q ' direct compute
exit $failed

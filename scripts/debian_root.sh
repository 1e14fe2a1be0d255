# For scripts that work in a Debian of their own; they source it. All of it needs root.

# check_tools TOOL...: says what cannot be done here, and that in one line.
check_tools() {
  local tool
  [ "$(id -u)" = 0 ] || { echo "$0 makes a Debian of its own, which only root can" >&2; return 1; }
  for tool in debootstrap unshare "$@"; do
    command -v "$tool" >/dev/null || { echo "$0 needs $tool: scripts/install_dependencies.sh packages" >&2; return 1; }
  done
}

# mirror: where this machine gets its Debian from.
mirror() {
  local address
  address=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' | sed -n 1p)
  echo "${address:-http://deb.debian.org/debian}"
}

# make_root SUITE FOLDER: the smallest Debian of that suite. What it printed is beside it if it fails.
make_root() {
  debootstrap --variant=minbase "$1" "$2" "$(mirror)" >"$2.log" 2>&1 ||
    { echo "$0: debootstrap cannot make a Debian $1; $2.log says why" >&2; return 1; }
  rm "$2.log"
  # debootstrap takes a mirror that has stood still for weeks, so apt must.
  echo 'Acquire::Check-Valid-Until "false";' >"$2/etc/apt/apt.conf.d/old-mirror"
}

# inside COMMAND...: runs it in the Debian in $root, with /proc, terminals and shared memory. They are mounted for this command alone, so nothing
# is left to unmount, however it ends.
inside() {
  unshare --mount sh -c 'mount -t proc proc "$0/proc" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts" &&
    mount -t tmpfs shm "$0/dev/shm" &&
    exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    "$@"' "$root" "$@"
}

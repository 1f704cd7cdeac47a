#!/bin/sh
# Installs those of the named Debian packages that are missing: packages.sh NAME…
# One caller at a time: stages of `make test` run beside each other, and apt does not wait for its own lock.
set -eu
exec 9<"$0"
flock 9
dpkg -s "$@" >/dev/null 2>&1 && exit 0
root=''
[ "$(id -u)" = 0 ] || root=sudo
$root apt-get update
exec $root apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@"

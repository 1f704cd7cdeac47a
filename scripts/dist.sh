#!/usr/bin/env bash
# Makes what is released, in dist/: a wheel, an sdist, a Debian package, a tarball, checksums.
# `dist.sh wheel` makes the wheel alone, in target/wheel.
#
#   DIST_PROFILE   the cargo profile (release)
#   DIST_FEATURES  features of the wheel (gpu); `like-workspace` shares what `cargo test --workspace`
#                  with the same profile has built
#   DIST_GLIBC     the oldest glibc they run with (2.17); `system` links as usual
#
# The command is smaller than the wheel's: it has no kernels for graphics processors, which are 12 MB.
# cargo is asked for the whole workspace when it builds it, so that dependencies have the features
# that they have for tests, and are compiled once. So is the façade: where the wheel has kernels, it has
# them, and the linker leaves them out of the command, which does not call them.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${DIST_PROFILE:-release}
features=${DIST_FEATURES-gpu}
export DIST_GLIBC=${DIST_GLIBC:-2.17}
cargo=${CARGO:-cargo}
out=$PWD/dist
[ "${1-}" = wheel ] && out=$PWD/target/wheel
tools=$PWD/target/dist-tools
stage=$PWD/target/dist-stage
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
machine=$(uname -m)

rm -rf "$out" "$stage"
mkdir -p "$out" "$stage"

if ! cmp -s scripts/dist_requirements.txt "$tools/requirements.txt"; then
  "${PYTHON:-python3}" -m venv --clear "$tools/venv"
  "$tools/venv/bin/pip" install --quiet --requirement scripts/dist_requirements.txt
  cp scripts/dist_requirements.txt "$tools/requirements.txt"
fi

if [ "$DIST_GLIBC" = system ]; then
  compatibility=()
else
  compatibility=(--compatibility "manylinux_${DIST_GLIBC/./_}")
  DIST_CC=$(command -v cc)
  export DIST_CC DIST_PYTHON=$tools/venv/bin/python ZIG_GLOBAL_CACHE_DIR=$tools/zig
  export PATH=$PWD/scripts/old-glibc:$PATH
fi

[ "${1-}" = wheel ] ||
  "$tools/venv/bin/maturin" sdist --out "$out" 2>&1 | grep -v -e 'has no documentation' -e '^From' -e '^  [|=]'

# The licences of all that is linked in go into each of them.
python3 scripts/licences.py --features "$features" > LICENSE-THIRD-PARTY
trap 'rm -f LICENSE-THIRD-PARTY' EXIT

"$tools/venv/bin/maturin" build --locked --profile "$profile" --features "$features" \
  --interpreter "$tools/venv/bin/python" --auditwheel check "${compatibility[@]}" --out "$out"
[ "${1-}" = wheel ] && exit
"$cargo" build --locked --profile "$profile" --workspace --bin palmette ${features:+--features palmette/gpu}
folder=target/${profile/#dev/debug}

# All files have the time of the last commit, so that the same sources give the same archives. Not
# before: what is in C would be compiled again for every commit, and all that links it.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date -r Cargo.lock +%s)
export SOURCE_DATE_EPOCH

# The tarball: unpack it below any prefix.
name=palmette-$version-$machine-linux
root=$stage/$name
install -D -s "$folder/palmette" "$root/bin/palmette"
mkdir -p "$root/share/man"
"$root/bin/palmette" man -o "$root/share/man/man1" --quiet
complete() { mkdir -p "$(dirname "$2")" && "$root/bin/palmette" completions "$1" > "$2"; }
complete bash "$root/share/bash-completion/completions/palmette"
complete zsh "$root/share/zsh/site-functions/_palmette"
complete fish "$root/share/fish/vendor_completions.d/palmette.fish"
install -D -m 644 -t "$root/share/doc/palmette" README.md CHANGELOG.md LICENSE-* docs/*.md
tar --directory "$stage" --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
  --numeric-owner "$name" | gzip -9n > "$out/$name.tar.gz"

# The Debian package: the same files where Debian has them.
deb=$stage/deb
mkdir -p "$deb/DEBIAN" "$deb/usr"
cp -r "$root/bin" "$root/share" "$deb/usr"
mv "$deb/usr/share/zsh/site-functions" "$deb/usr/share/zsh/vendor-completions"
doc=$deb/usr/share/doc/palmette
mv "$doc/CHANGELOG.md" "$doc/changelog"
gzip -9n "$doc/changelog" "$deb"/usr/share/man/man1/*.1
{ cat scripts/debian-copyright && cat LICENSE-MIT && echo && cat LICENSE-THIRD-PARTY; } > "$doc/copyright"
rm "$doc"/LICENSE-*
# What of glibc the binary asks for.
glibc=$(grep -ao 'GLIBC_2\.[0-9.]*' "$root/bin/palmette" | sed 's/GLIBC_//' | sort -Vu | tail -n 1)
sed -e "s/@VERSION@/$version/" -e "s/@GLIBC@/$glibc/" \
  -e "s/@ARCHITECTURE@/$(dpkg --print-architecture)/" \
  -e "s/@SIZE@/$(du -ks "$deb/usr" | cut -f 1)/" scripts/debian-control > "$deb/DEBIAN/control"
(cd "$deb" && find usr -type f | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums)
chmod -R u=rwX,go=rX "$deb"
dpkg-deb --root-owner-group -Zxz -z3 --build "$deb" "$out" > /dev/null

(cd "$out" && sha256sum -- * > "$stage/SHA256SUMS" && mv "$stage/SHA256SUMS" .)
ls -l "$out"

#!/bin/sh
# The crates with changes that are not on the given branch (default: the last commit), as options
# for cargo: `--package NAME …`. A change outside the crates counts for none of them.
set -eu
cd "$(dirname "$0")/.."
base=${1:-HEAD}
{
  git diff --name-only "$base"
  git ls-files --others --exclude-standard
} | sed -n 's,^\(crates/[^/]*\|benches\)/.*,\1,p' | sort -u | while read -r folder; do
  # The wheel is pytest's, and ranks need MPI: `make test` has them.
  case $folder in crates/python | crates/mpi) continue ;; esac
  [ -f "$folder/Cargo.toml" ] || continue
  sed -n 's/^name = "\(.*\)"/--package \1/p' "$folder/Cargo.toml" | head -1
done

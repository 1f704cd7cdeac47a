#!/bin/sh
# Fuzzes one target, from one seed for a bounded number of inputs: run.sh PROGRAM RUNS TARGET
set -eu
program=$1 runs=$2 target=$3
cd "$(dirname "$0")"
mkdir -p "corpus/$target" "artifacts/$target"
said="artifacts/$target/said.txt"
if ! FUZZ_TARGET=$target "$program" "corpus/$target" "seeds/$target" -seed=1 -runs="$runs" \
  -max_len=512 -verbosity=0 -artifact_prefix="artifacts/$target/" >"$said" 2>&1; then
  cat "$said"
  echo "fuzz: $target failed; its input is in fuzz/artifacts/$target" >&2
  exit 255 # ends xargs at once
fi

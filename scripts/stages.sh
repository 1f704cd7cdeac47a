#!/bin/sh
# Runs make targets one after another and prints at the end the seconds of each, by the clock and of
# processors: stages.sh TARGET…
# Targets joined by + run beside each other; what they print follows when they end. Ends with the first
# that fails.
set -u
times=$(mktemp -d)
trap 'rm -rf "$times"' EXIT
begin=$(date +%s)

# One target, in a shell of its own, whose children are those of the target; its seconds and whether
# it failed are left in a file.
stage() (
  from=$(date +%s)
  ${MAKE:-make} --no-print-directory "$1" && state='' || state=' failed'
  times >"$times/$1.times"
  work=$(awk -F '[ms ]+' 'END { printf "%d", 60 * ($1 + $3) + $2 + $4 }' "$times/$1.times")
  printf '%6d s %6d s  %s%s\n' $(($(date +%s) - from)) "$work" "$1" "$state" >>"$times/table"
  [ -z "$state" ]
)

failed=''
for group in "$@"; do
  case $group in
  *+*)
    for name in $(echo "$group" | tr + ' '); do
      stage "$name" >"$times/$name" 2>&1 &
    done
    wait
    for name in $(echo "$group" | tr + ' '); do
      echo "== $name"
      cat "$times/$name"
    done
    ;;
  *)
    echo "== $group"
    stage "$group"
    ;;
  esac
  failed=$(sed -n 's/.* s  \(.*\) failed$/\1/p' "$times/table" | tr '\n' ' ')
  [ -z "$failed" ] || break
done
printf '\n   clock  processors\n'
cat "$times/table"
printf '%6d s           in all\n' $(($(date +%s) - begin))
if [ -n "$failed" ]; then
  echo "failed: $failed" >&2
  exit 1
fi

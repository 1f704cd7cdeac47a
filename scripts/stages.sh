#!/bin/sh
# Runs make targets one after another and prints their seconds at the end: stages.sh TARGET…
# Ends with the first that fails.
set -u
table='' failed=''
begin=$(date +%s)
for stage in "$@"; do
  from=$(date +%s)
  echo "== $stage"
  ${MAKE:-make} --no-print-directory "$stage" || failed=$stage
  table="$table$(printf '%6d s  %s' $(($(date +%s) - from)) "$stage")
"
  [ -z "$failed" ] || break
done
printf '\n%s%6d s  in all\n' "$table" $(($(date +%s) - begin))
if [ -n "$failed" ]; then
  echo "make $failed failed" >&2
  exit 1
fi

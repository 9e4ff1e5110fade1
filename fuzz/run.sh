#!/usr/bin/env bash
# Runs targets, or all of them, for a number of seconds each: fuzz/run.sh SECONDS [TARGET…]
set -euo pipefail
cd "$(dirname "$0")/.."
if ! [[ ${1-} =~ ^[1-9][0-9]*$ ]]; then
  echo "expected the seconds for each target: fuzz/run.sh SECONDS [TARGET...]" >&2
  exit 2
fi
seconds=$1
shift
[ $# -gt 0 ] || set -- $(basename -s .rs fuzz/fuzz_targets/*.rs)
failed=()
for target in "$@"; do
  [ -e "fuzz/fuzz_targets/$target.rs" ] || { echo "expected a target of fuzz/fuzz_targets, found $target" >&2; exit 2; }
  features=othello options=("-max_total_time=$seconds")
  case $target in go_* | usenix_* | sgf_*) features=go ;; esac
  dictionary=fuzz/dictionaries/${target%_*}.dict
  [ ! -e "$dictionary" ] || options+=("-dict=$dictionary")
  mkdir -p "fuzz/corpus/$target"
  cargo fuzz run --sanitizer none --no-default-features --features "$features" "$target" \
    "fuzz/corpus/$target" "fuzz/seeds/$target" -- "${options[@]}" || failed+=("$target")
done
[ ${#failed[@]} = 0 ] || { echo "failed: ${failed[*]} (findings are in fuzz/artifacts)" >&2; exit 1; }

#!/usr/bin/env bash
# Prints the figures of docs/measurements.md that this machine can measure by itself, as rows of its tables. Nothing
# else should run meanwhile: user CPU times grow with the load. RUNS is the number of runs behind a median.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${RUNS:-3}
data=crates/othello-search/tests/data
othello=target/release/othello
TIMEFORMAT=%U

user_time() { # command ...: its user CPU time in seconds
  { time "$@" >/dev/null 2>&1; } 2>&1
}

median_time() { # command ...: the median of the runs
  for _ in $(seq "$runs"); do user_time "$@"; done | sort -n | sed -n "$(((runs + 1) / 2))p"
}

solve_row() { # file and options
  local nodes
  # shellcheck disable=SC2086
  nodes=$($othello solve $data/$1 --hash 48 --threads 1 | tail -n 1 | cut -d ' ' -f 1)
  # shellcheck disable=SC2086
  printf '| `%s` | %s | %s s | %s |\n' "$1" "$nodes" \
    "$(median_time $othello solve $data/$1 --hash 48 --threads 1)" "$runs"
}

perft_row() { # tier depth
  local status=0 leaves
  leaves=$(OTHELLO_TIER=$1 $othello perft "$2" 2>/dev/null) || status=$?
  if [ "$status" = 0 ]; then
    printf '| %s | %s | %s | %s s |\n' "$1" "$2" "${leaves%% *}" \
      "$(OTHELLO_TIER=$1 median_time $othello perft "$2")"
  else
    printf '| %s | %s | – | this CPU does not have it |\n' "$1" "$2"
  fi
}

cargo build -q --release --bin othello
printf 'bench signature: `%s`\n\n' "$($othello bench 2>/dev/null | tail -n 1)"
printf '| FILE and options | nodes | user CPU, median | runs |\n|---|---|---|---|\n'
for problems in 'fforum-1-19.obf' 'fforum-20-39.obf' 'fforum-20-39.obf --wld' 'fforum-40-59.obf --first 10' \
  'fforum-40-59.obf --first 10 --wld'; do
  solve_row "$problems"
done
printf '\n| TIER | DEPTH | leaves | user CPU, median |\n|---|---|---|---|\n'
perft_row portable 11
perft_row avx2 12
perft_row avx512 12

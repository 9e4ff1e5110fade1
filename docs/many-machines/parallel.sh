#!/bin/sh
# Runs all shards of a command with GNU parallel, here or over ssh:
#
#   parallel.sh 7 othello solve suite.obf --parts solved
#   HOSTS=4/one,16/two parallel.sh 40 othello-train generate --depth 6 --games 100000 --parts games
#
# The command gets --shard I/N. HOSTS are computers, each with the number of shards at a time; they need the program at
# the same path, and the folder of the parts on a file system that they share. JOBS is the number at a time here, one a
# core by default.
#
# Watch:  the bar, or: tail -f shards.log
# Resume: run it again. Shards that are complete are done at once, others go on where they were stopped.
# Merge:  othello solve suite.obf --parts solved --merge
set -eu

shards=$1
shift
# Where shards run over ssh, they are begun in this folder.
remote=${HOSTS:+--sshlogin $HOSTS --workdir .}
# shellcheck disable=SC2086 # $remote is several words
seq 0 $((shards - 1)) | parallel -I @SHARD@ --quote --bar --joblog shards.log --retries 3 --jobs "${JOBS:-100%}" $remote \
    "$@" --shard "@SHARD@/$shards"

#!/bin/sh
#SBATCH --job-name=shards
#SBATCH --output=shards-%a.log
#SBATCH --open-mode=append
#SBATCH --cpus-per-task=1
#SBATCH --requeue
# Runs all shards of a command as an array job of Slurm, one core each:
#
#   sbatch --array=0-39 slurm.sh 40 othello-train generate --depth 6 --games 100000 --parts games
#
# The command gets --shard I/40. The folder of the parts is to be on a file system that all nodes share. To run at most
# 10 at a time: --array=0-39%10.
#
# Watch:  squeue --me --array, and the files shards-*.log
# Resume: the same command, or some shards alone with --array=3,17. Shards that are complete are done at once, others
#         go on where they were stopped; those of a node that fails are begun again by Slurm.
# Merge:  othello-train merge merged games
set -eu

shards=$1
shift
exec "$@" --shard "$SLURM_ARRAY_TASK_ID/$shards"

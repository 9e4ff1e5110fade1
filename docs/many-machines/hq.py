#!/usr/bin/env python3
"""Runs all shards of a command with HyperQueue (pip install hyperqueue), one core each:

    hq.py 40 othello-train generate --depth 6 --games 100000 --parts games

The command gets --shard I/40. A server and its workers are to run: `hq server start`, and `hq worker start` on each
computer or `hq alloc add slurm` for those of a cluster. They share the folder of the parts. With LOCAL=8 in the
environment the script starts both itself, with 8 cores of this computer.

Watch:  the bar, or: hq job progress last
Resume: run it again. Shards that are complete are done at once, others go on where they were stopped.
Merge:  othello-train merge merged games
"""
import contextlib, os, sys
from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

shards, command = int(sys.argv[1]), sys.argv[2:]
job = Job(default_workdir=os.getcwd(), max_fails=None, name="shards")
for shard in range(shards):
    job.program([*command, "--shard", f"{shard}/{shards}"], stdout=f"shards-{shard}.out", stderr=f"shards-{shard}.log",
                crash_limit=3, env=dict(os.environ))
with contextlib.ExitStack() as stack:
    client = Client() if "LOCAL" not in os.environ else stack.enter_context(
        LocalCluster(worker_config=WorkerConfig(int(os.environ["LOCAL"])))).client()
    complete = client.wait_for_jobs([client.submit(job)], raise_on_error=False)
sys.exit(0 if complete else "some shards failed: see shards-*.log")

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How long it takes to remove every head of a BERT-base in turn, and to measure importance.

  tests/bench/heads.py CLI [TOKENS] [RUNS] [THREADS]

TOKENS are 32, RUNS 5, THREADS 2. The model has random weights and is made in a temporary folder. `predict` loads it and
runs it once, so what the others take besides is theirs, less one forward pass, which is timed by `bench` and added.
Medians of all runs, beside what is aimed at: 3 s for all heads, 4 forward passes for the importance from one draw of
masks."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import random_model  # noqa: E402

AIM_EACH_S = 3
AIM_PASSES = 4
ROW = '| %-16s | %9s | %-24s |'


def make_text(n_tokens):
    """A word is a token; two more are the model's own."""
    return ' '.join(['the', 'cat', 'sat', 'on', 'a', 'table', 'and', 'saw'][i % 8] for i in range(n_tokens - 2))


def time_once(command):
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return time.monotonic() - begun, done.stdout


def time_commands(cli, folder, text, threads, runs):
    """Medians in seconds of each command, run in turns."""
    shared = ['--model', folder, '--text', text, '--threads', str(threads)]
    commands = {'predict': ['predict'], 'each': ['ablate', '--each'], 'importance': ['importance', '--masks', '1']}
    times = {name: [] for name in commands}
    for _ in range(runs):
        for name, words in commands.items():
            times[name].append(time_once([cli] + words + shared)[0])
    return {name: statistics.median(values) for name, values in times.items()}


def time_forward(cli, n_tokens, threads):
    answer = json.loads(time_once([cli, 'bench', '--tokens', str(n_tokens), '--threads', str(threads)])[1])
    return answer['runs'][0]['median_ms'] / 1000


def main():
    cli = sys.argv[1]
    n_tokens, runs, threads = (int(sys.argv[i]) if len(sys.argv) > i else usual for i, usual in ((2, 32), (3, 5), (4, 2)))
    with tempfile.TemporaryDirectory() as folder:
        random_model.make(folder, random_model.SHAPES['bert-base'])
        times = time_commands(cli, folder, make_text(n_tokens), threads, runs)
    forward = time_forward(cli, n_tokens, threads)
    each, importance = (times[name] - times['predict'] + forward for name in ('each', 'importance'))
    print('BERT-base, %d tokens, %d threads, medians of %d runs' % (n_tokens, threads, runs))
    print(ROW % ('', 'seconds', ''))
    print(ROW % (('---',) * 3))
    print(ROW % ('forward', '%.3f' % forward, ''))
    print(ROW % ('remove each', '%.2f' % each, 'aimed at %d s: %s' % (AIM_EACH_S, 'met' if each <= AIM_EACH_S else 'MISSED')))
    print(ROW % ('importance', '%.3f' % importance, '%.1f passes of %d: %s' % (
        importance / forward, AIM_PASSES, 'met' if importance <= AIM_PASSES * forward else 'MISSED')))


if __name__ == '__main__':
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Our forward pass and another program's, in turns, with the median of the ratios for each length.

Usage: against.py CLI PEERS [--engine ort] [--tokens 16,32,64,128,256,512] [--threads 2] [--rounds 5]
The README beside this file says what PEERS must print."""
import argparse
import json
import os
import statistics
import subprocess


def run(command):
    # what tunes OpenBLAS for one experiment must not leak into a comparison
    env = {k: v for k, v in os.environ.items() if not k.startswith('OPENBLAS_')}
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=env).stdout


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('cli')
    parser.add_argument('peers')
    parser.add_argument('--engine', default='ort')
    parser.add_argument('--tokens', default='16,32,64,128,256,512')
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--rounds', type=int, default=5)
    return parser.parse_args()


def main():
    options = read_arguments()
    common = ['--tokens', options.tokens, '--threads', str(options.threads)]
    ratios, ours, theirs = {}, {}, {}
    for number in range(options.rounds):
        answer = json.loads(run([options.cli, 'bench', '--shape', 'bert-base'] + common))
        lines = run([options.peers, '--engine', options.engine] + common).splitlines()
        peer = {line['tokens']: line for line in map(json.loads, lines)}
        for row in answer['runs']:
            n = row['tokens']
            ours[n], theirs[n] = row['min_ms'], peer[n]['min_ms']
            ratios.setdefault(n, []).append(ours[n] / theirs[n])
        print('round %d of %d' % (number + 1, options.rounds), flush=True)
    print('\nkernel %s, %d threads, peak memory %s MB against %s MB' % (
        answer['kernel'], answer['threads'], answer['peak_rss_mb'],
        max(line['peak_rss_mb'] for line in peer.values())))
    print('tokens   ours ms  theirs ms  ratio (median of %d)' % options.rounds)
    for n, values in ratios.items():
        print('%6d %9.1f %10.1f  %.2f' % (n, ours[n], theirs[n], statistics.median(values)))


main()

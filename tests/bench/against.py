#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Our forward pass and another program's, in turns, with the median of the ratios for each length;
for both shapes and both numbers of threads, or the ones chosen. With --beside the other is our own
program with other kernels.

The README beside this file says what PEERS must print."""
import argparse
import json
import os
import statistics
import subprocess
import sys

SHAPES = {'bert-base': '12x768x12x3072', 'minilm': '6x384x12x1536'}
PEER_OPTIONS = ('--layers', '--width', '--heads', '--ffn')


def run(command, core=None):
    # what tunes OpenBLAS for one experiment must not leak into a comparison
    env = {k: v for k, v in os.environ.items() if not k.startswith('OPENBLAS_')}
    if core:
        env['OPENBLAS_CORETYPE'] = core
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=env).stdout


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('cli', metavar='CLI', help='our headscope-cli')
    parser.add_argument('peers', metavar='PEERS', nargs='?', help='the other program')
    parser.add_argument('--beside', metavar='KERNEL', help='in place of PEERS: our program with these kernels')
    parser.add_argument('--engine', default='ort', help="PEERS's --engine (default ort)")
    parser.add_argument('--shapes', default='bert-base,minilm')
    parser.add_argument('--threads', default='2,1')
    parser.add_argument('--tokens', default='16,32,64,128,256,512')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--kernel', help='our kernels: avx512, avx2 or openblas (default: the best)')
    parser.add_argument('--core', help="OpenBLAS's core, as OPENBLAS_CORETYPE names them (default: its choice)")
    options = parser.parse_args()
    if not options.peers and not options.beside:
        parser.error('PEERS or --beside is wanted')
    return options


def run_ours(options, shape, threads, kernel):
    command = [options.cli, 'bench', '--shape', shape, '--tokens', options.tokens, '--threads', threads]
    return json.loads(run(command + (['--kernel', kernel] if kernel else []), options.core))


def run_theirs(options, shape, threads):
    """Returns: by number of tokens, what PEERS prints for it."""
    if options.beside:
        answer = run_ours(options, shape, threads, options.beside)
        return {row['tokens']: dict(row, peak_rss_mb=answer['peak_rss_mb']) for row in answer['runs']}
    command = [options.peers, '--engine', options.engine, '--tokens', options.tokens, '--threads', threads]
    for name, size in zip(PEER_OPTIONS, SHAPES[shape].split('x')):
        command += [name, size]
    return {row['tokens']: row for row in map(json.loads, run(command).splitlines())}


def compare(options, shape, threads):
    ratios, ours, theirs = {}, {}, {}
    for number in range(options.rounds):
        answer = run_ours(options, shape, threads, options.kernel)
        peer = run_theirs(options, shape, threads)
        for row in answer['runs']:
            n = row['tokens']
            ours.setdefault(n, []).append(row['min_ms'])
            theirs.setdefault(n, []).append(peer[n]['min_ms'])
            ratios.setdefault(n, []).append(row['min_ms'] / peer[n]['min_ms'])
        print('round %d of %d' % (number + 1, options.rounds), file=sys.stderr, flush=True)
    print('\n%s, threads: %s; kernel %s; peak memory %s MB, theirs %s MB' % (
        shape, threads, answer['kernel'], answer['peak_rss_mb'],
        max(row['peak_rss_mb'] for row in peer.values())))

    def row(name, numbers):
        print('| %-9s | %s |' % (name, ' | '.join('%7s' % number for number in numbers)))

    row('tokens', ratios)
    row('---', ['---'] * len(ratios))
    for name, times in (('ours, ms', ours), ('theirs', theirs)):
        row(name, ['%.1f' % statistics.median(values) for values in times.values()])
    row('ratio', ['%.2f' % statistics.median(values) for values in ratios.values()])
    sys.stdout.flush()


def main():
    options = read_arguments()
    for shape in options.shapes.split(','):
        for threads in options.threads.split(','):
            compare(options, shape, threads)


main()

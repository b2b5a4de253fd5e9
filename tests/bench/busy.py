#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Two threads beside one while another process keeps one core busy: times in turns, and the median
of the ratios for each length. Threads that wait for each other would lose whole time slices."""
import argparse
import json
import os
import statistics
import subprocess
import sys


def burn(core):
    """Returns: a process that does nothing but keep @core busy."""
    child = subprocess.Popen([sys.executable, '-c', 'while True: pass'])
    os.sched_setaffinity(child.pid, {core})
    return child


def time_runs(options, threads):
    command = [options.cli, 'bench', '--tokens', options.tokens, '--threads', str(threads)]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {row['tokens']: row['median_ms'] for row in json.loads(answer)['runs']}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('cli', metavar='CLI', help='our headscope-cli')
    parser.add_argument('--tokens', default='16,32,64,128,256,512')
    parser.add_argument('--rounds', type=int, default=5)
    options = parser.parse_args()
    ratios = {}
    child = burn(max(os.sched_getaffinity(0)))
    try:
        for _ in range(options.rounds):
            one, two = time_runs(options, 1), time_runs(options, 2)
            for n in one:
                ratios.setdefault(n, []).append(two[n] / one[n])
    finally:
        child.kill()
        child.wait()
    print('tokens  two threads / one thread, one core busy (median of %d, largest)' % options.rounds)
    for n, values in ratios.items():
        print('%6d  %.2f %.2f' % (n, statistics.median(values), max(values)))


main()

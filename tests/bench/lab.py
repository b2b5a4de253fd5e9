#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How long the lab's first page takes.

  tests/gui-env.sh /usr/bin/python3 tests/bench/lab.py [BUILD] [TOKENS] [RUNS]

BUILD is build, TOKENS are 128, RUNS 5: the program opens its lab once in each. The built-in model, and a BERT-base with
random weights that is made in a temporary folder. Prints the medians of all runs beside what is aimed at: CPU time of
the main thread from the key to the end of the frame that shows the page, and the wall time, which has the numbers'
thread in it, too."""
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import random_model  # noqa: E402

AIM_MS = 50
ROW = '| %-8s | %8s | %8s | %8s | %8s | %-6s |'


def make_text(n_tokens):
    """A word is a token; two more are the model's own."""
    return ' '.join(['the', 'cat', 'sat', 'on', 'a', 'table', 'and', 'saw'][i % 8] for i in range(n_tokens - 2))


def run(build, text, more):
    done = subprocess.run([os.path.join(build, 'ui', 'headscope'), '--benchmark-lab', '--text', text] + more,
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def show(name, build, text, runs, more):
    answers = [run(build, text, more) for _ in range(runs)]
    print('\n%s: %d tokens, renderer %s, medians of %d runs' % (name, answers[0]['tokens'], answers[0]['renderer'], runs))
    print(ROW % ('ms', 'CPU', 'CPU p95', 'wall', 'wall p95', ''))
    print(ROW % (('---',) * 6))
    for phase in ('open', 'step', 'head', 'reopen'):
        def median(kind, part):
            return statistics.median(answer[phase][kind][part] for answer in answers)
        cpu = median('cpu_ms', 'p50')
        print(ROW % (phase, '%.1f' % cpu, '%.1f' % median('cpu_ms', 'p95'), '%.1f' % median('wall_ms', 'p50'),
                     '%.1f' % median('wall_ms', 'p95'), 'met' if cpu <= AIM_MS else 'MISSED'))


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else 'build'
    text = make_text(int(sys.argv[2]) if len(sys.argv) > 2 else 128)
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    print('aimed at: %d ms of CPU on the main thread' % AIM_MS)
    show('built-in model', build, text, runs, [])
    with tempfile.TemporaryDirectory() as folder:
        random_model.make(folder, random_model.SHAPES['bert-base'])
        show('BERT-base', build, text, runs, ['--model', folder])


main()

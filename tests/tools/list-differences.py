#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Prints README's table: family, and the largest differences from the reference seen in the tests.

  list-differences.py [BUILD]     runs BUILD/tests/core/test-families (default: build)"""
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
LINE = re.compile(r'# differences of (\S+) \S+: attention (\S+), hidden states (\S+), logits (\S+)')


def run_tests(build):
    env = dict(os.environ, HEADSCOPE_TEST_DATA=os.path.join(ROOT, 'tests', 'data'),
               HEADSCOPE_DATA_DIR=os.path.join(ROOT, 'resources'))
    program = os.path.join(build, 'tests', 'core', 'test-families')
    return subprocess.run([program], env=env, check=True, text=True, stdout=subprocess.PIPE).stdout


def collect(output):
    """The largest of each kind, and the number of models, by family."""
    families = {}
    for family, *numbers in LINE.findall(output):
        n, largest = families.get(family, (0, [0.0] * 3))
        families[family] = n + 1, [max(a, float(b)) for a, b in zip(largest, numbers)]
    return families


def main():
    families = collect(run_tests(sys.argv[1] if len(sys.argv) > 1 else 'build'))
    print('| family | models | attention | hidden states | logits |\n| --- | --- | --- | --- | --- |')
    for family, (n, largest) in sorted(families.items()):
        cells = ['%.1e' % value if value else '–' for value in largest]
        print('| `%s` | %d | %s |' % (family, n, ' | '.join(cells)))


main()

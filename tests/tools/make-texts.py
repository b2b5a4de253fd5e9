#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Print short English sentences, one a line, always the same ones for the same numbers.

  make-texts.py N [SEED] > texts.txt"""
import random
import sys

WHO = ['the old cat', 'a young painter', 'the river', 'my neighbour', 'the committee', 'every student',
       'this machine', 'a small dog', 'the captain', 'nobody']
DID = ['watched', 'crossed', 'painted', 'forgot', 'measured', 'explained', 'sold', 'found', 'repaired',
       'followed']
WHAT = ['the bridge', 'a letter', 'the red door', 'an idea', 'the last train', 'seven apples', 'the map',
        'a song', 'the engine', 'the question']
WHEN = ['yesterday', 'before dinner', 'in the rain', 'without a word', 'for the first time',
        'near the harbour', 'again', 'after the long winter', 'on Monday', 'quietly']


def sentences(n, seed=7):
    """@n sentences of 5 to 20 words."""
    chance = random.Random(seed)

    def clause():
        return ' '.join(chance.choice(words) for words in (WHO, DID, WHAT))

    for _ in range(n):
        text = clause() + ' ' + chance.choice(WHEN)
        if chance.random() < 0.4:
            text += ', and ' + clause()
        yield text[0].upper() + text[1:] + '.'


if __name__ == '__main__':
    for line in sentences(*map(int, sys.argv[1:])):
        print(line)

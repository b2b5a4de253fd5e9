# SPDX-License-Identifier: MIT
"""Memory stays where it was after 1,000 changes of the head and 200 of the text."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

WORDS = 'the old man saw a boy and the boy saw the old man while it was raining in the town'.split()
N_HEADS = 8
# Heap that the allocator does not give back wavers by about this much from round to round.
ALLOWED_KB = 3 * 1024
program = None


def change_heads(count):
    value = program.find('spin button', 'Head').queryValue()
    picture = program.picture()
    for number in range(count):
        head = number % N_HEADS + 1
        value.currentValue = head
        driver.until('head %d' % head, lambda: value.currentValue == head)
        if number % 10 == 9:
            driver.until('head %d' % head, lambda: 'head %d ' % head in picture.name)


def change_texts(first, count):
    text_view, picture = program.find('text', 'Text'), program.picture()
    for number in range(first, first + count):
        text = '%d %s' % (number, ' '.join(WORDS[:3 + number % len(WORDS)]))
        text_view.queryEditableText().setTextContents(text)
        driver.until('picture of text %d' % number, lambda: '%d the' % number in
                     picture.get_description())


def grown(warm_up, change):
    warm_up()
    before = program.memory_kb()
    change()
    after = program.memory_kb()
    print('# %d kB before, %d kB after' % (before, after))
    assert after - before < ALLOWED_KB, 'memory grew from %d to %d kB' % (before, after)


def heads():
    grown(lambda: change_heads(200), lambda: change_heads(1000))


def texts():
    grown(lambda: change_texts(1000, 100), lambda: change_texts(2000, 200))


with driver.Program('--text', 'A cat.') as program:
    sys.exit(tap.run([
        ('1,000 changes of the head', heads),
        ('200 changes of the text', texts),
    ]))

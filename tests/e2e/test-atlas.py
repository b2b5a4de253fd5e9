# SPDX-License-Identifier: MIT
"""A person looks at all heads: by keys and lists, the numbers are the command line's, and what is
copied as a command makes the figure."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TEXT = 'The cat sat on the mat because it was tired.'
program = None


def said():
    return [part for each in driver.walk(program.frame) for part in (each.name, each.description)
            if part]


def wait_said(part, limit=30.0):
    try:
        driver.until('"%s" on the page' % part, lambda: any(part in text for text in said()), limit)
    except driver.Missed as missed:
        raise driver.Missed('%s; there is: %s' % (missed, ' | '.join(said())))


def ask():
    return json.loads(driver.cli('atlas', '--text', TEXT))['heads']


def told_of(layer, head):
    """What the page says of a head, by the command line's numbers."""
    own = next(one for one in ask() if (one['layer'], one['head']) == (layer, head))
    return 'layer %d, head %d: %s' % (layer, head, own['class'].replace('-d', ' and d')), \
        'entropy %.3f nats' % own['entropy']


def by_keys():
    """The figure has the keys; the head that is chosen is told with its numbers."""
    program.keys('ctrl+9')
    for part in told_of(1, 1):
        wait_said(part)
    program.keys('Down')
    program.keys('Right')
    program.keys('Right')
    for part in told_of(2, 3):
        wait_said(part)


def other_views():
    """The head that is chosen here is chosen everywhere."""
    program.keys('ctrl+1')
    program.wait_title('Layer 2, head 3 ')
    program.keys('ctrl+9')
    wait_said(told_of(2, 3)[0])


def table():
    """All heads have a row, whose cells are the command line's numbers."""
    own = next(one for one in ask() if (one['layer'], one['head']) == (1, 1))
    wait_said('Confidence')
    wait_said('%.3f' % own['confidence'])
    wait_said('1-1')


with driver.Program('--text', TEXT) as program:
    sys.exit(tap.run([
        ('a head is chosen by keys', by_keys),
        ('it is chosen in all views', other_views),
        ('the table of all heads', table),
    ]))

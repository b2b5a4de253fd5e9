# SPDX-License-Identifier: MIT
"""A person switches heads off: by keys and buttons, all in turn; losses are the command line's."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TEXT = 'Beijing is the [MASK] of China.'
program = None


def said():
    return [part for each in driver.walk(program.frame) for part in (each.name, each.description)
            if part]


def wait_said(part, limit=30.0):
    try:
        driver.until('"%s" on the page' % part, lambda: any(part in text for text in said()), limit)
    except driver.Missed as missed:
        raise driver.Missed('%s; there is: %s' % (missed, ' | '.join(said())))


def button(name):
    return driver.until('button %s' % name, lambda: next(
        (each for role in ('push button', 'toggle button') for each in program.all(role)
         if each.name.replace('_', '') == name), None))


def ask(*options):
    return json.loads(driver.cli('ablate', '--text', TEXT, *options))


def by_keys():
    """The page's figure has the keys: two steps and Space switch a head off."""
    program.keys('ctrl+8')
    wait_said('All heads on: loss %.4f' % ask('--off', '2-2')['loss'])
    program.keys('Down')
    program.keys('Right')
    wait_said('layer 2, head 2: on')
    program.keys('space')
    wait_said('layer 2, head 2: off')
    wait_said('Heads off: 1, loss %.4f' % ask('--off', '2-2')['loss_off'])


def kinds():
    program.press(button('Mean'))
    wait_said('Heads off: 1, loss %.4f' % ask('--off', '2-2', '--kind', 'mean')['loss_off'])
    program.press(button('Zero'))
    wait_said('Heads off: 1, loss %.4f' % ask('--off', '2-2')['loss_off'])


def each():
    program.press(button('Remove each in turn'))
    entry = next(one for one in ask('--each')['each'] if (one['layer'], one['head']) == (2, 2))
    effect = entry['loss'] - ask('--each')['loss']
    wait_said('removed alone, the loss changes by %s' % ('%+.4f' % effect).replace('-', '−'))


def importance():
    program.press(button('Importance'))
    entry = next(one for one in ask('--importance')['importance']
                 if (one['layer'], one['head']) == (2, 2))
    wait_said('importance %.4f' % entry['importance'])


def all_on():
    program.press(button('All on'))
    wait_said('All heads on: loss')
    wait_said('layer 2, head 2: on')


with driver.Program('--text', TEXT) as program:
    sys.exit(tap.run([
        ('a head is switched off by keys', by_keys),
        ('other kinds', kinds),
        ('every head in turn', each),
        ('importance beside it', importance),
        ('all heads on again', all_on),
    ]))

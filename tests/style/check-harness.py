# SPDX-License-Identifier: MIT
"""The counting of tests/run: every way in which a test program can go wrong counts as a failure."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import tap  # noqa: E402


def counts(text, succeeded=True):
    outcome = tap.read('program', text, succeeded)
    return len(outcome.passed), len(outcome.failed), len(outcome.skipped)


def same(text, expected, succeeded=True):
    found = counts(text, succeeded)
    assert found == expected, '%r: counted %s, not %s' % (text, found, expected)


def plain():
    same('1..2\nok 1 /a\nok 2 /b\n', (2, 0, 0))
    same('# a remark\nok 1 - /a\n1..1\n', (1, 0, 0))
    same('1..1\nsomething else\nok 1\n', (1, 0, 0))


def failures():
    same('1..2\nnot ok 1 /a\nok 2 /b\n', (1, 1, 0), False)
    same('1..2\nnot ok /a - ERROR:x.c:3\nBail out!\n', (0, 1, 0), False)
    same('1..3\nok 1 /a\nBail out! ERROR:x.c:3: wrong\n', (1, 1, 0), False)
    same('1..1\nok 1 /a # ' + 'TO' + 'DO later\n', (0, 1, 0))


def bad_ends():
    same('1..1\nok 1 /a\n', (1, 1, 0), False)
    same('1..3\nok 1 /a\n', (1, 1, 0))
    same('ok 1 /a\n', (1, 1, 0))
    same('', (0, 1, 0))


def skips():
    outcome = tap.read('p', '1..2\nok 1 /a # SKIP no network\nok 2 /b\n', True)
    assert outcome.skipped == [('p /a', 'no network')], outcome.skipped
    assert outcome.passed == ['p /b'] and not outcome.failed
    same('1..0 # SKIP nothing here\n', (0, 0, 1))


sys.exit(tap.run([
    ('plain results', plain),
    ('failures', failures),
    ('programs that end badly', bad_ends),
    ('skips keep their reasons', skips),
]))

# SPDX-License-Identifier: MIT
"""The Test Anything Protocol: reading what a test program printed, and printing it."""
import re
import sys
import traceback

RESULT = re.compile(r'^(not )?ok\b\s*(\d+)?\s*(?:- )?(.*)$')
DIRECTIVE = re.compile(r'^(.*?)\s*#\s*(SKIP|TO' r'DO)\b:?\s*(.*)$', re.IGNORECASE)
PLAN = re.compile(r'^1\.\.(\d+)(?:\s*#\s*SKIP\b\s*(.*))?$', re.IGNORECASE)


class Outcome:
    """Counted cases of one program: passed names, (name, why) of failures and of skips."""

    def __init__(self):
        self.passed = []
        self.failed = []
        self.skipped = []

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    @property
    def total(self):
        return len(self.passed) + len(self.failed) + len(self.skipped)


def read(program, text, succeeded):
    """Outcome of one program from its output and whether it ended as a success.

    A case only counts as passed when it is printed as passed. A program that ends badly, prints
    fewer cases than it planned, or none at all, is itself one failure more."""
    outcome = Outcome()
    plan = None
    trouble = None
    for line in text.splitlines():
        planned = PLAN.match(line)
        result = RESULT.match(line)
        if planned:
            plan = int(planned.group(1))
            if plan == 0:
                outcome.skipped.append((program, planned.group(2) or 'no reason given'))
        elif line.startswith('Bail out!'):
            trouble = line
        elif result:
            name, directive, why = result.group(3), None, ''
            marked = DIRECTIVE.match(name)
            if marked:
                name, directive, why = marked.groups()
            name = '%s %s' % (program, name.strip())
            if result.group(1):
                outcome.failed.append((name, why or 'not ok'))
            elif directive and directive.upper() == 'SKIP':
                outcome.skipped.append((name, why or 'no reason given'))
            elif directive:
                outcome.failed.append((name, 'marked as unfinished'))
            else:
                outcome.passed.append(name)
    if not outcome.failed:
        if trouble:
            outcome.failed.append((program, trouble))
        elif not succeeded:
            outcome.failed.append((program, 'ended with an error after its last case'))
        elif plan is None:
            outcome.failed.append((program, 'printed no plan'))
        elif plan != outcome.total and plan != 0:
            outcome.failed.append((program, 'planned %d cases, ran %d' % (plan, outcome.total)))
    return outcome


class Skip(Exception):
    """Raised by a case that cannot run here; its text is the reason."""


def run(cases):
    """Run (name, function) pairs, print TAP, and return the exit status."""
    failures = 0
    print('1..%d' % len(cases), flush=True)
    for number, (name, case) in enumerate(cases, 1):
        try:
            case()
            print('ok %d %s' % (number, name))
        except Skip as reason:
            print('ok %d %s # SKIP %s' % (number, name, reason))
        except Exception as error:
            failures += 1
            print('not ok %d %s' % (number, name))
            lines = str(error).splitlines() or [repr(error)]
            if not isinstance(error, AssertionError):
                lines = traceback.format_exc().splitlines()
            for line in lines:
                print('# ' + line)
        sys.stdout.flush()
    return 1 if failures else 0

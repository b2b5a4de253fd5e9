# SPDX-License-Identifier: MIT
"""How files look: clang-format's opinion, file heads, line ends, sizes of functions and files."""
import math
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import tap  # noqa: E402
import tree  # noqa: E402

FUNCTION_LINES = 60
TABLES = re.compile(r'\w+_(class_init|get_property|set_property)$')  # a line per property
FUNCTION_P90_LINES = 40
C_FILE_LINES = 800
UI_FILE_LINES = 200
MARKERS = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X']


def clang_format():
    for tool in ('clang-format-14', 'clang-format'):
        if shutil.which(tool):
            said = subprocess.run([tool, '--version'], capture_output=True, text=True).stdout
            if re.search(r'version 14\.', said):
                return tool
    raise tap.Skip('clang-format 14 is not installed, and other versions format differently')


def formatted():
    names = tree.files('.c', '.h')
    done = subprocess.run([clang_format(), '--dry-run', '-Werror', *names], cwd=tree.ROOT,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def heads():
    faults = []
    for name in tree.files('.c', '.h'):
        lines = tree.read(name).splitlines()
        if not lines or lines[0] != '/* SPDX-License-Identifier: MIT */':
            faults.append('%s: first line is not the SPDX line' % name)
        elif len(lines) < 2 or not re.match(r'/\* \S', lines[1]):
            faults.append('%s: second line does not say what the file is for' % name)
    tree.require_none(faults, 'file heads')


def line_ends():
    faults = []
    for name in tree.files('.c', '.h', '.ui', '.css', '.xml', '.py', '.sh', '.build', '.in', '.po',
                           '.svg'):
        text = tree.read(name)
        if '\r' in text:
            faults.append('%s: carriage returns' % name)
        if not text.endswith('\n') or text.endswith('\n\n'):
            faults.append('%s: must end in exactly one newline' % name)
        for number, line in enumerate(text.split('\n'), 1):
            if line != line.rstrip(' \t') or '\t' in line:
                faults.append('%s:%d: tab or blanks at the end' % (name, number))
    tree.require_none(faults, 'line ends')


def sizes():
    faults, lengths = [], []
    for name in tree.files('.c'):
        for first, last, title in tree.functions(name):
            lengths.append(last - first + 1)
            if last - first + 1 > FUNCTION_LINES and not TABLES.match(title):
                faults.append('%s:%d: %s has %d lines' % (name, first, title, last - first + 1))
    lengths.sort()
    if lengths:
        p90 = lengths[math.ceil(len(lengths) * 0.9) - 1]
        print('# %d functions, half below %d lines, nine of ten below %d, longest %d'
              % (len(lengths), lengths[len(lengths) // 2], p90, lengths[-1]))
        if p90 > FUNCTION_P90_LINES:
            faults.append('nine of ten functions should stay below %d lines, not %d'
                          % (FUNCTION_P90_LINES, p90))
    for name in tree.files('.c', '.h', '.ui'):
        lines = tree.read(name).count('\n')
        limit = UI_FILE_LINES if name.endswith('.ui') else C_FILE_LINES
        if lines > limit:
            faults.append('%s: %d lines, limit %d' % (name, lines, limit))
    tree.require_none(faults, 'sizes')


def finished():
    pattern = re.compile(r'\b(%s)\b' % '|'.join(MARKERS))
    faults = ['%s:%d: %s' % (name, number, line.strip())
              for name in tree.files('.c', '.h', '.ui', '.py', '.sh', '.build', '.css')
              for number, line in enumerate(tree.read(name).splitlines(), 1)
              if pattern.search(line)]
    tree.require_none(faults, 'marks of unfinished work')


sys.exit(tap.run([
    ('clang-format', formatted),
    ('file heads', heads),
    ('line ends', line_ends),
    ('sizes of functions and files', sizes),
    ('no marks of unfinished work', finished),
]))

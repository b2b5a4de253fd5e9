# SPDX-License-Identifier: MIT
"""The source tree as the checks see it: which files belong to it, and what is in them."""
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def files(*endings):
    """Paths of the tree's own files, sorted, with one of @endings; all of them without."""
    listed = subprocess.run(
        ['git', '-c', 'safe.directory=*', '-C', ROOT, 'ls-files', '-z', '--cached', '--others',
         '--exclude-standard'], capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        found = [name for name in listed.stdout.split('\0') if name]
    else:  # an unpacked archive: everything but the build folders
        found = []
        for folder, below, names in os.walk(ROOT):
            below[:] = [n for n in below if not n.startswith('build') and n != '__pycache__']
            found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    found = [name for name in found if os.path.isfile(os.path.join(ROOT, name))]
    return sorted(name for name in found if not endings or name.endswith(endings))


def read(name):
    with open(os.path.join(ROOT, name), encoding='utf-8') as file:
        return file.read()


def without_comments(text):
    """C source with comments and the insides of strings blanked, line numbers kept."""
    def blank(found):
        word = found.group(0)
        if word.startswith('/'):
            return re.sub(r'[^\n]', ' ', word)
        return word[0] + ' ' * (len(word) - 2) + word[-1]
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text,
                  flags=re.DOTALL)


def functions(name):
    """(first line, last line, function name) of each function body of a C file."""
    found, start, title, depth = [], 0, '', 0
    for number, line in enumerate(without_comments(read(name)).splitlines(), 1):
        begins = re.match(r'([A-Za-z_]\w*) \(', line)
        if depth == 0 and begins:
            title = begins.group(1)
        if depth == 0 and line.startswith('{'):
            start = number
        depth += line.count('{') - line.count('}')
        if depth == 0 and line.startswith('}') and start:
            found.append((start, number, title))
            start = 0
    return found


def require_none(faults, rule):
    """Fail with one line per fault."""
    assert not faults, '\n'.join(['%s: %d faults' % (rule, len(faults))] + faults[:60])

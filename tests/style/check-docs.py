# SPDX-License-Identifier: MIT
"""Words about the code: public headers, README's commands, the tests named in docstrings."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import tap  # noqa: E402
import tree  # noqa: E402

# What the name alone says completely; everything else in a public header has a comment.
SELF_EVIDENT = re.compile(r'\w+_(free|ref|unref|copy|quark|peek_name|find|get_n(_\w+)?)$')
COMMENT = re.compile(r'/\*(?:[^*]|\*(?!/))*\*/')


def blocks(text):
    """Pieces of a header between blank lines outside of comments and braces."""
    held = COMMENT.sub(lambda found: found.group(0).replace('\n\n', '\n \n'), text)
    depth, piece = 0, []
    for line in held.split('\n'):
        if line == '' and depth == 0:
            if piece:
                yield '\n'.join(piece)
            piece = []
            continue
        bare = COMMENT.sub('', line)
        depth += bare.count('{') - bare.count('}')
        piece.append(line)
    if piece:
        yield '\n'.join(piece)


def declared(block):
    """Names of the functions declared in a block of a header."""
    bare = COMMENT.sub('', block)
    if re.search(r'^\s*(typedef|#)', bare, re.MULTILINE) or 'G_DEFINE' in bare:
        return []
    return re.findall(r'\b(\w+) \([^;{}]*\)\s*(?:G_GNUC_\w+[^;]*)?;', bare)


def public_headers():
    faults, documented = [], 0
    for name in tree.files('.h'):
        if not name.startswith('include/'):
            continue
        for block in blocks(tree.read(name)):
            for function in declared(block):
                if COMMENT.search(block) or SELF_EVIDENT.match(function):
                    documented += 1
                else:
                    faults.append('%s: %s has no comment' % (name, function))
    print('# %d public functions documented' % documented)
    assert documented > 0
    tree.require_none(faults, 'public headers')


def named_parameters():
    """A long docstring names only parameters that exist."""
    faults = []
    for name in tree.files('.h'):
        for block in blocks(tree.read(name)):
            functions = declared(block)
            found = re.search(r'/\*\*\n \* (\w+):\n(.*?)\*/', block, re.DOTALL)
            if not found or not functions:
                continue
            if found.group(1) not in functions:
                faults.append('%s: docstring of %s stands over %s'
                              % (name, found.group(1), functions[0]))
                continue
            bare = COMMENT.sub('', block)
            for names in re.findall(r'^ \* (@\w+(?:,\s*@\w+)*):', found.group(2), re.MULTILINE):
                for parameter in re.findall(r'@(\w+)', names):
                    if not re.search(r'\b%s\b' % parameter, bare):
                        faults.append('%s: %s has no parameter %s'
                                      % (name, found.group(1), parameter))
    tree.require_none(faults, 'docstrings that name what is not there')


def named_tests():
    """A docstring's "Test: tests/…" is a file."""
    faults = []
    for name in tree.files('.h', '.c'):
        for path in re.findall(r'\btests/[\w/-]+\.[ch]\b', tree.read(name)):
            if not os.path.exists(os.path.join(tree.ROOT, path)):
                faults.append('%s: %s does not exist' % (name, path))
    tree.require_none(faults, 'tests named in comments')


def readme_commands():
    """README holds two pasted commands; the suite's is one line and what the build machine runs."""
    lines = tree.read('README.md').splitlines()
    pasted = [line for line in lines if line.startswith('$(command -v sudo)')]
    assert len(pasted) == 2, '%d lines start with $(command -v sudo)' % len(pasted)
    assert pasted[0].endswith(' && build/ui/headscope'), pasted[0]
    assert pasted[1].endswith(' && tests/run'), pasted[1]
    packages = [set(re.search(r'--no-install-recommends ([^&]*) &&', line).group(1).split())
                for line in pasted]
    assert packages[0] < packages[1], 'the test command must install all that the first one does'
    for line in pasted:
        assert '&& $(command -v sudo) env DEBIAN_FRONTEND=noninteractive apt-get install -y' in line
    start = tree.read('.ci/run')
    assert '&& tests/run$' in start and 'README.md' in start


def readme_paths():
    """Paths in README's code words exist in the tree, or are made by the build."""
    faults = []
    for path in re.findall(r'`((?:src|include|ui|resources|tests)/[\w./-]*)`',
                           tree.read('README.md')):
        if not os.path.exists(os.path.join(tree.ROOT, path)):
            faults.append('README.md: %s does not exist' % path)
    tree.require_none(faults, 'paths in README')


sys.exit(tap.run([
    ('public headers are documented', public_headers),
    ('docstrings name real parameters', named_parameters),
    ('tests named in comments exist', named_tests),
    ('README: two commands', readme_commands),
    ('README: paths exist', readme_paths),
]))

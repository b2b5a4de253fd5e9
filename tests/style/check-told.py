# SPDX-License-Identifier: MIT
"""Sentences of the libraries that the window says in its own language: they are still what the
libraries say."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import tap  # noqa: E402
import tree  # noqa: E402

TABLE = 'ui/hs-told.c'
COMMENT = re.compile(r'/\*(?:[^*]|\*(?!/))*\*/')
STRING = r'"(?:[^"\\\n]|\\.)*"'
LITERAL = re.compile(r'(?:(?:%s|G_GU?INT64_FORMAT|G_GSIZE_FORMAT)\s*)+' % STRING)
CONVERSION = re.compile(r'%[-+ 0#]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z)?[sdiuxXcgefl]')
SHORTEST = 4  # letters of a piece between two holes that is worth looking for


def literals(text):
    """The strings of a C file, pieces joined and every conversion a hole."""
    for found in LITERAL.findall(COMMENT.sub('', text)):
        joined = re.sub(r'G_\w+_FORMAT', '"lu"', found)
        whole = ''.join(part[1:-1] for part in re.findall(STRING, joined))
        yield CONVERSION.sub('%s', whole)


def libraries():
    said = []
    for name in tree.files('.c'):
        if name.startswith(('src/core/', 'src/hub/')):
            said += literals(tree.read(name))
    return said


def system():
    return {os.strerror(number) for number in range(1, 134)}


def known_sentences():
    table = tree.read(TABLE)
    table = table[table.index('sentences[] = {'):]
    table = table[:table.index('};')]
    sentences = list(literals(table))
    assert len(sentences) > 50, 'only %d sentences found in %s' % (len(sentences), TABLE)
    said, answers = '\n'.join(libraries()), system()
    faults = []
    for sentence in sentences:
        pieces = [piece.strip() for piece in sentence.split('%s')]
        lost = [piece for piece in pieces if len(piece) >= SHORTEST and piece not in said]
        if lost and sentence not in answers:
            faults.append('%s: nothing says "%s" any more' % (TABLE, lost[0]))
    print('# %d sentences' % len(sentences))
    tree.require_none(faults, 'sentences that nobody says')


sys.exit(tap.run([('sentences of the libraries', known_sentences)]))

# SPDX-License-Identifier: MIT
"""Sentences of the libraries that the window says in its own language: they are still what the
libraries say, and none is missing."""
import fnmatch
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import tap  # noqa: E402
import tree  # noqa: E402

TABLE = 'ui/hs-told-table.c'
# of src/draw those that have errors; the rest's words are translated where they are made
PICTURES = ['src/draw/%s.c' % name for name in (
    'panels', 'panels-compare', 'png', 'session', 'session-json', 'text', 'write-pdf', 'write-png')]
COMMENT = re.compile(r'/\*(?:[^*]|\*(?!/))*\*/')
STRING = r'"(?:[^"\\\n]|\\.)*"'
LITERAL = re.compile(r'(?:(?:%s|G_GU?INT64_FORMAT|G_GSIZE_FORMAT)\s*)+' % STRING)
CONVERSION = re.compile(r'%[-+ 0#]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z)?[sdiuxXcgefl]')
SHORTEST = 4  # letters of a piece between two holes that is worth looking for
WORDS = re.compile(r'[A-Za-z]{3,}.* |.* [A-Za-z]{3,}')

# What servers and libraries say, and what other programs look for in files.
MARKS = {"is invalid or out of range for property 'content-length' of type 'gint64'",
         'Access to this resource is disabled', 'Invalid credentials', 'version https://git-lfs',
         'position_buckets, max_relative_positions and %s', '%s and conv_kernel_size'}
FRAME = re.compile(r'\bfound |[,;] wanted |\bwanted ')

# What these files say is not for the table; why, and which.
CODE = 'lines of code and its comments, translated where they are made'
INSIDE = ('where the inside of a file breaks its format, for whoever wrote that file: "found …, wanted '
          '…" around it is in the table')
NUMBERS = 'numbers that the fields of the window do not let through'
NAMES = 'names, marks and formats'
SHOWN = 'translated where they are shown'
ATLAS = 'of an atlas of many texts, which so far the command line alone makes and reads'
ELSEWHERE = {
    ATLAS: ['core/atlas', 'core/atlas-part*', 'core/atlas-texts', 'core/mds'],
    CODE: ['core/code*'],
    INSIDE: ['core/bpe-merges', 'core/charsmap', 'core/config*', 'core/json-scan',
             'core/normalizer-read', 'core/npy', 'core/pattern', 'core/pickle*',
             'core/post-processor', 'core/pre-tokenizer-read', 'core/safetensors*',
             'core/sentencepiece', 'core/shard-index', 'core/step-reader', 'core/tensor-table', 'core/times',
             'core/tokenizer-json*', 'core/torch*'],
    NUMBERS: ['core/backward*', 'core/experiment', 'core/importance', 'core/loss',
              'core/predict-back', 'core/timing', 'core/train'],
    NAMES: ['core/diagnostics', 'core/export-npy', 'core/kernels', 'core/kernels-[aop]*', 'core/lab', 'core/passport-pattern',
            'core/pruning-text'],
    SHOWN: ['hub/waits'],
}


def literals(text):
    """The strings of a C file, pieces joined and every conversion a hole."""
    for found in LITERAL.findall(COMMENT.sub('', text)):
        joined = re.sub(r'G_\w+_FORMAT', '"lu"', found)
        whole = ''.join(part[1:-1] for part in re.findall(STRING, joined))
        yield CONVERSION.sub('%s', whole)


def libraries():
    """What they say, by file."""
    return {name: list(literals(tree.read(name))) for name in tree.files('.c')
            if name.startswith(('src/core/', 'src/hub/')) or name in PICTURES}


def table():
    text = tree.read(TABLE)
    text = text[text.index('sentences[] = {'):]
    return list(literals(text[:text.index('};')]))


def system():
    return {os.strerror(number) for number in range(1, 134)}


def pieces(sentence):
    return [piece.strip(' (') for piece in sentence.split('%s')]


def known_sentences():
    sentences = table()
    assert len(sentences) > 300, 'only %d sentences found in %s' % (len(sentences), TABLE)
    said, answers = '\n'.join(sum(libraries().values(), [])), system()
    faults = []
    for sentence in sentences:
        lost = [piece for piece in pieces(sentence) if len(piece) >= SHORTEST and piece not in said]
        if lost and sentence not in answers:
            faults.append('%s: nothing says "%s" any more' % (TABLE, lost[0]))
    print('# %d sentences' % len(sentences))
    tree.require_none(faults, 'sentences that nobody says')


def all_sentences():
    sentences = table()
    known, exact = '\n'.join(sentences), set(sentences)
    said, faults, silent, gone = libraries(), [], set(), []
    for pattern in sum(ELSEWHERE.values(), []):
        found = fnmatch.filter(said, 'src/%s.c' % pattern)
        silent.update(found)
        gone += [] if found else [pattern]
    for name in sorted(set(said) - silent):
        for sentence in said[name]:
            sentence = re.sub(r'^(%s: )+', '', sentence)
            if sentence in exact or sentence in MARKS or '\\n' in sentence or '&&' in sentence:
                continue
            lost = [piece for piece in pieces(FRAME.sub('%s', sentence)) if WORDS.search(piece) and piece not in known]
            if lost:
                faults.append('%s: "%s" is not in %s' % (name, lost[0], TABLE))
    faults += ['no file is called %s' % pattern for pattern in gone]
    tree.require_none(faults, 'sentences that stay English in the window')


sys.exit(tap.run([('sentences of the libraries', known_sentences),
                  ('all of their sentences', all_sentences)]))

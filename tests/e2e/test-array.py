# SPDX-License-Identifier: MIT
"""Of a file with several arrays a person names the one to see when starting the program."""
import array
import json
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

place = tempfile.TemporaryDirectory()
path = os.path.join(place.name, 'two.safetensors')
tokens = os.path.join(place.name, 'words.json')
program = None


def make_files():
    """Two arrays whose numbers of layers tell them apart; every weight is a half."""
    header, at = {}, 0
    for name, shape in (('decoder', [3, 2, 2, 2]), ('encoder', [2, 2, 2, 2])):
        n_bytes = 4 * shape[0] * 8
        header[name] = {'dtype': 'F32', 'shape': shape, 'data_offsets': [at, at + n_bytes]}
        at += n_bytes
    text = json.dumps(header).encode('ascii')
    with open(path, 'wb') as file:
        file.write(struct.pack('<Q', len(text)) + text)
        file.write(array.array('f', [0.5] * (at // 4)).tobytes())
    with open(tokens, 'w', encoding='utf-8') as file:
        json.dump(['one', 'two'], file)


def shows_it():
    """The named one, not the first, and nothing is asked."""
    program.wait_words('2 layers × 2 heads · 2 queries × 2 keys')
    assert '3 layers' not in program.words()


make_files()
with driver.Program('--attention', path, '--array', 'encoder', '--tokens', tokens) as program:
    sys.exit(tap.run([('the array that was named', shows_it)]))

# SPDX-License-Identifier: MIT
"""README's lines of Python write files that this program reads, with the weights it finds itself.

They run where HEADSCOPE_TORCH_PYTHON names a Python that has numpy, PyTorch and transformers, and are
skipped with the reason elsewhere."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
sys.dont_write_bytecode = True
import tap  # noqa: E402

CLI, README, MODEL = sys.argv[1:4]
PYTHON = os.environ.get('HEADSCOPE_TORCH_PYTHON')
NAME, TEXT = "'bert-base-uncased'", 'The cat sat on the mat.'
# f32 sums in another order; weights are at most 1.
TOLERANCE = 2e-6


def read_lines():
    """The block of Python, about a model that is here."""
    with open(README, encoding='utf-8') as file:
        blocks = re.findall(r'```python\n(.*?)```', file.read(), re.DOTALL)
    found = [block for block in blocks if 'numpy.save' in block]
    assert len(found) == 1, blocks
    assert found[0].count(NAME) == 1 and found[0].count(TEXT) == 1, found[0]
    return found[0].replace(NAME, repr(MODEL))


def check_whole():
    """Every name that is used is imported or made in the block itself."""
    compile(read_lines(), README, 'exec')


def ask(*command):
    done = subprocess.run((CLI,) + command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def check_run():
    if not PYTHON:
        raise tap.Skip('HEADSCOPE_TORCH_PYTHON names no Python with numpy, PyTorch and transformers')
    with tempfile.TemporaryDirectory(prefix='headscope-readme-') as folder:
        subprocess.run([PYTHON, '-c', read_lines()], check=True, cwd=folder, capture_output=True,
                       env=dict(os.environ, HF_HUB_OFFLINE='1'))
        files = ('--attention', os.path.join(folder, 'attention.npy'),
                 '--tokens', os.path.join(folder, 'tokens.json'))
        there = ask('attention', *files, '--layer', '1', '--head', '2')
        assert ask('info', *files)['warnings'] == []
    here = ask('attention', '--model', MODEL, '--text', TEXT, '--layer', '1', '--head', '2')
    assert there['tokens'] == here['tokens'], there['tokens']
    rows = zip(there['maps'][0]['weights'], here['maps'][0]['weights'])
    worst = max(abs(a - b) for row, other in rows for a, b in zip(row, other))
    assert worst <= TOLERANCE, worst


sys.exit(tap.run([('the lines in README are whole', check_whole),
                  ('what they write is read', check_run)]))

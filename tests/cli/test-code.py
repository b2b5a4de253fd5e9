# SPDX-License-Identifier: MIT
"""headscope-cli lab --code: the programs it writes give the weights that the program itself gives.

The programs in C are built beside this test. The scripts for PyTorch run where HEADSCOPE_TORCH_PYTHON
names a Python that has PyTorch and transformers, and are skipped with the reason elsewhere."""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
sys.dont_write_bytecode = True
import tap  # noqa: E402

CLI, SANITIZERS, TEXT = sys.argv[1:4]
CASES = [case.rsplit('=', 3) for case in sys.argv[4:]]
PYTHON = os.environ.get('HEADSCOPE_TORCH_PYTHON')
# Sums of a few dozen f32 products in another order; weights are at most 1.
TOLERANCE = 2e-6


def run(*command):
    """What a command that must succeed prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def ask(folder, layer, head, *options):
    return run(CLI, 'lab', '--model', folder, '--text', TEXT, '--layer', layer, '--head', head,
               *options)


def compare(case, printed):
    """The printed rows are the weights of the case, and the program found so itself."""
    folder, layer, head, _ = case
    wanted = json.loads(ask(folder, layer, head, '--step', 'weights'))['values']
    lines = printed.strip().splitlines()
    rows = [[float(word) for word in line.split()] for line in lines[:len(wanted)]]
    assert [len(row) for row in rows] == [len(row) for row in wanted], printed
    worst = max(abs(a - b) for row, other in zip(rows, wanted) for a, b in zip(row, other))
    assert worst <= TOLERANCE, worst
    assert lines[-1].startswith('largest difference: '), printed
    assert float(lines[-1].rsplit(' ', 1)[1]) <= TOLERANCE, lines[-1]


def check_c(case):
    compare(case, run(case[3]))


def check_command(case):
    """The command in the program's comment builds it."""
    root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
    core = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(CLI))), 'core')
    folder, layer, head, _ = case
    with tempfile.TemporaryDirectory(prefix='headscope-code-') as place:
        source, program = os.path.join(place, 'program.c'), os.path.join(place, 'program')
        ask(folder, layer, head, '--code', 'c', '-o', source)
        with open(source, encoding='utf-8') as file:
            command = re.search(r'/\* (cc .*?) \*/', file.read(), re.DOTALL).group(1)
        for name, where in (('program.c', source), ('build/src/core', core)):
            assert name in command, command
            command = command.replace(name, shlex.quote(where))
        command = command.replace('\\\n', ' ') + ' -o ' + shlex.quote(program)
        if SANITIZERS != 'none':  # as the library was built
            command += ' -fsanitize=' + SANITIZERS
        subprocess.run(command, shell=True, check=True, cwd=root)
        compare(case, run(program))


def is_refused(case):
    return os.path.basename(case[0]).startswith('deberta')


def check_pytorch():
    if not PYTHON:
        raise tap.Skip('HEADSCOPE_TORCH_PYTHON names no Python with PyTorch and transformers')
    for case in CASES:
        if is_refused(case):
            continue
        folder, layer, head, _ = case
        with tempfile.TemporaryDirectory(prefix='headscope-code-') as place:
            script = os.path.join(place, 'code.py')
            ask(folder, layer, head, '--code', 'pytorch', '-o', script)
            answer = subprocess.run([PYTHON, script], capture_output=True, text=True, check=True)
            compare(case, answer.stdout)
            for word in ('UNEXPECTED', 'MISSING', 'not used', 'newly initialized'):
                assert word not in answer.stderr, answer.stderr


def check_needs(case):
    """Who reads the script learns what to install before the first import."""
    text = ask(case[0], '1', '1', '--code', 'pytorch')
    head = text[:text.index('import math')]
    assert '# needs: pip install torch transformers' in head, text


def check_refusal(case):
    """Scores that the script would get wrong are refused, and the sentence says what does it."""
    answer = subprocess.run([CLI, 'lab', '--model', case[0], '--text', TEXT, '--code', 'pytorch'],
                            capture_output=True, text=True, check=False)
    assert answer.returncode == 1 and answer.stdout == '', answer
    assert 'the code in C has it' in answer.stderr, answer.stderr


def check_pseudo(case):
    """Shapes are the model's own."""
    info = json.loads(run(CLI, 'info', '--model', case[0]))
    n = len(json.loads(ask(case[0], '1', '1', '--step', 'weights'))['values'])
    text = ask(case[0], '1', '1', '--code', 'pseudo')
    for shape in ((n, info['d_model']), (n, info['d_k']), (n, n)):
        assert '# %d × %d' % shape in text, text
    assert 'for i = 1 … %d:' % info['heads'] in text, text


def check_chinese(case):
    text = ask(case[0], '1', '1', '--code', 'pseudo', '--lang', 'zh_TW')
    assert '每個詞元' in text, text


def main():
    tests = []
    for case in CASES:
        name = os.path.basename(case[0])
        tests.append(('c/' + name, lambda case=case: check_c(case)))
        tests.append(('pseudo/' + name, lambda case=case: check_pseudo(case)))
        if is_refused(case):
            tests.append(('refused/' + name, lambda case=case: check_refusal(case)))
    tests.append(('command', lambda: check_command(CASES[0])))
    tests.append(('needs', lambda: check_needs(CASES[0])))
    tests.append(('pytorch', check_pytorch))
    tests.append(('chinese', lambda: check_chinese(CASES[0])))
    return tap.run(tests)


if __name__ == '__main__':
    sys.exit(main())

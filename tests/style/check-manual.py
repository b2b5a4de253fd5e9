# SPDX-License-Identifier: MIT
"""The manual pages: well-formed, and in step with what the programs say of themselves."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import tap  # noqa: E402
import tree  # noqa: E402

BUILD = sys.argv[1]
CLI = os.path.join(BUILD, 'src', 'cli', 'headscope-cli')
WINDOW = os.path.join(BUILD, 'ui', 'headscope')
PAGES = {'headscope.1': WINDOW, 'headscope-cli.1': CLI}
ENV = dict(os.environ, LC_ALL='C.UTF-8', LANGUAGE='')
OPTION = re.compile(r'(?<![\w-])(--?[a-z][a-z-]*)')


def path(page):
    return os.path.join(tree.ROOT, 'resources', 'man', page)


def say(*command):
    done = subprocess.run(command, env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, '%s: %s' % (' '.join(command), done.stderr)
    return done.stdout


def options_of_help(text):
    """What an indented line of a help text begins with: -m, --model=DIR."""
    found = set()
    for line in re.findall(r'^  (-.*)$', text, re.MULTILINE):
        found.update(OPTION.findall(re.split(r'\s{2,}', line)[0].replace('=', ' ')))
    return found


def commands():
    listed = re.search(r'Commands:\n(.*?)\n\n', say(CLI, '--help'), re.DOTALL).group(1)
    return re.findall(r'^  (\S+)', listed, re.MULTILINE)


def options_of(program):
    if program == WINDOW:
        return options_of_help(say(WINDOW, '--help'))
    found = set()
    for command in commands():
        found |= options_of_help(say(CLI, command, '--help'))
    return found


def options_of_page(page):
    """Only what a paragraph's tag defines: the line after .TP."""
    with open(path(page), encoding='utf-8') as file:
        tags = re.findall(r'^\.TP\n(.*)$', file.read(), re.MULTILINE)
    found = set()
    for tag in tags:
        plain = re.sub(r'\\f.', ' ', tag).replace('\\-', '-').replace('=', ' ')
        found.update(OPTION.findall(plain))
    return found


def lint():
    if not shutil.which('mandoc'):
        raise tap.Skip('mandoc is not installed')
    for page in PAGES:
        done = subprocess.run(['mandoc', '-T', 'lint', '-W', 'warning', path(page)],
                              capture_output=True, text=True)
        assert done.returncode == 0 and not done.stdout, done.stdout


def rendered():
    if not shutil.which('man'):
        raise tap.Skip('man is not installed')
    for page in PAGES:
        done = subprocess.run(['man', '--warnings', '-l', path(page)], env=ENV,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr
        assert 'DESCRIPTION' in done.stdout, done.stdout[:300]


def same_options():
    faults, count = [], 0
    for page, program in PAGES.items():
        said, written = options_of(program), options_of_page(page)
        # an alias need not be in the help, but what the page has must work
        spelt = written - said - {'-h', '--output'}
        faults += ['%s: %s is not in the help' % (page, each) for each in sorted(spelt)]
        faults += ['%s: lacks %s' % (page, each) for each in sorted(said - written)]
        count += len(said)
    assert count > 20, count
    tree.require_none(faults, 'options in the manual pages')


def same_commands():
    with open(path('headscope-cli.1'), encoding='utf-8') as file:
        text = file.read()
    section = text[text.index('.SH COMMANDS'):text.index('.SH OPTIONS')]
    written = re.findall(r'^\.TP\n\.B (\S+)', section, re.MULTILINE)
    written = [each.replace('\\-', '-') for each in written]
    assert written == commands(), '%s, not %s' % (written, commands())


sys.exit(tap.run([
    ('mandoc finds nothing to warn of', lint),
    ('man shows them without a warning', rendered),
    ('options are those of --help', same_options),
    ('commands are those of --help', same_commands),
]))

# SPDX-License-Identifier: MIT
"""What `meson install` puts below a prefix works from there, on its own data."""
import contextlib
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import tap  # noqa: E402

BUILD, PREFIX = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HUB_MODELS = ('sentence-transformers/all-MiniLM-L6-v2', 'bert-base-chinese')
README = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'README.md')
SHARE = os.path.join(PREFIX, 'share')
APP = 'io.github.headscope.Headscope'


def surroundings(**more):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith('HEADSCOPE_') and name != 'GSETTINGS_SCHEMA_DIR'}
    return dict(kept, **more)


def run(*command, **more):
    return subprocess.run(command, cwd='/', env=surroundings(**more), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)


def cli(*arguments):
    return run(os.path.join(PREFIX, 'bin', 'headscope-cli'), *arguments)


def install():
    done = run('meson', 'install', '-C', BUILD, '--no-rebuild')
    assert done.returncode == 0, done.stdout + done.stderr
    wanted = ['bin/headscope', 'bin/headscope-cli', 'share/headscope/demo-model/model.safetensors',
              'share/headscope/demo-model/MODEL_CARD.md', 'share/headscope/LICENSES.md',
              'share/applications/%s.desktop' % APP, 'share/metainfo/%s.metainfo.xml' % APP,
              'share/icons/hicolor/scalable/apps/%s.svg' % APP,
              'share/icons/hicolor/16x16/apps/%s.svg' % APP,
              'share/mime/packages/%s.xml' % APP,
              'share/man/man1/headscope.1', 'share/man/man1/headscope-cli.1',
              'share/icons/hicolor/symbolic/apps/%s-symbolic.svg' % APP,
              'share/locale/zh_TW/LC_MESSAGES/headscope.mo',
              'share/locale/zh_CN/LC_MESSAGES/headscope.mo',
              'share/glib-2.0/schemas/%s.gschema.xml' % APP,
              'share/headscope/gschemas.compiled']
    missing = [name for name in wanted if not os.path.exists(os.path.join(PREFIX, name))]
    assert not missing, 'not installed: %s' % ', '.join(missing)
    stray = [name for name in glob.glob(os.path.join(PREFIX, '**'), recursive=True)
             if 'test' in os.path.basename(name) and os.path.isfile(name)]
    assert not stray, 'installed without need: %s' % ', '.join(stray)


def command_line():
    done = cli('info')
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)['layers'] == 4, done.stdout


def own_data():
    """It is the installed model that is read, not the source tree's."""
    model = os.path.join(SHARE, 'headscope', 'demo-model')
    os.rename(model, model + '-aside')
    try:
        done = cli('info')
        assert done.returncode == 1, 'exit status %d without its model' % done.returncode
        assert model in done.stderr, done.stderr
    finally:
        os.rename(model + '-aside', model)


def write_attention(folder):
    """What another program would have written: attention.npy with its tokens."""
    text = 'The cat sat on the mat.'
    path = os.path.join(folder, 'attention.npy')
    done = cli('attention', '--text', text, '--format', 'npy', '-o', path)
    assert done.returncode == 0, done.stderr
    tokens = json.loads(cli('tokenize', '--text', text).stdout)['tokens']
    with open(os.path.join(folder, 'tokens.json'), 'w', encoding='utf-8') as file:
        json.dump(tokens, file)


def write_texts(folder):
    """Files of texts by the names README gives them, if shorter ones."""
    for name, n in (('texts.txt', 20), ('fifty.txt', 3)):
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.writelines('The cat sat on mat number %d.\n' % i for i in range(n))


@contextlib.contextmanager
def hub(folder):
    """A hub on this machine that has the models README names, and a cache of our own."""
    program = os.path.join(BUILD, 'tests', 'hub', 'fake-hub')
    model = os.path.join(os.path.dirname(README), 'tests', 'data', 'golden', 'models', 'bert-mlm')
    with subprocess.Popen([program, *('%s=%s' % (name, model) for name in HUB_MODELS)],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield {'HF_ENDPOINT': server.stdout.readline().strip(),
                   'HF_HOME': os.path.join(folder, 'cache')}
        finally:
            server.stdin.close()


def readme_lines():
    """README's command lines work as they are written."""
    with open(README, encoding='utf-8') as file:
        lines = [line.strip() for line in file if line.startswith('headscope-cli ')]
    assert len(lines) >= 4, lines
    path = os.path.join(PREFIX, 'bin') + os.pathsep + os.environ['PATH']
    with tempfile.TemporaryDirectory() as folder, hub(folder) as where:
        write_attention(folder)
        write_texts(folder)
        fetched = ['headscope-cli fetch ' + name for name in HUB_MODELS]
        for line in fetched + lines:
            done = subprocess.run(['sh', '-c', line], cwd=folder,
                                  env=surroundings(PATH=path, **where), stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=120)
            assert done.returncode == 0 and not done.stderr, '%s: %s' % (line, done.stderr)
            written = re.search(r' (?:-o|--figure) (\S+)$', line)
            if written:
                assert os.path.getsize(os.path.join(folder, written.group(1))) > 0
            else:
                json.loads(done.stdout)


def translations():
    """A picture in Chinese needs the installed catalogue."""
    texts = []
    for language in ('en', 'zh_TW'):
        path = os.path.join(PREFIX, language + '.pdf')
        done = cli('render', '--text', 'A cat.', '--lang', language, '--format', 'pdf', '-o', path)
        assert done.returncode == 0, done.stderr
        texts.append(run('pdftotext', path, '-').stdout)
        os.remove(path)
    assert 'attention' in texts[0], texts[0]
    assert '注意力' in texts[1], texts[1]


def window():
    done = run(os.path.join(PREFIX, 'bin', 'headscope'), '--benchmark-start')
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'not installed' not in done.stderr, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer['first_picture_ms'] > 0, answer


sys.exit(tap.run([
    ('everything is installed', install),
    ('the command line works from there', command_line),
    ('it reads the installed data', own_data),
    ('the command lines in README', readme_lines),
    ('it finds the installed translations', translations),
    ('the window works from there', window),
]))

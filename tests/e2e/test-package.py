# SPDX-License-Identifier: MIT
"""The Debian package: README's command makes it, and unpacked anywhere its programs run on its data."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

BUILD = os.path.abspath(sys.argv[1])
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
PLACE = tempfile.TemporaryDirectory(prefix='headscope package ')  # blanks in it, on purpose
COMMAND = 'ninja -C build deb'


def run(*command, limit=60, **more):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith('HEADSCOPE_') and name != 'GSETTINGS_SCHEMA_DIR'}
    return subprocess.run(command, cwd='/', env=dict(kept, **more), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=limit)


def need(tool):
    if not shutil.which(tool):
        raise tap.Skip('%s is not installed' % tool)


def package():
    found = glob.glob(os.path.join(BUILD, 'deb', '*.deb'))
    assert len(found) == 1, found
    return found[0]


def inside(*names):
    return os.path.join(PLACE.name, 'usr', *names)


def made():
    need('dpkg-buildpackage')
    need('dh')
    with open(os.path.join(ROOT, 'README.md'), encoding='utf-8') as file:
        assert COMMAND in file.read(), 'README does not tell %s' % COMMAND
    done = run('ninja', '-C', BUILD, 'deb', limit=540)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert 'warning' not in done.stderr, done.stderr
    done = run('dpkg-deb', '-x', package(), PLACE.name)
    assert done.returncode == 0, done.stderr


def named():
    fields = dict(re.findall(r'^ (\S+): (.*)$', run('dpkg-deb', '-I', package()).stdout,
                             re.MULTILINE))
    with open(os.path.join(ROOT, 'meson.build'), encoding='utf-8') as file:
        version = re.search(r"^  version: '(.*)'", file.read(), re.MULTILINE).group(1)
    assert fields['Package'] == 'headscope', fields
    assert fields['Version'].rsplit('-', 1)[0] == version, fields
    for library in ('libgtk-4-1', 'libopenblas0', 'libcairo2', 'libzip4', 'libjansson4'):
        assert library in fields['Depends'], fields


def lintian():
    need('lintian')
    done = run('lintian', '--fail-on', 'error', '--tag-display-limit', '0', package())
    tags = [line for line in done.stdout.splitlines() if line.startswith(('E:', 'W:'))]
    # a first version has no bug report that it answers
    unexpected = [tag for tag in tags if 'initial-upload-closes-no-bugs' not in tag]
    assert done.returncode == 0 and not unexpected, done.stdout


def command_line():
    done = run(inside('bin', 'headscope-cli'), 'info')
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)['layers'] == 4, done.stdout


def own_data():
    """The unpacked model is what it reads."""
    model = inside('share', 'headscope', 'demo-model')
    os.rename(model, model + '-aside')
    try:
        done = run(inside('bin', 'headscope-cli'), 'info')
        assert done.returncode == 1 and model in done.stderr, done.stderr
    finally:
        os.rename(model + '-aside', model)


def translation():
    done = run(inside('bin', 'headscope'), '--help', LC_ALL='C.UTF-8', LANGUAGE='zh_TW')
    assert done.returncode == 0 and '文字' in done.stdout, done.stdout


def window():
    """Nothing is compiled or registered after unpacking: what it needs is in it."""
    done = run(inside('bin', 'headscope'), '--benchmark-start', G_DEBUG='fatal-warnings')
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'not installed' not in done.stderr, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer['first_picture_ms'] > 0, answer


def kept():
    """A preference and the text are there at the second start."""
    driver.WINDOW = inside('bin', 'headscope')
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(os.environ['XDG_CONFIG_HOME'], os.path.join(place, 'config'))
        env = {'XDG_CONFIG_HOME': os.path.join(place, 'config'), 'GSETTINGS_BACKEND': 'keyfile',
               'XDG_STATE_HOME': os.path.join(place, 'state'), 'GSETTINGS_SCHEMA_DIR': ''}
        with driver.Program('--text', 'Kept.', env=env) as program:
            program.wait_title('Layer 1')
            program.keys('ctrl+comma')
            dialog = program.window_named('Preferences')
            program.set_value(program.find('spin button', 'Text size (%)', dialog), 150)
            program.keys('ctrl+q')
            status, output = program.ended()
            assert status == 0 and not output.strip(), output
        with driver.Program(env=env) as program:
            driver.until('the text', lambda: driver.text_of(program.find('text', 'Text')) == 'Kept.')
            program.keys('ctrl+comma')
            dialog = program.window_named('Preferences')
            size = program.find('spin button', 'Text size (%)', dialog)
            assert size.queryValue().currentValue == 150, size.queryValue().currentValue


def manual():
    for page in ('headscope.1.gz', 'headscope-cli.1.gz'):
        assert os.path.exists(inside('share', 'man', 'man1', page)), page


status = tap.run([
    ('one command makes it', made),
    ('name, version and dependencies', named),
    ('lintian', lintian),
    ('manual pages are in it', manual),
    ('unpacked: the command line works', command_line),
    ('unpacked: its own data', own_data),
    ('unpacked: its translations', translation),
    ('unpacked: the window works', window),
    ('unpacked: preferences and text are kept', kept),
])
PLACE.cleanup()
sys.exit(status)

# SPDX-License-Identifier: MIT
"""Nothing is lost: killed at any moment, on a full disk, in a read-only home; and several windows."""
import glob
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

SEED = 20
KILLS = 8
MOST = 1.0  # seconds from the last key to the disk
NOISE = ('SpiRegistry', 'dbind-WARNING', 'dbus-daemon', 'No writable cache directories')


def frames(program):
    return [each for each in program.root if each.getRoleName() == 'frame']


def text_in(program, frame=None):
    return driver.text_of(program.find('text', 'Text', frame))


def kill(program):
    program.process.send_signal(signal.SIGKILL)
    program.process.wait()


def left(folder):
    return glob.glob(os.path.join(folder, 'headscope', '*'))


def kills():
    """Text and head are back as they were a second before the kill, or newer."""
    moments = random.Random(SEED)
    print('# seed %d, %d kills' % (SEED, KILLS))
    with tempfile.TemporaryDirectory() as folder:
        env = {'XDG_STATE_HOME': folder}
        expected = None
        for number in range(KILLS):
            with driver.Program(env=env) as program:
                if expected is not None:
                    texts, heads = expected
                    found = text_in(program)
                    assert found in texts, '%r is none of %r' % (found, texts)
                    head = program.find('spin button', 'Head').queryValue().currentValue
                    assert head in heads, '%r is none of %r' % (head, heads)
                field = program.find('text', 'Text')
                before = driver.text_of(field), program.find(
                    'spin button', 'Head').queryValue().currentValue
                wish = 'Text number %d. 第%d句話' % (number, number), 1 + moments.randrange(8)
                program.type(field, wish[0])
                program.set_value(program.find('spin button', 'Head'), wish[1])
                wait = moments.uniform(0, 1.5)
                time.sleep(wait)
                kill(program)
                sure = wait > MOST
                expected = ([wish[0]] if sure else [before[0], wish[0]],
                            [wish[1]] if sure else [before[1], wish[1]])
        stray = [name for name in left(folder) if not name.endswith(('.state', '.lock'))]
        assert len(stray) <= KILLS, stray


def kills_while_typing():
    """In the middle of typing, with views and heads changed between: what was seen in the field a while
    before is there again, and nothing that was not typed. Twice the promised time, for busy machines."""
    moments = random.Random(SEED)
    typed = 'the quick brown fox jumps over the lazy dog '
    with tempfile.TemporaryDirectory() as folder:
        env = {'XDG_STATE_HOME': folder}
        known = ''
        for _ in range(4):
            with driver.Program(*([] if known else ['--text', '']), env=env) as program:
                field = program.find('text', 'Text')
                driver.until('text %r' % known, lambda: driver.text_of(field).startswith(known))
                program.keys('ctrl+l', 'ctrl+End')
                start = driver.text_of(field)
                fingers = subprocess.Popen(['xdotool', 'type', '--delay', '30', typed * 3])
                end = time.monotonic() + moments.uniform(2 * MOST, 4 * MOST)
                seen = []
                while time.monotonic() < end:
                    seen.append((time.monotonic(), driver.text_of(field)))
                    time.sleep(0.02)
                kill(program)
                now = time.monotonic()
                fingers.kill()
                fingers.wait()
                known = [text for when, text in seen if when <= now - 2 * MOST][-1]
                whole = start + typed * 3
                assert whole.startswith(known), '%r was never typed' % known
        with driver.Program(env=env) as program:
            text = text_in(program)
            assert text.startswith(known) and whole.startswith(text), (known, text, whole)
            print('# %d letters in the end, at least %d wanted' % (len(text), len(known)))


def missing_folders():
    """Without a home, and with folders that are not there yet: they are made, for nobody else to read."""
    with tempfile.TemporaryDirectory() as folder:
        below = os.path.join(folder, 'not', 'there')
        env = dict(os.environ, **{'XDG_%s_HOME' % name: os.path.join(below, name.lower())
                                  for name in ('CONFIG', 'CACHE', 'DATA', 'STATE')})
        with driver.Program('--text', 'Kept.', env=env, unset=['HOME']) as program:
            program.wait_title('Layer 1')
            status, output = program.terminate()
            assert status == 0 and not said(output), output
        state = os.path.join(below, 'state', 'headscope')
        assert os.stat(state).st_mode & 0o777 == 0o700, oct(os.stat(state).st_mode)
        with driver.Program(env=env, unset=['HOME']) as program:
            assert text_in(program) == 'Kept.', text_in(program)


def kills_at_start():
    """Killed before there is a window, it comes up the next time with all that was kept."""
    moments = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_STATE_HOME=folder)
        with driver.Program('--text', 'Kept.', env=env) as program:
            program.wait_title('Layer 1')
            program.keys('ctrl+q')
            assert program.ended()[0] == 0
        for _ in range(10):
            process = subprocess.Popen([driver.WINDOW], env=env, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moments.uniform(0, 0.4))
            process.kill()
            process.wait()
        with driver.Program(env=env) as program:
            assert text_in(program) == 'Kept.', text_in(program)
            assert len(frames(program)) == 1, 'a window too many'


def two_windows():
    with tempfile.TemporaryDirectory() as folder:
        env = {'XDG_STATE_HOME': folder}
        with driver.Program('--text', 'The first.', env=env) as program:
            program.wait_title('Layer 1')
            program.keys('ctrl+n')
            driver.until('second window', lambda: len(frames(program)) == 2)
            first, second = frames(program)
            driver.until('the same text', lambda: text_in(program, second) == 'The first.')
            program.type(program.find('text', 'Text', second), 'The second.')
            time.sleep(MOST)
            assert text_in(program, first) == 'The first.'
            kill(program)
        with driver.Program(env=env) as program:
            driver.until('both windows', lambda: len(frames(program)) == 2)
            texts = sorted(text_in(program, frame) for frame in frames(program))
            assert texts == ['The first.', 'The second.'], texts
            program.keys('ctrl+w')  # one is closed for good
            driver.until('one window', lambda: len(frames(program)) == 1)
            rest = text_in(program, frames(program)[0])
            program.focus()
            program.keys('ctrl+q')
            assert program.ended()[0] == 0
        with driver.Program(env=env) as program:
            assert text_in(program) == rest, text_in(program)
            assert len(frames(program)) == 1


def second_start():
    """A second start uses the run that is there."""
    with driver.Program('--text', 'The first.') as program:
        program.wait_title('Layer 1')
        env = dict(os.environ, XDG_STATE_HOME=program.state.name)
        done = subprocess.run([driver.WINDOW], env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=20)
        assert done.returncode == 0, done.stderr
        assert len(frames(program)) == 1, 'it opened another window'
        done = subprocess.run([driver.WINDOW, '--text', '第二個'], env=env, timeout=20,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        driver.until('second window', lambda: len(frames(program)) == 2)
        texts = sorted(text_in(program, frame) for frame in frames(program))
        assert texts == ['The first.', '第二個'], texts
        status, output = program.terminate()
    assert status == 0 and output.strip() == '', output


def apart():
    """Two runs at a time do not take each other's texts away."""
    with tempfile.TemporaryDirectory() as folder:
        env = {'XDG_STATE_HOME': folder}
        with driver.Program('--text', 'The first.', env=env) as first, \
                driver.Program('--new-instance', '--text', 'The second.', env=env) as second:
            assert text_in(first) == 'The first.' and text_in(second) == 'The second.'
            time.sleep(MOST)
            kill(first)
            kill(second)
        with driver.Program(env=env) as program:
            driver.until('both windows', lambda: len(frames(program)) == 2)


def said(output):
    return [line for line in output.splitlines()
            if line.strip() and not any(word in line for word in NOISE)]


def full_disk():
    """No file may grow beyond 2,000 bytes: what was kept before stays, and it is said."""
    with tempfile.TemporaryDirectory() as folder:
        env = {'XDG_STATE_HOME': folder, 'G_DEBUG': 'fatal-warnings'}
        with driver.Program('--text', 'Kept.', env=env) as program:
            program.wait_title('Layer 1')
            time.sleep(MOST)
            resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (2000, 2000))
            program.type(program.find('text', 'Text'), 'Lost. ' * 500)
            program.wait_words('cannot be kept')
            program.type(program.find('text', 'Text'), 'Short again.')
            time.sleep(MOST)
            kill(program)
        stray = [name for name in left(folder) if not name.endswith(('.state', '.lock'))]
        assert not stray, stray
        with driver.Program(env=env) as program:
            assert text_in(program) == 'Short again.', text_in(program)


def read_only():
    """As somebody who may write nowhere at all: the window works, without a warning."""
    if os.geteuid() == 0 and not shutil.which('setpriv'):
        raise tap.Skip('setpriv is not installed')
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.environ['FONTCONFIG_FILE'], folder)
        os.chmod(folder, 0o555)
        # the bus and the font cache are ours alone
        env = dict(os.environ, HOME=folder, G_DEBUG='fatal-warnings', XDG_RUNTIME_DIR=folder,
                   FONTCONFIG_FILE=os.path.join(folder, 'fonts.conf'), GTK_A11Y='none',
                   DBUS_SESSION_BUS_ADDRESS='disabled:',
                   **{'XDG_%s_HOME' % name: os.path.join(folder, name.lower())
                      for name in ('CONFIG', 'CACHE', 'DATA', 'STATE')})
        who = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] \
            if os.geteuid() == 0 else []
        done = subprocess.run([*who, driver.WINDOW, '--benchmark-start'], env=env, timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if who and 'Permission denied' in done.stderr and done.returncode == 127:
            raise tap.Skip('another user cannot read the build folder')
        assert done.returncode == 0, done.stderr
        process = subprocess.Popen([*who, driver.WINDOW, '--new-instance'], env=env,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        try:
            window = driver.until('window', lambda: driver.xdotool(
                'search', '--onlyvisible', '--pid', str(process.pid)).split()[-1])
            driver.xdotool('windowfocus', '--sync', window)
            driver.xdotool('type', '--delay', '20', 'abc')
            time.sleep(MOST)
            driver.xdotool('key', 'ctrl+q')
            output = process.communicate(timeout=20)[0]
        finally:
            process.kill()
        assert process.returncode == 0, output
        assert not said(output), output


def odd_state():
    """A state file that is no state does no harm."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'headscope'))
        with open(os.path.join(folder, 'headscope', '0-0.state'), 'wb') as file:
            file.write(b'\x00\xff[texts' * 100)
        with driver.Program(env={'XDG_STATE_HOME': folder}) as program:
            program.wait_title('Layer 1')
            status, output = program.terminate()
        assert status == 0 and 'cannot be read' in output, output


sys.exit(tap.run([
    ('killed at random moments', kills),
    ('killed while one types', kills_while_typing),
    ('killed while it starts', kills_at_start),
    ('folders that are not there', missing_folders),
    ('two windows', two_windows),
    ('a second start', second_start),
    ('two runs at a time', apart),
    ('a full disk', full_disk),
    ('a read-only home', read_only),
    ('a broken state', odd_state),
]))

# SPDX-License-Identifier: MIT
"""How the program starts: without a display, timed, with a bad model, in Chinese, where it was left."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TEXT = 'The old man saw the boy.'


def run(*arguments, **changes):
    env = dict(os.environ)
    for name, value in changes.items():
        env.pop(name, None)
        if value is not None:
            env[name] = value
    return subprocess.run([driver.WINDOW, *arguments], env=env, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)


def no_display():
    done = run(DISPLAY=None, WAYLAND_DISPLAY=None)
    assert done.returncode == 1, done.returncode
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1 and 'display' in lines[0] and 'headscope-cli' in lines[0], done.stderr
    assert done.stdout == '', done.stdout


def bad_display():
    done = run(DISPLAY=':9999')
    assert done.returncode == 1 and 'headscope-cli' in done.stderr, done.stderr


def benchmark():
    done = run('--benchmark-start')
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert set(answer) == {'first_picture_ms', 'rss_mb', 'renderer'}, answer
    assert answer['renderer'] == 'cairo' and 0 < answer['first_picture_ms'] < 60000, answer
    assert 10 < answer['rss_mb'] < 200, 'memory: %s MB' % answer['rss_mb']
    print('# first picture after %.0f ms, %.0f MB' % (answer['first_picture_ms'],
                                                     answer['rss_mb']))


def benchmark_lab():
    done = run('--benchmark-lab')
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert set(answer) == {'tokens', 'open', 'step', 'head', 'reopen', 'renderer'}, answer
    assert answer['tokens'] == 16, answer
    for name in ('open', 'step', 'head', 'reopen'):
        for kind in ('cpu_ms', 'wall_ms'):
            times = answer[name][kind]
            assert 0 < times['p50'] <= times['p95'] <= times['max'] < 60000, (name, times)


def benchmark_views():
    done = run('--benchmark-views')
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert (answer['layers'], answer['heads'], answer['tokens']) == (4, 8, 16), answer
    assert 0 < answer['all_layers_ms'] < 60000, answer
    hovered = [name for name in answer['frames'] if name.endswith('hover')]
    assert {name.split('-')[0] for name in hovered} == {'layers', 'heads', 'heatmap', 'lines', 'text', 'compare'}, answer
    for name, frames in answer['frames'].items():
        for kind in ('cpu_ms', 'wall_ms'):
            times = frames[kind]
            assert 0 < times['p50'] <= times['p95'] <= times['max'] < 60000, (name, frames)
        print('# %s: %.1f ms of CPU, at most %.1f' % (name, frames['cpu_ms']['p50'], frames['cpu_ms']['max']))


def nothing_to_time():
    done = run('--benchmark-start', '--text', '')
    assert done.returncode == 1 and done.stdout == '', done
    assert 'no text' in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr


def names_made_harmless():
    done = run('two\nlines\u202e')
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done
    assert '\u202e' not in done.stderr and 'two lines' in done.stderr, done.stderr


def options():
    done = run('--version')
    assert done.returncode == 0 and done.stdout.startswith('Headscope '), done.stdout
    done = run('--help')
    assert done.returncode == 0 and '--benchmark-start' in done.stdout, done.stdout
    done = run('--no-such-option')
    assert done.returncode != 0 and done.stderr, done.returncode
    done = run('--model', '')
    assert done.returncode == 2 and 'the value is empty' in done.stderr, done.stderr


def bad_model():
    with tempfile.TemporaryDirectory() as folder, driver.Program('--model', folder) as program:
        program.wait_words(folder)
        program.find('push button', 'Try again')
        status, output = program.terminate()
    assert status == 0, output


def languages():
    for language, word in (('zh_TW', '注意力頭'), ('zh_CN', '注意力头')):
        env = {'LANGUAGE': language, 'LC_ALL': 'C.UTF-8', 'LANG': 'C.UTF-8'}
        with driver.Program('--text', TEXT, env=env) as program:
            program.wait_words(word)
            driver.until('title in Chinese', lambda: next(
                (each for each in program.all('image') if '注意力' in each.name), None))
            status, output = program.terminate()
        assert status == 0 and output.strip() == '', output


def where_it_was_left():
    with tempfile.TemporaryDirectory() as folder:
        env = {'XDG_STATE_HOME': folder}
        with driver.Program(env=env) as program:
            program.type(program.find('text', 'Text'), TEXT)
            program.set_value(program.find('spin button', 'Layer'), 3)
            program.set_value(program.find('spin button', 'Head'), 5)
            program.wait_title('Layer 3, head 5')
            program.keys('ctrl+2')
            program.wait_title('all heads')
            program.keys('ctrl+q')
            assert program.ended()[0] == 0
        with driver.Program(env=env) as program:
            program.wait_title('Layer 3 · all heads')
            assert driver.text_of(program.find('text', 'Text')) == TEXT
            assert program.find('spin button', 'Head').queryValue().currentValue == 5


sys.exit(tap.run([
    ('no display: one sentence, exit status 1', no_display),
    ('a display that is not there', bad_display),
    ('--benchmark-start prints one line of JSON', benchmark),
    ('--benchmark-views prints the frames of every view', benchmark_views),
    ('--benchmark-lab prints how long the lab takes', benchmark_lab),
    ('--benchmark-start without a text', nothing_to_time),
    ('a stray argument is shown in one line', names_made_harmless),
    ('options', options),
    ('a model that cannot be loaded is explained', bad_model),
    ('Chinese, traditional and simplified', languages),
    ('settings are kept between starts', where_it_was_left),
]))

# SPDX-License-Identifier: MIT
"""The programs where others live: other locales, right to left, few fonts or none, fine screens."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TEXT = 'The old man didn\'t see the istanbul boy.'
CHINESE = '小貓追著自己的尾巴跑。'
ODD = ('C', 'POSIX', 'C.UTF-8', 'xx_YY.UTF-8', '\x7f/../no')
MADE = ('de_DE', 'tr_TR', 'ar_EG')  # a decimal comma, an i without its dot, digits and lines of their own
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>
"""

place = tempfile.TemporaryDirectory()


def surroundings(**changes):
    env = dict(os.environ)
    for name in ('LC_ALL', 'LANG', 'LANGUAGE', 'LOCPATH'):
        env.pop(name, None)
    env.update(changes)
    return env


def make_locales():
    if not shutil.which('localedef'):
        raise tap.Skip('localedef is not installed')
    for name in MADE:
        done = subprocess.run(['localedef', '-i', name, '-f', 'UTF-8',
                               os.path.join(place.name, name + '.UTF-8')],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert os.path.isdir(os.path.join(place.name, name + '.UTF-8')), done.stderr


def run(env, *arguments, program=None):
    done = subprocess.run([program or driver.CLI, *arguments], env=env, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode(errors='replace')


def answers(env):
    """What must not depend on where one lives."""
    result = []
    for arguments in (['info'],
                      ['tokenize', '--text', TEXT],
                      ['attention', '--text', TEXT, '--layer', '3', '--head', '1', '--format', 'csv'],
                      ['attention', '--text', TEXT, '--layer', '3', '--head', '1', '--format', 'json'],
                      ['attention', '--text', TEXT, '--layer', '1', '--head', '1', '--unit', 'words'],
                      ['compare', '--text', TEXT, '--text-b', CHINESE, '--top', '3'],
                      ['render', '--text', TEXT, '--layer', '3', '--format', 'svg', '--lang', 'en'],
                      ['render', '--text', TEXT, '--view', 'lines', '--format', 'pdf', '--lang', 'zh_TW']):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, 'picture')
            if arguments[0] == 'render':
                arguments = arguments + ['-o', file]
            status, output, errors = run(env, *arguments)
            assert status == 0 and errors == '', (arguments, status, errors)
            if arguments[0] == 'render':
                with open(file, 'rb') as opened:
                    output = opened.read()
            result.append(output)
    return result


def same_everywhere(names, **more):
    usual = answers(surroundings(LC_ALL='C.UTF-8'))
    assert b'0.' in usual[2] and json.loads(usual[3])['maps'], usual[2][:200]
    for name in names:
        here = answers(surroundings(LC_ALL=name, **more))
        for index, (expected, found) in enumerate(zip(usual, here)):
            assert expected == found, (name, index, found[:200])


def odd_locales():
    same_everywhere(ODD)


def made_locales():
    make_locales()
    same_everywhere([name + '.UTF-8' for name in MADE], LOCPATH=place.name)


def windows():
    """The window says nothing and shows the same numbers; a number typed with a point is one."""
    made = [name for name in os.listdir(place.name) if name.startswith(MADE)]
    for name in ODD[:1] + ODD[3:4] + tuple(made):
        env = {'LC_ALL': name, 'LANG': name, 'LANGUAGE': '', 'LOCPATH': place.name}
        with driver.Program('--text', TEXT, env=env) as program:
            program.wait_title('Layer 1, head 1')
            program.wait_words('0.')
            program.keys('ctrl+2')
            program.wait_title('all heads')
            status, output = program.terminate()
        assert status == 0 and output.strip() == '', (name, output)


def with_fonts(folder):
    file = os.path.join(place.name, 'fonts.conf')
    with open(file, 'w', encoding='utf-8') as opened:
        opened.write(FONTS % (folder, os.path.join(place.name, 'cache')))
    return {'FONTCONFIG_FILE': file}


def no_chinese_font():
    env = with_fonts('/usr/share/fonts/truetype/dejavu')
    file = os.path.join(place.name, 'boxes.png')
    status, _, errors = run(surroundings(**env), 'render', '--text', CHINESE, '-o', file)
    assert status == 0 and 'boxes' in errors and len(errors.splitlines()) == 1, errors
    status, _, errors = run(surroundings(**env), 'render', '--text', TEXT, '-o', file)
    assert status == 0 and errors == '', errors
    with driver.Program('--text', CHINESE, env=env) as program:
        program.wait_title('Layer 1, head 1')
        status, output = program.terminate()
    assert status == 0 and output.strip() == '', output


def no_font():
    empty = os.path.join(place.name, 'empty')
    os.makedirs(empty, exist_ok=True)
    env = with_fonts(empty)
    for form in ('png', 'svg', 'pdf'):
        file = os.path.join(place.name, 'nothing.' + form)
        status, output, errors = run(surroundings(**env), 'render', '--text', TEXT, '--format', form,
                                     '-o', file)
        assert status == 1 and output == b'' and not os.path.exists(file), (status, output)
        assert 'font' in errors and len(errors.splitlines()) == 1, errors
    status, output, errors = run(dict(os.environ, **env), '--text', TEXT, program=driver.WINDOW)
    assert status == 1 and output == b'', (status, output)
    assert 'fonts' in errors and len(errors.splitlines()) == 1, errors


def not_installed():
    """The language of a locale that is not there is shown all the same."""
    env = {'LC_ALL': '', 'LANG': 'zh_TW.UTF-8', 'LANGUAGE': '', 'LOCPATH': place.name}
    with driver.Program('--text', TEXT, env=env) as program:
        program.wait_words('注意力頭')
        status, output = program.terminate()
    assert status == 0 and output.strip() == '', output


def fine_screen():
    """Twice as many pixels are used for cells and letters, in every view, and nothing is said."""
    env = dict(os.environ, GDK_SCALE='2', G_DEBUG='fatal-warnings', GTK_A11Y='none')
    done = subprocess.run([os.path.join(driver.BUILD, 'tests', 'ui', 'test-looks'), '-p',
                           '/looks/en/100/light/sharp'], env=env, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count('at scale 2') == 4 and 'ok 1' in done.stdout, done.stdout
    with driver.Program('--text', TEXT, env={'GDK_SCALE': '2'}) as program:
        program.wait_title('Layer 1, head 1')
        for key, title in (('2', 'all heads'), ('3', 'All layers'), ('4', 'Layer 1')):
            program.keys('ctrl+' + key)
            program.wait_title(title)
        status, output = program.terminate()
    assert status == 0 and output.strip() == '', output


sys.exit(tap.run([
    ('odd locales: the same bytes on the command line', odd_locales),
    ('decimal comma, i without dot, other digits: the same bytes', made_locales),
    ('the window starts in other locales', windows),
    ('a locale that is not installed still chooses the language', not_installed),
    ('no font for Chinese: boxes, and a warning', no_chinese_font),
    ('no font at all: no picture, no window, one sentence', no_font),
    ('a screen with fine pixels is used', fine_screen),
]))
